import CGtk
import GtkSupport
import Operations

// What the guided tour asks of the panel. Times are compared with those of the timeline, which are since the queues were made.
extension OperationsPanel {
    /// Whether it is open, and has drawn what there is.
    var isDrawing: Bool { isOpen && gtk_revealer_get_child_revealed(OpaquePointer(widget)) != 0 }

    /// Follows the time again, with nothing that stands out.
    func goLive() {
        view.span = TimelineView.usualSpan
        view.end = nil
        chosen = nil
        show(nil)
        scrollSideways(toBars: false)
    }

    /// Stands still, with all in view that has happened since a moment.
    func freeze(since moment: ContinuousClock.Instant) {
        update()
        let from = (moment - start) / .seconds(1)
        view.span = max(1, (view.now - from) * 1.05)
        view.end = view.now
        scrollSideways(toBars: true)
    }

    /// Has the bars in sight, or the names and buttons, where the window is too narrow for both.
    private func scrollSideways(toBars isToBars: Bool) {
        guard let adjustment = lanesScroll.map({ gtk_scrolled_window_get_hadjustment(OpaquePointer($0)) }) else {
            return
        }
        gtk_adjustment_set_value(adjustment, isToBars ? gtk_adjustment_get_upper(adjustment) : 0)
    }

    /// Which lanes are folded.
    var folds: [Bool] {
        get { controls.map(\.isFolded) }
        set { for (lane, isFolded) in zip(controls, newValue) { lane.isFolded = isFolded } }
    }

    /// Has the operations of a photo stand out.
    func choose(_ name: String, at address: String) {
        chosen = address
        point(at: (name, address))
    }

    /// Runs the next operation of a suspended queue.
    func step(_ queue: OperationQueue) { controls(of: queue)?.makeStep() }

    /// Whether an operation of a queue is being run by hand.
    func isStepping(_ queue: OperationQueue) -> Bool { controls(of: queue)?.isStepping ?? false }

    private func controls(of queue: OperationQueue) -> LaneControls? { controls.first { $0.queue === queue } }

    /// Whether the main thread has answered nobody for so long that everybody notices.
    func hasStalled(since moment: ContinuousClock.Instant) -> Bool {
        // What keeps it may begin in the same turn of the loop.
        view.mainThread.busy.contains { $0.to - max($0.from, moment - start) > .milliseconds(300) }
    }

    /// Whether the photo of an address went through these stages.
    func hasRun(_ stages: [String], of address: String) -> Bool {
        let runs = view.timeline.lastRuns(of: address).filter { $0.finished != nil }
        return stages.allSatisfy { stage in runs.contains { $0.stage == stage } }
    }

    /// How many downloads run.
    var runningDownloads: Int { view.timeline.lanes.first?.runningCount ?? 0 }

    /// The downloads that were on their way after a moment.
    func downloads(since moment: ContinuousClock.Instant) -> [Timeline.Bar] {
        view.timeline.bars.filter { $0.stage == "Download" && $0.started ?? .zero > moment - start }
    }

    /// Whether one of the downloads since a moment was cancelled on its way.
    func hasCancelled(since moment: ContinuousClock.Instant) -> Bool {
        downloads(since: moment).contains { $0.outcome == .cancelled }
    }

    /// How many downloads since a moment ran side by side at most.
    func mostDownloads(since moment: ContinuousClock.Instant) -> Int {
        (downloads(since: moment).map(\.track).max() ?? -1) + 1
    }

    /// Whether downloads took most of the time of the photos that came since a moment.
    func isNetworkSlowest(since moment: ContinuousClock.Instant) -> Bool {
        var times: [Bool: Duration] = [:]
        for bar in view.timeline.bars {
            guard let started = bar.started, let finished = bar.finished, started > moment - self.start,
                ["Download", "Decode", "Filter"].contains(bar.stage)
            else { continue }
            times[bar.stage == "Download", default: .zero] += finished - started
        }
        return times[true, default: .zero] > times[false, default: .zero] * 2
    }
}
