import FoundationEssentials
import Operations
public import PhotoPipeline

/// The behaviour of a list of photos, without a view.
///
/// The view tells it which photos are on screen and whether the user is scrolling; it works for those photos only, and
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
/// list.visibleRowsChanged([Photo.ID(0), Photo.ID(1)])
/// ```
@MainActor public final class PhotoList {
    /// The photos' names and addresses.
    public let catalog: Catalog
    /// What works for the list; it may be shared with others.
    public let pipeline: PhotoPipeline
    /// The longest side of the pictures in pixels; nil for the size that they were published in.
    public let longestSide: Int?
    /// Called with the photos whose rows look different, on the main actor.
    ///
    /// At most once a frame for what the stages report, and at once for what the user does. Default: nobody is told.
    public var onChange: ((Set<Photo.ID>) -> Void)?

    private typealias State = PhotoListState<PixelBuffer>
    private var state: State
    private var inbox: UpdateInbox<State.Event>?
    /// How each run is cancelled, until it has ended.
    private var cancellations: [Run: @Sendable () -> Void] = [:]

    /// A list that shows a catalog.
    ///
    /// - Parameters:
    ///   - catalog: The photos' names and addresses.
    ///   - pipeline: What downloads, decodes and filters them.
    ///   - longestSide: The longest side of the pictures in pixels, at least 1; nil for the size that they were
    ///     published in. Default: 256.
    ///   - filter: What is done to the pictures. Default: the classic sepia tone.
    ///   - cacheLimit: How many bytes of pictures are kept, published and filtered ones together. What is on screen is
    ///     kept beyond it. Default: 96 MB.
    ///   - frameInterval: The shortest time between two reports to the view. Default: 16 milliseconds.
    public init(
        catalog: Catalog, pipeline: PhotoPipeline, longestSide: Int? = 256, filter: FilterChain = .classic,
        cacheLimit: Int = 96_000_000, frameInterval: Duration = .milliseconds(16)
    ) {
        self.catalog = catalog
        self.pipeline = pipeline
        self.longestSide = longestSide.map { max(1, $0) }
        self.filter = filter
        isPaused = pipeline.pending.isSuspended
        state = State(cacheLimit: cacheLimit)
        inbox = UpdateInbox(interval: frameInterval, budget: .milliseconds(4)) { [weak self] in self?.takeReports() }
        tell(.paused(isPaused))
    }

    deinit {
        for cancel in cancellations.values { cancel() }
    }

    // MARK: What the view tells

    /// Tells which photos are on screen, in the order of their rows.
    ///
    /// Photos that are on screen and not pending are started, nearest to the middle first; the runs of those that left
    /// are cancelled.
    ///
    /// - Precondition: all of them are photos of the catalog.
    public func visibleRowsChanged(_ photos: [Photo.ID]) {
        tell(.visible(photos))
        // Nothing is started now, and what is in memory shows all the same.
        if isScrolling || isPaused { recall(photos) }
    }

    /// Whether the user is scrolling.
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

    /// What is done to the pictures.
    ///
    /// After a change, photos whose published picture is there are only filtered again.
    public var filter: FilterChain {
        didSet { if filter != oldValue { tell(.filterChanged) } }
    }

    /// Tries a failed photo again; nothing happens where it has not failed.
    public func retry(_ photo: Photo.ID) {
        tell(.retry(photo))
    }

    /// Tries all failed photos again, those on screen at once and the others when they come on screen.
    public func retryAllFailed() {
        tell(.retryAllFailed)
    }

    /// Cancels everything for good, because nobody looks at the list any more.
    public func close() {
        tell(.closed)
    }

    // MARK: What the view shows

    /// How many rows there are.
    public var count: Int { catalog.count }

    /// The photo in a row, counted from 0.
    public func photo(atRow row: Int) -> Photo.ID { Photo.ID(row) }

    /// How many photos have failed and wait for a retry.
    public var failedCount: Int { state.failed.count }

    /// How many photos are on their way, for this list.
    public var pendingCount: Int { cancellations.count }

    /// The bytes of all pictures that the list keeps.
    public var pictureBytes: Int { state.pictureBytes }

    /// What a photo's row shows at present.
    public subscript(photo: Photo.ID) -> Row {
        let record = state.records[photo]
        return Row(
            id: photo, name: catalog[photo.index].name, state: record?.state ?? .new, picture: record?.shown)
    }

    // MARK: Carrying out

    private func takeReports() {
        var changed: Set<Photo.ID> = []
        inbox?.drain { take($0, &changed) }
        report(changed)
    }

    private func tell(_ event: State.Event) {
        var changed: Set<Photo.ID> = []
        take(event, &changed)
        report(changed)
    }

    private func report(_ changed: Set<Photo.ID>) {
        if !changed.isEmpty { onChange?(changed) }
    }

    private func take(_ event: State.Event, _ changed: inout Set<Photo.ID>) {
        if case .ended(let run) = event { cancellations[run] = nil }
        for action in state.handle(event) {
            switch action {
            case .load(let run): load(run, &changed)
            case .filter(let run, let picture): refilter(picture, run)
            case .cancel(let run): cancellations[run]?()
            case .changed(let photo): changed.insert(photo)
            }
        }
    }

    private func load(_ run: Run, _ changed: inout Set<Photo.ID>) {
        switch catalog[run.photo.index].content {
        case .failure(let error):
            take(.updated(run, .failed(PhotoError(error)), nil), &changed)
            take(.ended(run), &changed)
        case .success(let address):
            let request = request(address)
            // At once, and not with the next frame: a row whose picture is there shows no placeholder.
            if let picture = pipeline.cachedImage(for: request) {
                take(.updated(run, .filtered, picture), &changed)
                return take(.ended(run), &changed)
            }
            let task = pipeline.task(for: request, of: run.photo) { [inbox] update in
                inbox?.push(.updated(run, update.state, update.picture))
            }
            cancellations[run] = { task.cancel() }
            task.start { [inbox] in inbox?.push(.ended(run)) }
        }
    }

    private func request(_ address: URL) -> ImageRequest {
        ImageRequest(
            address: address, longestSide: longestSide, filter: filter, allowsLocalFiles: !catalog.origin.isRemote,
            addressGuard: catalog.addressGuard)
    }

    /// Shows pictures that are in memory.
    private func recall(_ photos: [Photo.ID]) {
        var changed: Set<Photo.ID> = []
        for photo in photos where state.lacksPicture(photo) {
            if case .success(let address) = catalog[photo.index].content,
                let picture = pipeline.cachedImage(for: request(address))
            {
                take(.recalled(photo, picture), &changed)
            }
        }
        report(changed)
    }

    private func refilter(_ picture: PixelBuffer, _ run: Run) {
        let operation = RefiltrationOperation(of: picture, with: filter) { [inbox] state, picture in
            inbox?.push(.updated(run, state, picture))
        }
        operation.completionBlock = { [inbox] in inbox?.push(.ended(run)) }
        cancellations[run] = { operation.cancel() }
        pipeline.pending.filtrationQueue.addOperation(operation)
    }
}
