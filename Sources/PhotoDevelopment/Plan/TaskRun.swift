import Catalogs
import Operations
public import PhotoPipeline

/// Does one task of a plan: a shard after the other, each published whole or not at all. The next one is begun early where one only waits
/// for hosts that rest.
///
/// It may be ended at any moment, and the same task may run twice at the same time, here or elsewhere: each shard is committed once, by a
/// marker that only one worker can create. What is done is not done again.
public final class TaskRun: Sendable {
    /// How it ended.
    public enum End: Sendable {
        /// All shards are committed, whatever rows failed.
        case finished
        /// It was cancelled.
        case cancelled
        /// The output could not be written.
        case outputFailed(PhotoError)
    }

    /// What has been done so far.
    public struct Progress: Sendable {
        /// The shards of the task.
        public let shards: Int
        /// Those that this run has committed.
        public fileprivate(set) var committed = 0
        /// Those that others had committed, or did so first.
        public fileprivate(set) var passed = 0
        /// Rows that this run has written, in the shards that it has committed.
        public fileprivate(set) var written = 0
        /// Rows that failed in those.
        public fileprivate(set) var failed = 0

        fileprivate init(shards: Int) {
            self.shards = shards
        }
    }

    private struct State {
        var progress: Progress
        /// No shard is begun any more, and those that are open are given up.
        var isStopped = false
        /// Somebody has asked for that.
        var isCancelled = false
        /// By shard.
        var open: [Int: Development] = [:]
    }

    /// What is told of a shard that is open.
    private enum Event {
        case waits(shard: Int)
        case ended(shard: Int, DevelopmentSummary)
    }

    /// How often a worker looks whether somebody else has committed its shard.
    private let markerInterval: Duration
    private let source: any PlanPlace
    private let task: Int
    private let shards: [RunPlan.Shard]
    private let output: PlanOutput
    private let options: DevelopmentOptions
    private let pipeline: PhotoPipeline
    private let state: Lock<State>

    /// Prepares a task.
    ///
    /// - Parameters:
    ///   - task: The number of the task, from 0.
    ///   - folder: The plan's folder.
    ///   - options: How photos are developed, as the plan says; its output is the folder that all tasks share.
    ///   - markerInterval: How often a worker looks whether somebody else has committed its shard. Default: 30 s.
    /// - Throws: That there is no such task or plan, that the options make other pictures than the plan's, that the output belongs to
    ///   another plan, or cannot be written to.
    public init(
        _ task: Int, ofPlanIn folder: String, options: DevelopmentOptions, markerInterval: Duration = .seconds(30)
    ) throws(DevelopmentError) {
        source = try PlanPlaces.open(folder)
        let plan = try RunPlan(in: source)
        try plan.check(task: task)
        try plan.check(options, of: folder)
        output = try PlanOutput(preparing: try PlanPlaces.open(options.output), for: plan, in: source)
        shards = plan.shardsByTask[task]
        (self.task, self.options) = (task, options)
        self.markerInterval = markerInterval
        pipeline = PhotoPipeline(configuration: options.pipelineConfiguration)
        state = Lock(State(progress: Progress(shards: shards.count)))
    }

    /// How far it has come.
    public var progress: Progress { state.withLock { $0.progress } }

    /// Gives up the shards at hand and begins no other one. What an object store is still asked has five seconds more.
    public func cancel() {
        state.withLock { $0.isCancelled = true }
        for place in [source, output.place] { place.endSoon() }
        stop()
    }

