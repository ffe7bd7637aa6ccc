import Dispatch
import Operations
public import PhotoPipeline

/// The behaviour of a list of photos, without a view.
///
/// The view tells it which rows are on screen and whether the user is scrolling; it works for those photos first, and
/// tells the view which rows look different. Whatever the engine's threads report arrives in at most one hop to the
/// main actor in each frame.
///
/// ```swift
/// import PhotoBrowser
/// import PhotoPipeline
///
/// let catalog = try await Catalog.load(from: Catalog.Source(argument: "photos.csv"))
/// let list = PhotoList(catalog: catalog, pipeline: PhotoPipeline(), longestSide: 192)
/// list.onChange = { photos in print("\(photos.count) rows look different") }
/// list.onArrange = { print("\(list.count) rows") }
/// list.visibleRowsChanged(0..<8)
/// ```
/// <!-- then
/// while list.failedCount == 0 || list.pendingCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
/// -->
/// <!-- prints
/// …
/// -->
@MainActor public final class PhotoList {
    /// The photos' names and addresses.
    public let catalog: Catalog
    /// What works for the list; it may be shared with others.
    public let pipeline: PhotoPipeline
    /// How large the pictures become; nil for the size that they were published in.
    public let resize: Resize?
    /// The longest side of the pictures in pixels; nil where ``resize`` is another one, or there is none.
    public var longestSide: Int? { resize?.longestSide }
    /// Called with the photos whose rows look different, on the main actor.
    ///
    /// At most once a frame for what the stages report, and at once for what the user does. Default: nobody is told.
    public var onChange: ((Set<Photo.ID>) -> Void)?
    /// Called when rows are about to be others, on the main actor; the former ones are there still. Default: nobody is told.
    public var onRearranging: (() -> Void)?
    /// Called when rows are others than before, on the main actor. Default: nobody is told.
    public var onArrange: (() -> Void)?
    /// What the transfers were good for, where somebody wants to know; nil, the default, counts nothing.
    public var traffic: Traffic?

    typealias State = PhotoListState<ScaledImage>
    private(set) var state: State
    private var inbox: UpdateInbox<Report>?
    /// What goes on for each run, until it has ended.
    private(set) var work: [Run: Work] = [:]
    /// What fetches published pictures that somebody wants to see beside the filtered ones.
    var originals: [Photo.ID: PhotoTask] = [:]
    /// The photos whose published picture could not be had.
    var lostOriginals: Set<Photo.ID> = []
    /// Whether nobody looks at the list any more, so that nobody is told anything.
    private(set) var isClosed = false
    /// Whether the view is going to be told how far transfers are.
    var isFollowingTransfers = false
    private var neighbourhood = Neighbourhood()

    var order: RowOrder
    let arranger: RowArranger
    let arrangingQueue = OperationQueue()
    var arranging: Operation?
    /// Where photos stand in the order by state, by their states when it was chosen; nil where it is not.
    var stateRanks: [Photo.ID: Int]?

    /// A list that shows a catalog.
    ///
    /// - Parameters:
    ///   - catalog: The photos' names and addresses.
    ///   - pipeline: What downloads, decodes and filters them.
    ///   - longestSide: The longest side of the pictures in pixels, at least 1; nil for the size that they were
    ///     published in. Default: 256.
    ///   - resize: How large the pictures become, if that is not a longest side; it counts before one. Default: nil.
    ///   - look: What is done to the pictures, see ``looks``. Default: the classic sepia tone.
    ///   - strategy: When work is started and stopped. Default: for what is visible.
    ///   - cacheLimit: How many bytes of pictures are kept, published and filtered ones together, with 2.5 kB for each photo. What is
    ///     on screen is kept beyond it. Default: 96 MB.
    ///   - frameInterval: The shortest time between two reports to the view. Default: 16 milliseconds.
    ///   - isPaused: Whether the user has paused, see ``isPaused``. It suspends no queue, and has none go on. Default: nil, for what
    ///     the pipeline is.
    public init(
        catalog: Catalog, pipeline: PhotoPipeline, longestSide: Int? = 256, resize: Resize? = nil,
        look: PhotoLook = .classic,
        strategy: LoadingStrategy = .visible, cacheLimit: Int = 96_000_000,
        frameInterval: Duration = .milliseconds(16), isPaused: Bool? = nil
    ) {
        self.catalog = catalog
        self.pipeline = pipeline
        self.resize = resize ?? longestSide.map { .longestSide(max(1, $0)) }
        self.strategy = strategy
        self.isPaused = isPaused ?? pipeline.pending.isSuspended
        state = State(cacheLimit: cacheLimit, strategy: strategy, looks: PhotoLooks(look))
        order = .all(count: catalog.count)
        arranger = RowArranger(catalog)
        arrangingQueue.name = "Arrangement queue"
        arrangingQueue.maxConcurrentOperationCount = 1
        inbox = UpdateInbox(interval: frameInterval, budget: .milliseconds(4)) { [weak self] in self?.takeReports() }
        tell(.paused(self.isPaused))
    }

