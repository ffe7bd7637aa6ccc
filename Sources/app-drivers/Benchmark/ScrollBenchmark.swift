import CGtk
import Glibc
import GtkSupport
import PhotoApp
import PhotoBrowser
import PhotoPipeline

/// Scrolls a window by a script, frame by frame, measures, prints, and closes the window.
final class ScrollBenchmark {
    private enum Phase {
        case waiting
        case scrolling(since: Double, from: Double)
        case resting(since: Double, hasFirst: Bool)
    }

    private unowned let window: BrowserWindow
    private let strategy: LoadingStrategy
    private var measurement = ScrollMeasurement()
    private var phase = Phase.waiting
    private var step = 0
    private var lastFrame: Double?
    private var threadTime = 0.0

    init(_ window: BrowserWindow, strategy: LoadingStrategy) {
        self.window = window
        self.strategy = strategy
        window.strategy = strategy
        LoopProbe.attach()
    }

    /// Begins as soon as the catalog is there.
    func start() {
        onEachFrame(of: window.window) { [weak self] time in self?.frame(at: Double(time) / 1_000_000) ?? false }
    }

    /// Whether to go on.
    private func frame(at now: Double) -> Bool {
        guard let list = window.list, let page = window.page, let adjustment = page.adjustment else { return true }
        if list.traffic == nil { list.traffic = PhotoList.Traffic() }
        switch phase {
        case .waiting:
            guard isComplete(list, page) else { return true }
            LoopProbe.reset()
            begin(at: now, adjustment)
        case .scrolling(let since, let from):
            if let lastFrame { measurement.frameIntervals.append((now - lastFrame) * 1_000) }
            lastFrame = now
            guard case .scroll(let speed, let seconds) = ScrollScript.steps[step] else { return true }
            let elapsed = min(now - since, seconds)
            let screen = gtk_adjustment_get_page_size(adjustment)
            gtk_adjustment_set_value(adjustment, from + speed * screen * elapsed)
            if elapsed >= seconds { rest(at: now) }
        case .resting(let since, let hasFirst):
            // The view tells of its rows after the frame in which they moved.
            guard now - since > 0.03 else { return true }
            let milliseconds = (now - since) * 1_000
            if !hasFirst, hasAny(list, page) {
                measurement.first.append(milliseconds)
                phase = .resting(since: since, hasFirst: true)
            }
            let isLate = now - since > ScrollScript.patience
            guard isComplete(list, page) || isLate else { return true }
            if isLate { measurement.missed += 1 }
            measurement.all.append(milliseconds)
            step += 1
            guard step < ScrollScript.steps.count else {
                finish(list)
                return false
            }
            begin(at: now, adjustment)
        }
        return true
    }

    private func begin(at now: Double, _ adjustment: UnsafeMutablePointer<GtkAdjustment>) {
        threadTime = ScrollMeasurement.threadTime
        switch ScrollScript.steps[step] {
        case .scroll:
            lastFrame = nil
            phase = .scrolling(since: now, from: gtk_adjustment_get_value(adjustment))
        case .jump(let place):
            gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment) * place)
            phase = .resting(since: now, hasFirst: false)
        }
    }

    private func rest(at now: Double) {
        measurement.mainThread += ScrollMeasurement.threadTime - threadTime
        phase = .resting(since: now, hasFirst: false)
    }

    private func states(_ list: PhotoList, _ page: PhotosPage) -> [Photo.State] {
        page.visibleRows.clamped(to: 0..<list.count).map { list[list.photo(atRow: $0)].state }
    }

    private func isComplete(_ list: PhotoList, _ page: PhotosPage) -> Bool {
        let states = states(list, page)
        return !states.isEmpty && states.allSatisfy { $0.isStable && $0 != .new && $0 != .downloaded }
    }

    private func hasAny(_ list: PhotoList, _ page: PhotosPage) -> Bool {
        states(list, page).contains(.filtered)
    }

    private func finish(_ list: PhotoList) {
        measurement.longestStall = LoopProbe.longest / .milliseconds(1)
        measurement.longestCPU = LoopProbe.longestCPU / .milliseconds(1)
        measurement.stalls = LoopProbe.stalls
        measurement.received = list.traffic?.received ?? 0
        measurement.wasted = list.traffic?.wasted ?? 0
        measurement.unseenAhead = list.traffic?.unseenAhead ?? 0
        // The control: a stall that is there must be seen.
        LoopProbe.reset()
        usleep(80_000)
        var frames = 0
        onEachFrame(of: window.window) { [self] _ in
            frames += 1
            guard frames > 2 else { return true }
            measurement.control = LoopProbe.longest / .milliseconds(1)
            let line = Array((measurement.json(strategy: strategy.rawValue, rows: list.catalog.count) + "\n").utf8)
            write(STDOUT_FILENO, line, line.count)
            gtk_window_close(cast(window.window))
            return false
        }
    }
}
