import CGtk
import GtkSupport

/// Which part of time is drawn where.
nonisolated struct TimeWindow {
    /// Seconds at the right border.
    var end: Double
    /// Seconds from border to border.
    var span: Double
    /// Pixels from border to border.
    var width: Double

    func x(_ time: Duration) -> Double { (time / .seconds(1) - end + span) / span * width }
    func time(atX x: Double) -> Duration { .seconds(end - span + x / width * span) }

    /// Where the axis has lines, in seconds: round numbers, so far apart that each of them can be written there.
    ///
    /// - Parameter pixels: The least distance, in pixels.
    /// - Returns: The seconds from the left, none before the beginning of time; how many decimals they have.
    func ticks(apart pixels: Double) -> (seconds: [Double], decimals: Int) {
        let steps =
            [(0.01, 2), (0.02, 2), (0.05, 2), (0.1, 1), (0.2, 1), (0.5, 1)]
            + [1, 2, 5, 10, 30, 60, 120, 300, 600].map { ($0, 0) }
        guard width > 0, span > 0, let last = steps.last else { return ([], 0) }
        let (step, decimals) = steps.first { $0.0 / span * width >= pixels } ?? last
        let first = max(0, ((end - span) / step).rounded(.up))
        return (stride(from: first, to: end / step, by: 1).map { $0 * step }, decimals)
    }
}

/// Draws a timeline: a lane for each queue, in it a bar for each operation that ran, and below them how many waited; at
/// the bottom, an axis of time since the queues were made.
///
/// States differ by shape and lightness as well as by colour: cancelled ones are hollow, failed ones have a dark end.
final class TimelineView {
    static let laneHeight = 60.0
    private static let axisHeight = 18.0
    private static let waitingHeight = 14.0
    private static let mostWaiting = 32

    private(set) var canvas: Canvas?
    /// What is drawn.
    var timeline = Timeline(lanes: 0)
    /// Seconds of the queues' time.
    var now = 0.0
    /// Seconds at the right border; nil to follow the time.
    var end: Double? { didSet { canvas?.redraw() } }
    /// Seconds from border to border.
    var span = 6.0 { didSet { canvas?.redraw() } }
    private var width = 1.0

    /// How high the timeline of so many queues is, in pixels.
    static func height(ofLanes count: Int) -> Double { laneHeight * Double(count) + axisHeight }

    init() {
        canvas = Canvas(role: GTK_ACCESSIBLE_ROLE_IMG) { [weak self] in self?.draw($0, $1) }
    }

    private var window: TimeWindow { TimeWindow(end: end ?? now, span: span, width: width) }

    /// Goes back (or forward) by a part of what is seen; beyond the present it follows the time again.
    func move(by part: Double) {
        let moved = (end ?? now) - part * span
        end = moved >= now ? nil : max(span / 4, moved)
    }

    /// Shows more or less time.
    func zoom(by factor: Double) { span = min(max(0.05, span * factor), 600) }

    /// The operation at a point.
    func bar(x: Double, y: Double) -> Timeline.Bar? {
        let lane = Int(y / Self.laneHeight)
        guard timeline.lanes.indices.contains(lane) else { return nil }
        let track = Int((y - Double(lane) * Self.laneHeight - 2) / trackHeight(timeline.lanes[lane]))
        return timeline.bar(lane: lane, track: track, at: window.time(atX: x), now: .seconds(now))
    }

    private func trackHeight(_ lane: Timeline.Lane) -> Double {
        min(22, (Self.laneHeight - Self.waitingHeight - 6) / Double(max(1, lane.trackCount)))
    }

    // MARK: Drawing

    private func draw(_ snapshot: OpaquePointer, _ size: graphene_size_t) {
        width = max(1, Double(size.width))
        let colors = TimelineColors()
        let window = window
        for lane in timeline.lanes.indices {
            let top = Double(lane) * Self.laneHeight
            let area = graphene_rect_t(x: 0, y: top, width: width, height: Self.laneHeight - 1)
            fill(snapshot, area, colors.background)
            drawWaiting(snapshot, timeline.lanes[lane], bottom: top + Self.laneHeight - 1, window, colors)
        }
        drawAxis(snapshot, window, colors)
        let first = window.time(atX: 0)
        for bar in timeline.bars where bar.finished ?? .seconds(now) >= first { draw(snapshot, bar, window, colors) }
    }

