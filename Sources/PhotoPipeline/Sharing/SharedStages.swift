import ImageCodecs
import Operations
import Pixels
import Transfers

/// All stages that are on their way, each once: one transfer for an address, one decoding for a size, one run for each
/// beginning of a filter.
///
/// A photo joins all stages of its way at once, and leaves them at once; a stage that the last one has left is
/// cancelled. The stages' own table of the engine, `SharedTasks`, shares one task; that a photo finds the deepest stage that
/// is there, with nothing slipping away in between, takes one lock over the three of them.
final class SharedStages: Sendable {
    struct Tables {
        var fetches: [FetchKey: SharedStage] = [:]
        var decodes: [DecodeKey: SharedStage] = [:]
        var filters: [FilterKey: SharedStage] = [:]
        var animations: [DecodeKey: SharedStage] = [:]
    }

    /// What joining came to.
    struct Joined {
        /// The photo's last stage and its operation; nil if the picture was at hand.
        var last: SharedStage?
        var lastOperation: Operation?
        /// The transfer that the photo waits for, if there still is one.
        var download: CachedDownloadOperation?
        /// What the operations that are made for it are called, behind their stage's name.
        var label: String?
        /// Stages that were made and are yet to be put into their queues.
        var new: [SharedStage] = []

        /// With what is known of the last stage.
        func complete() -> Joined {
            var joined = self
            last?.memory?.retain()
            joined.download = last?.way.last?.download
            joined.lastOperation = last?.operations.last?.operation
            return joined
        }
    }

    let cache: ImageCache
    let tables = Lock(Tables())
    private let pending: PendingOperations
    private let configuration: PhotoPipeline.Configuration
    private let client: TransferClient
    private let gate: MemoryGate
    private let decoding: PictureDecoding

    init(
        cache: ImageCache, pending: PendingOperations, configuration: PhotoPipeline.Configuration,
        client: TransferClient, gate: MemoryGate, decoding: @escaping PictureDecoding
    ) {
        self.cache = cache
        self.pending = pending
        self.configuration = configuration
        self.client = client
        self.gate = gate
        self.decoding = decoding
    }

    /// How many stages are there.
    var count: Int {
        tables.withLock { $0.fetches.count + $0.decodes.count + $0.filters.count + $0.animations.count }
    }

    // MARK: Joining

    /// Finds the stages for a photo, and makes those that are not there.
    func join(
        _ request: ImageRequest, as id: ObjectIdentifier, labelled label: String?, _ reporter: PhotoReporter
    ) -> Joined {
        let fetch = FetchKey(source: SourceKey(request), policy: request.cachePolicy)
        let decode = DecodeKey(fetch: fetch, longestSide: request.longestSide)
        return tables.withLock { tables in
            reporter.post(.requested)
            var joined = Joined(label: label)
            let key = FilterKey(decode: decode, filter: request.filter)
            if let stage = tables.filters[key], stage.canBeJoined {
                joined.last = stage
            } else if let entry = cached(decode, request.filter) {
                reporter.post(.downloadFinished, cached(decode, .none))
                reporter.post(.filteringStarted)
                reporter.post(.filteringFinished, entry)
                return joined
            } else {
                build(decode, request, &joined, &tables)
            }
            for stage in (joined.last?.way ?? []).reversed() {
                add(id, to: stage, isLast: stage === joined.last, request.priority, reporter)
                for event in stage.history {
                    switch event {
                    case .downloadFinished: reporter.post(event, cached(decode, .none))
                    case .filteringFinished where stage === joined.last: reporter.post(event, stage.filtered)
                    case .filteringFinished: break
                    default: reporter.post(event)
                    }
                }
            }
            return joined.complete()
        }
    }

    /// Finds the stage for an animation, or makes it.
    func joinAnimation(_ request: ImageRequest, as id: ObjectIdentifier, _ reporter: PhotoReporter) -> Joined {
        let fetch = FetchKey(source: SourceKey(request), policy: request.cachePolicy)
        let key = DecodeKey(fetch: fetch, longestSide: request.longestSide)
        return tables.withLock { tables in
            var joined = Joined()
            if let stage = tables.animations[key], stage.canBeJoined {
                joined.last = stage
            } else {
                joined.last = animationStage(key, request, &joined, &tables)
            }
            for stage in joined.last?.way ?? [] {
                add(id, to: stage, isLast: stage === joined.last, request.priority, reporter)
            }
            return joined.complete()
        }
    }