    deinit {
        for work in work.values { work.cancel() }
        for task in originals.values { task.cancel() }
        arranging?.cancel()
    }

    // MARK: What the view tells

    /// Tells which rows are on screen; rows that there are not are left out.
    ///
    /// Photos that are on screen and not pending are started, nearest to the middle first; the runs of those that left
    /// are cancelled, except for those that are likely to be next.
    public func visibleRowsChanged(_ rows: Range<Int>) {
        let rows = rows.clamped(to: 0..<count)
        let nearby = neighbourhood.rows(around: rows, count: count)
        let before = state.visible
        tell(.visible(rows.map(photo(atRow:)), nearby: nearby.map(photo(atRow:))))
        prioritise(comparedTo: before)
        // Nothing is started now, and what is in memory shows all the same.
        if isScrolling || isPaused { recall(rows.map(photo(atRow:))) }
    }

    /// Whether the user is scrolling fast.
    ///
    /// Nothing new starts meanwhile; it goes on when this becomes false. Default: false.
    public var isScrolling = false {
        didSet { if isScrolling != oldValue { tell(.scrolling(isScrolling)) } }
    }

    /// Whether the user has paused.
    ///
    /// The pipeline's queues are suspended, so that what runs is finished and nothing new starts. Default: what the
    /// pipeline is.
    public var isPaused: Bool {
        didSet {
            guard isPaused != oldValue else { return }
            pipeline.pending.isSuspended = isPaused
            tell(.paused(isPaused))
        }
    }

    /// What is done to the pictures: the look of all, and the looks that single photos have instead. Default: the one that the list
    /// was made with, for all.
    ///
    /// After a change, only pictures that are to have another look are made anew, and where the published one is there, it is only
    /// filtered again. However many photos that are, it takes time for those that are in memory.
    public var looks: PhotoLooks {
        get { state.looks }
        set {
            lostOriginals = []
            tell(.looksChanged(newValue))
        }
    }

    /// What is done to the pictures that have no look of their own, see ``looks``.
    public var look: PhotoLook {
        get { looks.usual }
        set { if newValue != looks.usual { looks.usual = newValue } }
    }

    /// Whether a catalog that came over the network may lead to this machine and to private networks.
    ///
    /// Local files stay closed to it. Once it may, what has failed is tried again. Default: false.
    public var allowsPrivateAddresses = false {
        didSet { if allowsPrivateAddresses, !oldValue { retryAllFailed() } }
    }

    /// The scheme of the pipeline's loader that local files come through, such as ``SlowNetwork``; nil, the default, for none.
    public var fileScheme: String?

    /// When work is started and stopped.
    public var strategy: LoadingStrategy {
        didSet { if strategy != oldValue { tell(.strategyChanged(strategy)) } }
    }

    /// Until when the strategy that blocks may wait for photos; later ones are loaded in the background. Nil, the default, for
    /// ever.
    public var blockingDeadline: ContinuousClock.Instant?