    private func draw(_ snapshot: OpaquePointer, _ bar: Timeline.Bar, _ window: TimeWindow, _ colors: TimelineColors) {
        let height = trackHeight(timeline.lanes[bar.lane])
        let top = Double(bar.lane) * Self.laneHeight + 2 + Double(bar.track) * height
        guard let started = bar.started else {
            // Cancelled before it began: a tick among those that wait.
            guard let finished = bar.finished else { return }
            let bottom = Double(bar.lane + 1) * Self.laneHeight - 1
            fill(
                snapshot, graphene_rect_t(x: window.x(finished), y: bottom - 6, width: 1, height: 6), colors.cancelled)
            return
        }
        let left = max(-2, window.x(started))
        let right = min(width + 2, window.x(bar.finished ?? .seconds(now)))
        guard right >= 0, left <= width else { return }
        let shape = graphene_rect_t(x: left, y: top, width: max(1.5, right - left), height: max(1.5, height - 1))
        switch bar.outcome {
        case nil: fill(snapshot, shape, colors.running)
        case .done: fill(snapshot, shape, colors.done)
        case .cancelled: outline(snapshot, shape, colors.cancelled)
        case .failed:
            // Wide enough for both parts.
            let edge = max(left + 4, right - 2)
            fill(snapshot, graphene_rect_t(x: left, y: top, width: edge - left, height: height - 1), colors.failed)
            fill(snapshot, graphene_rect_t(x: edge, y: top, width: 2, height: height - 1), colors.text)
        }
    }

    private func drawWaiting(
        _ snapshot: OpaquePointer, _ lane: Timeline.Lane, bottom: Double, _ window: TimeWindow, _ colors: TimelineColors
    ) {
        var right = min(width, window.x(.seconds(now)))
        for step in lane.waiting.reversed() {
            let left = window.x(step.time)
            if step.count > 0, left < right {
                // The square root, so that one is seen beside a thousand.
                let part = Double(min(step.count, Self.mostWaiting)) / Double(Self.mostWaiting)
                let height = max(2, part.squareRoot() * Self.waitingHeight)
                let shape = graphene_rect_t(
                    x: max(0, left), y: bottom - height, width: right - max(0, left), height: height)
                fill(snapshot, shape, colors.waiting)
            }
            right = min(right, left)
            if right <= 0 { return }
        }
    }

    private func drawAxis(_ snapshot: OpaquePointer, _ window: TimeWindow, _ colors: TimelineColors) {
        let ticks = window.ticks(apart: 70)
        let height = Double(timeline.lanes.count) * Self.laneHeight
        for second in ticks.seconds {
            let x = window.x(.seconds(second))
            fill(snapshot, graphene_rect_t(x: x, y: 0, width: 1, height: height + 4), colors.text.faded(0.15))
            let text = tr("{seconds} s").filled(["seconds": second.written(decimals: ticks.decimals)])
            write(snapshot, text, x: x, y: height + 1, colors.text.faded(0.7))
        }
    }

    /// Writes a text at the right of a line, where there is room for it.
    private func write(_ snapshot: OpaquePointer, _ text: String, x: Double, y: Double, _ color: GdkRGBA) {
        guard let layout = gtk_widget_create_pango_layout(canvas?.widget, text) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        var textWidth: Int32 = 0
        pango_layout_get_pixel_size(layout, &textWidth, nil)
        guard x + 4 + Double(textWidth) <= width else { return }
        gtk_snapshot_save(snapshot)
        var point = graphene_point_t(x: Float(x) + 4, y: Float(y))
        gtk_snapshot_translate(snapshot, &point)
        withUnsafePointer(to: color) { gtk_snapshot_append_layout(snapshot, layout, $0) }
        gtk_snapshot_restore(snapshot)
    }
}

/// The colours of a timeline, for light and dark; blue, sky blue, orange and vermilion are told apart by everyone.
struct TimelineColors {
    let isDark = adw_style_manager_get_dark(adw_style_manager_get_default()) != 0

    var text: GdkRGBA { isDark ? GdkRGBA(0xFFFFFF) : GdkRGBA(0x000000, alpha: 0.8) }
    var background: GdkRGBA { text.faded(0.06) }
    var running: GdkRGBA { GdkRGBA(0x56B4E9) }
    var done: GdkRGBA { isDark ? GdkRGBA(0x2F86C9) : GdkRGBA(0x0072B2) }
    var cancelled: GdkRGBA { text.faded(0.55) }
    var failed: GdkRGBA { isDark ? GdkRGBA(0xFF7A2F) : GdkRGBA(0xD55E00) }
    var waiting: GdkRGBA { GdkRGBA(0xE69F00, alpha: 0.6) }

    /// The states in the order of a legend.
    func draw(_ snapshot: OpaquePointer, _ size: graphene_size_t, state: Int) {
        let shape = graphene_rect_t(x: 1, y: 2, width: Double(size.width) - 2, height: Double(size.height) - 4)
        switch state {
        case 0: fill(snapshot, shape, waiting)
        case 1: fill(snapshot, shape, running)
        case 2: fill(snapshot, shape, done)
        case 3: outline(snapshot, shape, cancelled)
        default:
            fill(snapshot, shape, failed)
            fill(
                snapshot, graphene_rect_t(x: Double(size.width) - 4, y: 2, width: 3, height: Double(size.height) - 4),
                text)
        }
    }
}
