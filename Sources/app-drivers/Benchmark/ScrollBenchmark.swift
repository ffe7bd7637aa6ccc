import CGtk
import Glibc
import GtkSupport
import PhotoApp
import PhotoBrowser
import PhotoPipeline

/// Scrolls a window by a script, frame by frame, measures, prints, and closes the window.
final class ScrollBenchmark {
    private unowned let window: BrowserWindow
    private let strategy: LoadingStrategy
    /// What plays the script; nil before all photos on screen are there.
    private var player: ScrollPlayer?

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
        guard let list = window.list, let page = window.page else { return true }
        if list.traffic == nil { list.traffic = PhotoList.Traffic() }
        if player == nil {
            guard page.isComplete else { return true }
            LoopProbe.reset()
            player = ScrollPlayer(.thorough, page)
        }
        guard let player, !player.frame(at: now) else { return true }
        finish(list, player.measurement)
        return false
    }

    private func finish(_ list: PhotoList, _ measurement: ScrollMeasurement) {
        var report = ScrollReport(measurement)
        report.longestStall = LoopProbe.longest / .milliseconds(1)
        report.longestCPU = LoopProbe.longestCPU / .milliseconds(1)
        report.stalls = LoopProbe.stalls
        report.received = list.traffic?.received ?? 0
        report.wasted = list.traffic?.wasted ?? 0
        report.unseenAhead = list.traffic?.unseenAhead ?? 0
        // The control: a stall that is there must be seen.
        LoopProbe.reset()
        usleep(80_000)
        var frames = 0
        onEachFrame(of: window.window) { [self] _ in
            frames += 1
            guard frames > 2 else { return true }
            report.control = LoopProbe.longest / .milliseconds(1)
            let line = Array((report.json(strategy: strategy.rawValue, rows: list.catalog.count) + "\n").utf8)
            write(STDOUT_FILENO, line, line.count)
            gtk_window_close(cast(window.window))
            return false
        }
    }
}