    /// Which rows there are, and in which order.
    ///
    /// New rows are worked out off the main actor, also for a million of them; until they are there, the rows stay as
    /// they are, and then ``onArrange`` is called. Default: the catalog as it is.
    public var arrangement = PhotoArrangement() {
        didSet {
            if arrangement.order != oldValue.order { stateRanks = nil }
            if arrangement != oldValue { rearrange() }
        }
    }

    /// Tries a photo again that has failed, or whose picture is damaged; nothing happens with others.
    ///
    /// A damaged picture goes, and its file is transferred anew, whatever caches and memory have of it. Such photos are not among the
    /// failed ones.
    public func retry(_ photo: Photo.ID) {
        lostOriginals.remove(photo)
        tell(.retry(photo))
    }

    /// Tries all failed photos again, those on screen at once and the others when they come on screen.
    public func retryAllFailed() {
        lostOriginals = []
        tell(.retryAllFailed)
    }

    /// Lets all pictures go that are not on screen.
    public func letImagesGo() {
        tell(.memoryIsShort)
    }

    /// Cancels everything for good, and lets all pictures go, because nobody looks at the list any more. Nothing is told after it.
    ///
    /// A photo can still be saved: saving does not need the pictures.
    public func close() {
        arranging?.cancel()
        arranging = nil
        for task in originals.values { task.cancel() }
        tell(.closed)
        isClosed = true
    }

    // MARK: What the view may ask

    /// Whether rows are being worked out.
    public var isArranging: Bool { arranging != nil }

    /// How many photos are on their way, for this list.
    public var pendingCount: Int { work.count }

    /// The bytes of all pictures that the list keeps, with 2.5 kB for each photo.
    public var imageBytes: Int { state.imageBytes }

    // MARK: Carrying out

    /// What goes on for a run.
    struct Work {
        let cancel: @Sendable () -> Void
        /// What fetches the photo, where it is fetched.
        var task: PhotoTask?
        /// What gives it its look, where that is an operation of its own.
        var look: LookOperation?

        func prioritise(_ priority: Operation.QueuePriority) {
            task?.priority = priority
            look?.queuePriority = priority
        }
    }

    /// How urgent the photos are that are fetched ahead: behind all that somebody waits for.
    static let prefetchPriority = Operation.QueuePriority.low

    /// Has those that came on screen be as urgent as the others there, and those that left it and go on be behind them.
    private func prioritise(comparedTo before: [Photo.ID]) {
        guard strategy.isSelective, before != state.visible else { return }
        for photo in Set(before).symmetricDifference(state.visible) {
            guard let run = state.records[photo]?.run?.run else { continue }
            work[run]?.prioritise(state.isVisible(photo) ? .normal : Self.prefetchPriority)
        }
    }

    /// What the engine's threads report.
    private struct Report: Sendable {
        let event: State.Event
        /// The bytes that a run has received, when it ends.
        var received = 0
        var isPrefetch = false
    }

    private func takeReports() {
        var changed: Set<Photo.ID> = []
        inbox?.drain { take($0, &changed) }
        report(changed)
    }

    func tell(_ event: State.Event) {
        var changed: Set<Photo.ID> = []
        take(event, &changed)
        report(changed)
    }

    private func report(_ changed: Set<Photo.ID>) {
        if traffic != nil {
            for photo in state.visible where state.records[photo]?.shown != nil { traffic?.saw(photo) }
        }
        if !changed.isEmpty, !isClosed { onChange?(changed) }
        followTransfers()
    }

    private func take(_ report: Report, _ changed: inout Set<Photo.ID>) {
        if case .ended(let run) = report.event {
            let isSeen = state.isVisible(run.photo) && state.records[run.photo]?.shown != nil
            traffic?.add(report.received, of: run.photo, isPrefetch: report.isPrefetch, isSeen: isSeen)
        }
        take(report.event, &changed)
    }

    private func take(_ event: State.Event, _ changed: inout Set<Photo.ID>) {
        if case .ended(let run) = event { work[run] = nil }
        for action in state.handle(event) {
            switch action {
            case .load(let run): load(run, &changed)
            case .filter(let run, let image): filter(image, run, &changed)
            case .cancel(let run): work[run]?.cancel()
            case .changed(let photo): changed.insert(photo)
            }
        }
    }

