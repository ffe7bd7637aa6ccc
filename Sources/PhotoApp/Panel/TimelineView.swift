import CGtk
import GtkSupport

/// Draws a timeline: a lane for the main thread, and one for each queue, in it a bar for each operation that ran, and below them how
/// many waited; at the bottom, an axis of time since the queues were made.
///
/// States differ by shape and lightness as well as by colour: cancelled ones are hatched, failed ones have a dark end.
final class TimelineView {
    /// The least height of a lane.
    static let laneHeight = 84.0
    /// The least height of a lane that is folded, and of the main thread's.
    static let lowHeight = 28.0
    static let usualSpan = 6.0

    private(set) var canvas: Canvas?
    /// What is drawn.
    var timeline = Timeline(lanes: 0)
    /// What is drawn above it.
    var mainThread = MainThread()
    /// Seconds of the queues' time.
    var now = 0.0
    /// Seconds at the right border; nil to follow the time.
    var end: Double? { didSet { canvas?.redraw() } }
    /// Seconds from border to border.
    var span = TimelineView.usualSpan { didSet { canvas?.redraw() } }
    /// How high what stands beside a lane is, or beside that of the main thread, for nil: large text needs more than the least height.
    var heightBeside: (_ lane: Int?) -> Double = { _ in 0 }
    /// The lanes that are folded.
    var folded: Set<Int> = [] { didSet { canvas?.redraw() } }
    /// The address of the photo that is of interest, whose operations stand out and are joined by lines; nil for none.
    var address: String? { didSet { if address != oldValue { canvas?.redraw() } } }
    var width = 1.0
    /// How many places side by side the lanes have, as they were drawn last: as many as what is seen needs.
    var trackCounts: [Int] = []

    init() {
        canvas = Canvas(role: GTK_ACCESSIBLE_ROLE_IMG) { [weak self] in self?.draw($0, $1) }
    }

    /// How high a lane is, in pixels.
    func height(ofLane lane: Int) -> Double {
        max(folded.contains(lane) ? Self.lowHeight : Self.laneHeight, heightBeside(lane))
    }

    /// How high the main thread's lane is.
    var mainThreadHeight: Double { max(Self.lowHeight, heightBeside(nil)) }

    /// Where a lane begins; one more than there are is where the axis does.
    func top(ofLane lane: Int) -> Double { mainThreadHeight + (0..<lane).map { height(ofLane: $0) }.reduce(0, +) }

    var window: TimeWindow { TimeWindow(end: end ?? now, span: span, width: width) }

    /// Goes back (or forward) by a part of what is seen; beyond the present it follows the time again.
    func move(by part: Double) {
        let moved = (end ?? now) - part * span
        end = moved >= now ? nil : max(span / 4, moved)
    }

    /// Shows more or less time.
    func zoom(by factor: Double) { span = min(max(0.002, span * factor), 600) }

    /// Shows one operation from end to end.
    func zoom(to bar: Timeline.Bar) {
        guard let started = bar.started else { return }
        let from = started / .seconds(1)
        let to = bar.finished.map { $0 / .seconds(1) } ?? now
        span = min(max(0.002, (to - from) * 1.25), 600)
        end = to + (span - (to - from)) / 2
    }

    /// The operation at a point.
    func bar(x: Double, y: Double) -> Timeline.Bar? {
        let lanes = timeline.lanes.indices
        guard let lane = lanes.first(where: { top(ofLane: $0) <= y && y < top(ofLane: $0 + 1) }) else { return nil }
        let time = window.time(atX: x)
        guard !folded.contains(lane) else {
            return timeline.bar(lane: lane, track: nil, at: time, now: .seconds(now))
        }
        let track = Int((y - top(ofLane: lane) - 2) / trackHeight(lane))
        return timeline.bar(lane: lane, track: track, at: time, now: .seconds(now))
    }

    /// The time at a point in the main thread's lane in which that answered nobody.
    func busy(x: Double, y: Double) -> MainThread.Busy? {
        y < mainThreadHeight ? mainThread.busy(at: window.time(atX: x)) : nil
    }
}