    private func stop() {
        let open = state.withLock { state in
            state.isStopped = true
            return state.open
        }
        for development in open.values { development.cancel() }
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Does all shards that are not committed. Only once.
    ///
    /// One shard is at work at a time. The next one is begun when all that is left of it waits for another try, or for hosts that rest. Where
    /// a shard cannot be written, those that are open beside it are given up; where one cannot be begun they come to their end first.
    ///
    /// - Throws: `planUnusable` where the task's rows are damaged; `shardsDamaged` where a marker is; `planDiffers` where the output has
    ///   become another plan's; `placeUnreadable`, `storeRefused` or `storeUnavailable`.
    public func run() async throws(DevelopmentError) -> End {
        defer { for place in [source, output.place] { place.removeStaging() } }
        do throws(DevelopmentError) { return try await doShards() } catch {
            // What was given up says nothing about the store.
            if case .storeUnavailable = error, state.withLock({ $0.isCancelled }) { return .cancelled }
            throw error
        }
    }

    private func doShards() async throws(DevelopmentError) -> End {
        let rows = try TaskRows(task: task, of: output.plan, in: source)
        let watch = watchMarkers()
        defer { watch.cancel() }
        let (events, told) = AsyncStream.makeStream(of: Event.self)
        var iterator = events.makeAsyncIterator()
        var open = OpenShards()
        var next = shards[...]
        var outcome = TaskOutcome()
        while true {
            while let planned = next.first, open.mayBegin(planned), !outcome.isKnown, !isStopped {
                next.removeFirst()
                do throws(DevelopmentError) {
                    if try isDone(planned.number) {
                        try rows.skip(planned.rows)
                        state.withLock { $0.progress.passed += 1 }
                        continue
                    }
                    switch try begin(planned, rows, told) {
                    case .success(let attempt): open.add(attempt)
                    case .failure(let error): outcome.note(.success(.outputFailed(error)))
                    }
                } catch {
                    outcome.note(.failure(error))
                }
            }
            guard !open.isEmpty, let event = await iterator.next() else { break }
            switch event {
            case .waits(let shard): open.waits(shard)
            case .ended(let shard, let summary):
                if let attempt = open.remove(shard) { end(attempt, summary, &outcome) }
                // Who was begun last of those that are left may wait, or be at work again.
                if let last = open.last { tell(told, when: last) }
            }
        }
        if let end = try outcome.end { return end }
        if !next.isEmpty { return .cancelled }
        // The name of a marker that others made, or an earlier run, may not be safe yet.
        if progress.passed > 0 { try placing { () throws(PlaceError) in try output.place.sync(PlanOutput.done) } }
        return .finished
    }

    /// Begins with a shard, of which events are told.
    private func begin(
        _ planned: RunPlan.Shard, _ rows: TaskRows, _ told: AsyncStream<Event>.Continuation
    ) throws(DevelopmentError) -> Result<ShardAttempt, PhotoError> {
        let (catalog, parts) = try rows.next(planned.rows)
        let work = try placing { () throws(PlaceError) in try output.place.workFolder(for: PlanOutput.data) }
        let begun = try ShardAttempt.begin(planned.number, catalog, parts, in: work, of: output, pipeline, options)
        guard case .success(let attempt) = begun else { return begun }
        let isStopped = state.withLock { state in
            state.open[planned.number] = attempt.development
            return state.isStopped
        }
        if isStopped { attempt.development.cancel() }
        Task { [development = attempt.development] in
            told.yield(.ended(shard: planned.number, await development.run()))
        }
        tell(told, when: attempt)
        return begun
    }

    private func tell(_ told: AsyncStream<Event>.Continuation, when attempt: ShardAttempt) {
        attempt.development.tellWhenOnlyWaiting { [number = attempt.number] in told.yield(.waits(shard: number)) }
    }

    /// A shard's photos have come to their ends: it is committed, if that was not done by somebody else.
    private func end(_ attempt: ShardAttempt, _ summary: DevelopmentSummary, _ outcome: inout TaskOutcome) {
        state.withLock { $0.open[attempt.number] = nil }
        do throws(DevelopmentError) {
            guard let end = try commit(attempt, summary) else {
                return state.withLock { state in
                    state.progress.committed += 1
                    state.progress.written += summary.progress.filtered
                    state.progress.failed += summary.progress.failed
                }
            }
            // Whoever was first may have cleared up what this one had.
            if !isStopped, try isDone(attempt.number) {
                return state.withLock { $0.progress.passed += 1 }
            }
            outcome.note(.success(end))
        } catch {
            outcome.note(.failure(error))
        }
        // What kept this one from being written is in the way of the others, too.
        stop()
    }

    /// Looks now and then whether somebody else has committed a shard that is open.
    private func watchMarkers() -> Task<Void, Never> {
        Task { [state, output, markerInterval] in
            while !Task.isCancelled {
                try? await Task.sleep(for: markerInterval)
                for (shard, development) in state.withLock({ $0.open }) where !Task.isCancelled {
                    // A place that cannot be asked for a moment is asked again later.
                    if (try? output.readMarker(ofShard: shard)) ?? nil != nil { development.cancel() }
                }
            }
        }
    }

    /// Whether a shard is committed.
    ///
    /// - Throws: `shardsDamaged` where its marker is damaged, or of another plan: then nobody's work counts.
    private func isDone(_ shard: Int) throws(DevelopmentError) -> Bool {
        do throws(PlaceError) { return try output.readMarker(ofShard: shard) != nil } catch {
            if error.isDamage { throw .shardsDamaged(output: output.path, shards: [shard]) }
            throw error.error(at: output.path)
        }
    }

    private func placing<Result>(_ body: () throws(PlaceError) -> Result) throws(DevelopmentError) -> Result {
        do throws(PlaceError) { return try body() } catch { throw error.error(at: output.path) }
    }

    /// Commits a shard whose photos have come to their ends.
    ///
    /// - Returns: Nil where that is done; why it is not.
    private func commit(_ attempt: ShardAttempt, _ summary: DevelopmentSummary) throws(DevelopmentError) -> End? {
        let (work, names, store) = (attempt.work, attempt.names, attempt.store)
        // Once a marker may name them, only the marker says whose they are.
        var (isKept, mayBeNamed) = (false, false)
        defer {
            if !mayBeNamed { attempt.discard() }
            if isKept, !mayBeNamed { output.remove(attempt.number, attempt.name) }
        }
        switch summary.stop {
        case .outputFailed(let error): return .outputFailed(error)
        case .cancelled: return .cancelled
        case nil: break
        }
        let marker: ShardMarker
        do throws(PhotoError) {
            marker = try attempt.finish(summary, plan: output.digest, task: task)
        } catch {
            return .outputFailed(error)
        }
        func failed(_ error: PlaceError) throws(DevelopmentError) -> End {
            if isStopped { return .cancelled }
            switch error {
            case .file(let error), .notCreated(let error): return .outputFailed(store.folder.writeFailed(error))
            case .temporary, .store: throw error.error(at: output.path)
            }
        }
        do throws(PlaceError) {
            isKept = true
            try output.place.keep(
                [(names.index, marker.index), (names.table, marker.table), (names.tar, marker.tar)], of: work,
                in: PlanOutput.data
            ) { [self] in self.isStopped }
        } catch {
            return try failed(error)
        }
        try output.checkIsStillThere()
        do throws(PlaceError) {
            mayBeNamed = true
            if try !output.commit(marker) {
                mayBeNamed = false
                return .cancelled
            }
        } catch {
            if case .notCreated = error { mayBeNamed = false }
            return try failed(error)
        }
        return nil
    }
}
