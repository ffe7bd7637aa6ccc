import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// Plays one scripted scroll for each strategy, one after the other, and measures.
///
/// Each of them begins with an empty memory: it has a pipeline of its own, which keeps nothing on disk. Local files come as
/// slowly as from a network.
final class ComparisonRun {
    /// What there is to tell.
    enum Event {
        /// A strategy begins, with photos that are to be on screen.
        case began(LoadingStrategy, PhotosPage)
        /// The strategy that runs has new figures.
        case measured(LoadingStrategy, StrategyFigures)
        /// A strategy is done; its photos are to leave the screen.
        case ended(LoadingStrategy, PhotosPage)
        /// All of them are done.
        case finished(StrategyComparison)
    }

    /// Called with what happens.
    var onEvent: (Event) -> Void = { _ in }

    /// How long the strategy that blocks may wait for photos in all.
    private static let mostBlocking = Duration.seconds(20)
    /// How long a page is laid out before it is measured, in frames.
    private static let preparation = 20
    /// How long is waited for the end of what was cancelled.
    private static let patience = Duration.seconds(5)

    private enum Phase {
        /// The photos are laid out, and nothing is asked for yet; for so many frames.
        case preparing(Int)
        case playing(ScrollPlayer)
    }

    /// What works for one strategy.
    private struct Stage {
        let strategy: LoadingStrategy
        let list: PhotoList
        let page: PhotosPage
        let threads: ThreadCount
        var figures = StrategyFigures()
        var phase = Phase.preparing(0)
    }

    private let source: PhotoList
    private let configuration: PhotoPipeline.Configuration
    private var left = StrategyComparison.order[...]
    private var stage: Stage?
    /// What was left a moment ago, and since when; the next strategy begins when nothing of it is under way.
    private var leaving: (pipeline: PhotoPipeline, since: ContinuousClock.Instant)?
    private var comparison = StrategyComparison()
    private var isStopped = false
    private var frames = 0

    /// - Parameters:
    ///   - source: The photos, their order and their look.
    ///   - configuration: What pipelines are like.
    init(_ source: PhotoList, _ configuration: PhotoPipeline.Configuration) {
        self.source = source
        var configuration = configuration
        configuration.loaders[SlowNetwork.scheme] = SlowNetwork()
        self.configuration = configuration
    }

    /// Whether some of the photos are files of this computer.
    var isSlowed: Bool {
        guard source.count > 0 else { return false }
        if case .success(let request) = source.request(for: source.photo(atRow: 0), longestSide: nil),
            case .file = request.address
        {
            return true
        }
        return false
    }

    /// Begins; the widget is on screen as long as it goes on.
    func start(on widget: Widget?) {
        LoopProbe.attach()
        onEachFrame(of: widget) { [weak self] time in
            guard let self, !isStopped else { return false }
            return frame(at: Double(time) / 1_000_000)
        }
    }

    /// Ends it before its time.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        leave()
    }

    /// Whether to go on.
    private func frame(at now: Double) -> Bool {
        frames += 1
        if let leaving {
            let isOver = leaving.pipeline.pending.count == 0
            guard isOver || .now - leaving.since > Self.patience else { return true }
            self.leaving = nil
        }
        guard let stage else {
            guard let strategy = left.popFirst() else {
                isStopped = true
                onEvent(.finished(comparison))
                return false
            }
            begin(strategy)
            return true
        }
        switch stage.phase {
        case .preparing(let count):
            let isReady = !stage.page.visibleRows.isEmpty && count >= Self.preparation
            guard isReady else {
                self.stage?.phase = .preparing(count + 1)
                return true
            }
            play(stage, at: now)
        case .playing(let player):
            let goesOn = player.frame(at: now)
            measure(player, isLast: !goesOn)
            if !goesOn { end() }
        }
        return true
    }

    private func begin(_ strategy: LoadingStrategy) {
        let pipeline = PhotoPipeline(configuration: configuration)
        let list = PhotoList(
            catalog: source.catalog, pipeline: pipeline, resize: source.resize, look: source.look,
            strategy: strategy)
        list.looks = source.looks
        list.arrange(like: source)
        list.allowsPrivateAddresses = source.allowsPrivateAddresses
        list.fileScheme = SlowNetwork.scheme
        list.traffic = PhotoList.Traffic()
        // Nothing begins while the rows are laid out, which takes the same time with each.
        list.isPaused = true
        let page = PhotosPage(list, layout: .list)
        list.onChange = { [weak page] in page?.refresh($0) }
        stage = Stage(strategy: strategy, list: list, page: page, threads: ThreadCount(pipeline))
        onEvent(.began(strategy, page))
        page.scroll(toRow: 0)
    }

    private func play(_ stage: Stage, at now: Double) {
        let player = ScrollPlayer(.brief, stage.page)
        self.stage?.phase = .playing(player)
        LoopProbe.reset()
        _ = player.frame(at: now)
        stage.list.blockingDeadline = .now + Self.mostBlocking
        stage.list.isPaused = false
        stage.page.refresh()
    }

    private func measure(_ player: ScrollPlayer, isLast: Bool) {
        guard let stage, let traffic = stage.list.traffic else { return }
        var figures = stage.figures
        figures.take(player.measurement, traffic)
        figures.longestStall = LoopProbe.longest / .milliseconds(1)
        // Ten times a second is as much as anybody reads.
        let isShown = isLast || frames.isMultiple(of: 6)
        if isShown { figures.threads = stage.threads.most }
        self.stage?.figures = figures
        if isShown { onEvent(.measured(stage.strategy, figures)) }
    }

    private func end() {
        guard let stage else { return }
        comparison.figures[stage.strategy] = stage.figures
        leave()
    }

    private func leave() {
        guard let stage else { return }
        self.stage = nil
        stage.list.onChange = nil
        stage.page.leave()
        stage.list.close()
        stage.list.pipeline.pending.cancelAll()
        leaving = (stage.list.pipeline, .now)
        onEvent(.ended(stage.strategy, stage.page))
    }
}