    private func add(
        _ id: ObjectIdentifier, to stage: SharedStage, isLast: Bool, _ priority: Operation.QueuePriority,
        _ reporter: PhotoReporter
    ) {
        stage.members[id] = SharedStage.Member(reporter: reporter, isLast: isLast, priority: priority)
        stage.payer = stage.payer ?? id
        stage.prioritise()
    }

    /// Puts what was made into the queues.
    func start(_ new: [SharedStage]) {
        for stage in new {
            for (operation, queue) in stage.operations { queue.addOperation(operation) }
        }
    }

    /// The picture of a request, if it is in memory.
    func cached(_ request: ImageRequest) -> ScaledPicture? {
        let fetch = FetchKey(source: SourceKey(request), policy: request.cachePolicy)
        return cached(DecodeKey(fetch: fetch, longestSide: request.longestSide), request.filter)
    }

    private func cached(_ key: DecodeKey, _ filter: FilterChain) -> ScaledPicture? {
        guard key.fetch.policy == .standard || key.fetch.policy == .onlyIfCached else { return nil }
        return cache.entry(for: PictureKey(source: key.fetch.source, longestSide: key.longestSide, filter: filter))
    }

    private func store(_ entry: ScaledPicture, _ key: DecodeKey, _ filter: FilterChain) {
        guard key.fetch.policy != .ignored else { return }
        cache.insert(entry, for: PictureKey(source: key.fetch.source, longestSide: key.longestSide, filter: filter))
    }

    // MARK: Making

    /// Makes what is missing behind the deepest stage or picture that is there.
    private func build(
        _ key: DecodeKey, _ request: ImageRequest, _ joined: inout Joined, _ tables: inout Tables
    ) {
        let prefixes = request.filter.prefixes
        var stage: SharedStage?
        var entry: ScaledPicture?
        var done = FilterChain.none
        for prefix in prefixes.dropLast().reversed() {
            entry = cached(key, prefix)
            stage = tables.filters[FilterKey(decode: key, filter: prefix)].flatMap { $0.canBeContinued ? $0 : nil }
            if entry != nil || stage != nil {
                done = prefix
                break
            }
        }
        if entry == nil && stage == nil { entry = cached(key, .none) }
        var last = entry == nil ? stage ?? decodeStage(key, request, &joined, &tables) : nil
        for prefix in prefixes where prefix.functions.count > done.functions.count || prefix == prefixes.last {
            last = filterStage(key, prefix, prefix.rest(after: done), after: last, entry, &joined, &tables)
            entry = nil
            done = prefix
        }
        joined.last = last
    }

    private func fetchStage(
        _ key: FetchKey, _ request: ImageRequest, _ joined: inout Joined, _ tables: inout Tables
    ) -> SharedStage {
        if let stage = tables.fetches[key], stage.canBeContinued { return stage }
        let memory = PhotoMemory(gate: gate)
        let stage = SharedStage(.fetch(key), after: nil, memory: memory)
        var wanted = DownloadRequest(address: request.address)
        wanted.limits = configuration.transferLimits
        wanted.allowsLocalFiles = request.allowsLocalFiles
        wanted.addressGuard = request.addressGuard
        wanted.retry = .transfers(retries: configuration.transferRetries)
        wanted.flow = memory
        let download = CachedDownloadOperation(
            wanted, client: client, cache: configuration.diskCache, policy: key.policy)
        download.name = "Download"
        download.whenStarted = { [weak self, weak stage] in
            if let stage { self?.report(.downloadStarted, nil, from: stage) }
        }
        memory.onResume { [weak download] in download?.resumeTransfer() }
        tables.fetches[key] = stage
        add([(download, pending.downloadQueue)], to: stage, &joined)
        return stage
    }