    private func load(_ run: Run, _ changed: inout Set<Photo.ID>) {
        // At once, and not with the next frame: a row whose picture is there shows no placeholder.
        if run.cachePolicy != .reload, let (image, original) = imagesInMemory(of: run.photo) {
            if let original { take(.updated(run, .downloaded, original), &changed) }
            take(.updated(run, .filtered, image), &changed)
            return take(.ended(run), &changed)
        }
        switch listRequest(for: run.photo) {
        case .failure(let error):
            take(.updated(run, .failed(error), nil), &changed)
            take(.ended(run), &changed)
        case .success(var request):
            request.cachePolicy = run.cachePolicy
            let isWhole = looks[run.photo].intensity == 1
            let isPrefetch = !state.isVisible(run.photo)
            if isPrefetch { request.priority = Self.prefetchPriority }
            let task = pipeline.task(for: request, of: run.photo, label: self[run.photo].name) { [inbox] update in
                if !isWhole, update.state == .filtering || update.state == .filtered { return }
                inbox?.push(Report(event: .updated(run, update.state, update.scaledImage)))
            }
            var look: LookOperation?
            if !isWhole {
                let stage = lookOperation(run) { [weak task] in try? task?.takeScaledResult()?.get() }
                stage.queuePriority = request.priority
                task.append(stage, to: pipeline.pending.filtrationQueue)
                look = stage
            }
            perform(run, &changed, Work(cancel: { task.cancel() }, task: task, look: look)) { whenFinished in
                task.start { whenFinished(task.receivedByteCount, isPrefetch) }
            }
        }
    }

    /// Shows pictures that are in memory.
    private func recall(_ photos: [Photo.ID]) {
        var changed: Set<Photo.ID> = []
        for photo in photos where state.lacksImage(photo) {
            guard let (image, original) = imagesInMemory(of: photo) else { continue }
            take(.recalled(photo, image, original: original), &changed)
        }
        report(changed)
    }

    private func filter(_ image: ScaledImage, _ run: Run, _ changed: inout Set<Photo.ID>) {
        let operation = lookOperation(run) { image }
        if !state.isVisible(run.photo) { operation.queuePriority = Self.prefetchPriority }
        let queue = pipeline.pending.filtrationQueue
        perform(run, &changed, Work(cancel: { operation.cancel() }, look: operation)) { whenFinished in
            operation.completionBlock = { whenFinished(0, false) }
            queue.addOperation(operation)
        }
    }

    private func lookOperation(_ run: Run, on image: @escaping @Sendable () -> ScaledImage?) -> LookOperation {
        let operation = LookOperation(looks[run.photo].picture, on: image) { [inbox] state, image in
            inbox?.push(Report(event: .updated(run, state, image)))
        }
        operation.name = [operation.name, self[run.photo].name].compactMap(\.self).joined(separator: " ")
        return operation
    }

    /// Starts a run; by the strategy that blocks, also waits for its end.
    private func perform(
        _ run: Run, _ changed: inout Set<Photo.ID>, _ work: Work,
        start: (_ whenFinished: @escaping @Sendable (_ received: Int, _ isPrefetch: Bool) -> Void) -> Void
    ) {
        self.work[run] = work
        traffic?.line(of: self.work.count)
        // A queue that somebody has suspended would be waited for in vain.
        let pending = pipeline.pending
        let queues = [pending.downloadQueue, pending.decodeQueue, pending.filtrationQueue]
        let mayWait = blockingDeadline.map { .now < $0 } ?? true
        guard strategy == .blocking, mayWait, !queues.contains(where: \.isSuspended) else {
            return start { [inbox] received, isPrefetch in
                inbox?.push(Report(event: .ended(run), received: received, isPrefetch: isPrefetch))
            }
        }
        let end = DispatchSemaphore(value: 0)
        start { [inbox] received, isPrefetch in
            inbox?.push(Report(event: .ended(run), received: received, isPrefetch: isPrefetch))
            end.signal()
        }
        end.wait()
        for report in inbox?.takeAll() ?? [] { take(report, &changed) }
    }
}