    private func decodeStage(
        _ key: DecodeKey, _ request: ImageRequest, _ joined: inout Joined, _ tables: inout Tables
    ) -> SharedStage {
        if let stage = tables.decodes[key], stage.canBeContinued { return stage }
        let fetch = fetchStage(key.fetch, request, &joined, &tables)
        guard let download = fetch.operations.last?.operation as? CachedDownloadOperation, let memory = fetch.memory
        else { return fetch }
        let stage = SharedStage(.decode(key), after: fetch, memory: memory)
        let part = memory.makePart()
        stage.part = part
        fetch.consumers += 1
        let watch = ArrivalWatch(
            longestSide: key.longestSide, limits: configuration.decodeLimits, memory: memory,
            queue: pending.previewQueue, observe: { [weak download] in download?.observe($0) })
        stage.watch = watch
        let reservation = ReservationOperation(memory: memory, part: part) {
            [limits = configuration.decodeLimits] in
            watch.end()
            // What is no picture needs no memory; the decoding says what is wrong with it.
            guard case .success(let response) = download.result else { return nil }
            return ImageDecoder.mostBytes(of: response.body, longestSide: key.longestSide, limits: limits)
        }
        let decode = DecodeOperation(
            longestSide: key.longestSide, decode: decoding, memory: memory, part: part,
            takeBody: { [weak self, weak stage] in
                guard let self, let stage else { return nil }
                return take(for: stage) { $0 ? download.takeResult() : download.result }
            },
            countAttempts: { download.failedAttempts.count },
            releaseBody: { [weak self, weak stage] in
                guard let stage else { return }
                self?.finishUsing(for: stage)
            },
            report: { [weak self, weak stage] event, entry in
                guard let self, let stage else { return }
                if let entry { store(entry, key, .none) }
                report(event, entry, from: stage)
            })
        reservation.addDependency(download)
        decode.addDependency(reservation)
        tables.decodes[key] = stage
        let operations: [(Operation, OperationQueue)] = [
            (reservation, pending.memoryQueue), (decode, pending.decodeQueue),
        ]
        add(operations, to: stage, &joined)
        return stage
    }

    private func animationStage(
        _ key: DecodeKey, _ request: ImageRequest, _ joined: inout Joined, _ tables: inout Tables
    ) -> SharedStage {
        let fetch = fetchStage(key.fetch, request, &joined, &tables)
        let stage = SharedStage(.animation(key), after: fetch, memory: fetch.memory)
        fetch.consumers += 1
        let download = fetch.download
        let opening = AnimationOperation(
            longestSide: key.longestSide, limits: configuration.decodeLimits, decode: decoding,
            takeBody: { [weak self, weak stage] in
                guard let self, let stage else { return nil }
                return take(for: stage) { $0 ? download?.takeResult() : download?.result }
            },
            countAttempts: { download?.failedAttempts.count ?? 0 },
            releaseBody: { [weak self, weak stage] in
                guard let stage else { return }
                self?.finishUsing(for: stage)
            })
        if let download { opening.addDependency(download) }
        tables.animations[key] = stage
        add([(opening, pending.decodeQueue)], to: stage, &joined)
        return stage
    }

    private func filterStage(
        _ key: DecodeKey, _ prefix: FilterChain, _ filter: FilterChain, after upstream: SharedStage?,
        _ entry: ScaledPicture?, _ joined: inout Joined, _ tables: inout Tables
    ) -> SharedStage {
        let own = FilterKey(decode: key, filter: prefix)
        let stage = SharedStage(.filter(own), after: upstream, memory: upstream?.memory)
        upstream?.consumers += 1
        let before = upstream?.operations.last?.operation
        // Nobody else tells it to those who join later.
        if upstream == nil { stage.history = [.downloadFinished] }
        let filtration = FiltrationOperation(
            filter: filter,
            takePicture: { [weak self, weak stage] in
                if let entry { return .success(entry) }
                guard let self, let stage else { return nil }
                return take(for: stage) { isLast in
                    switch before {
                    case let decode as DecodeOperation: decode.result(taking: isLast)
                    case let filtration as FiltrationOperation: filtration.result(taking: isLast)
                    default: nil
                    }
                }
            },
            idleProcessors: { [pending, width = configuration.filtrationWidth] in width - pending.count },
            report: { [weak self, weak stage] event, entry in
                guard let self, let stage else { return }
                if let entry, !prefix.functions.isEmpty { store(entry, key, prefix) }
                report(event, entry, from: stage)
            })
        if let before { filtration.addDependency(before) }
        tables.filters[own] = stage
        add([(filtration, pending.filtrationQueue)], to: stage, &joined)
        return stage
    }
}
