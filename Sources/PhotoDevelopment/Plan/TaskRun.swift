import Catalogs
import FoundationEssentials
import Glibc
import Operations
public import PhotoPipeline
import Transfers

/// Does one task of a plan: a shard after the other, each published whole or not at all.
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
        var isCancelled = false
        var development: Development?
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

    /// Gives up the shard at hand and begins no other one.
    public func cancel() {
        let development = state.withLock { state in
            state.isCancelled = true
            return state.development
        }
        development?.cancel()
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Does all shards that are not committed. Only once.
    ///
    /// - Throws: `planUnusable` where the task's rows are damaged; `shardsDamaged` where a marker is; `planDiffers` where the output has
    ///   become another plan's; `placeUnreadable`, `storeRefused` or `storeUnavailable`.
    public func run() async throws(DevelopmentError) -> End {
        let rows = try TaskRows(task: task, of: output.plan, in: source)
        for planned in shards {
            let shard = planned.number
            if isCancelled { return .cancelled }
            if try isDone(shard) {
                try rows.skip(planned.rows)
                state.withLock { $0.progress.passed += 1 }
                continue
            }
            let (catalog, parts) = try rows.next(planned.rows)
            let attempt = String(UInt64.random(in: 0...UInt64.max), radix: 36)
            let end = try await develop(shard, catalog, parts, attempt)
            if let end {
                // Whoever was first may have cleared up what this one had.
                guard !isCancelled, try isDone(shard) else { return end }
                state.withLock { $0.progress.passed += 1 }
            }
        }
        // The name of a marker that others made, or an earlier run, may not be safe yet.
        if progress.passed > 0 { try placing { () throws(PlaceError) in try output.place.sync(PlanOutput.done) } }
        return .finished
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

    /// Develops the rows of a shard and commits it.
    ///
    /// - Returns: Nil where that is done; why it is not.
    private func develop(
        _ shard: Int, _ catalog: Catalog, _ parts: [TaskLine.Parts], _ attempt: String
    ) async throws(DevelopmentError) -> End? {
        let names = (
            tar: output.tarName(ofShard: shard, attempt), index: output.indexName(ofShard: shard, attempt),
            table: output.tableName(ofShard: shard, attempt)
        )
        let work = try placing { () throws(PlaceError) in try output.place.workFolder(for: PlanOutput.data) }
        func path(_ name: String) -> String { work.path + "/" + name }
        let planned = PlannedShard(
            number: shard, file: names.tar, rows: parts.map(\.number))
        var store = ShardStore(
            folder: OutputFolder(unprepared: work.path), names: output.plan.names, variants: options.variantNames)
        (store.planned, store.hasEXIF) = (planned, options.exif != nil)
        store.entry = { parts.indices.contains($0) ? parts[$0].entry : nil }
        let journal: Journal
        do throws(SQLiteError) {
            // In memory: what is not committed is done again, and databases do not live on shared file systems.
            journal = try Journal(
                creating: ":memory:", digest: CatalogDigest(text: ""), count: catalog.count, recipe: Recipe([]))
        } catch {
            throw .journalUnusable(path: ":memory:", reason: error.sentence)
        }
        // Once a marker may name them, only the marker says whose they are.
        var (isKept, mayBeNamed) = (false, false)
        defer {
            work.discard(mayBeNamed ? [] : [names.tar, names.index, names.table])
            if isKept, !mayBeNamed { output.remove(shard, attempt) }
        }
        do throws(FileError) {
            // Also where none of the rows has a picture.
            _ = try TarFile(path: path(names.tar), at: 0).appending()
        } catch {
            return .outputFailed(store.folder.writeFailed(error))
        }
        var rows = CatalogRows(of: catalog, options: options)
        for (place, part) in parts.enumerated() where part.flaw != nil { rows.flaws[place] = part.flaw }
        let development = try Development(
            Development.Parts(
                rows: rows, store: AttemptStore(shard: store), origin: catalog),
            journal: journal, pipeline: pipeline, options: options)
        let isCancelled = state.withLock { state in
            state.development = development
            return state.isCancelled
        }
        if isCancelled { development.cancel() }
        let watch = Task { [output, markerInterval] in
            while !Task.isCancelled {
                try? await Task.sleep(for: markerInterval)
                // A place that cannot be asked for a moment is asked again later.
                if !Task.isCancelled, (try? output.readMarker(ofShard: shard)) ?? nil != nil {
                    return development.cancel()
                }
            }
        }
        let summary = await development.run()
        watch.cancel()
        state.withLock { $0.development = nil }
        switch summary.stop {
        case .outputFailed(let error): return .outputFailed(error)
        case .cancelled: return .cancelled
        case nil: break
        }
        do throws(DevelopmentError) {
            var table = ShardTable(of: store)
            try ShardIndex(store: store, path: path(names.index)).write(journal) { table.add($0, $1) }
            do throws(FileError) { try table.write(to: path(names.table)) } catch {
                return .outputFailed(store.folder.writeFailed(error))
            }
        } catch {
            return .outputFailed(PhotoError(.writeFailed, "\(error)."))
        }
        let progress = summary.progress
        let marker: ShardMarker
        do throws(FileError) {
            marker = ShardMarker(
                plan: output.digest, shard: shard, task: task, attempt: attempt, rows: catalog.count,
                written: progress.filtered,
                failures: Dictionary(uniqueKeysWithValues: summary.failures.map { ($0.key.rawValue, $0.value) }),
                bytes: progress.bytes, tar: try ShardMarker.File(at: path(names.tar)),
                index: try ShardMarker.File(at: path(names.index)), table: try ShardMarker.File(at: path(names.table)))
        } catch {
            return .outputFailed(store.folder.writeFailed(error))
        }
        func failed(_ error: PlaceError) throws(DevelopmentError) -> End {
            if isCancelled { return .cancelled }
            switch error {
            case .file(let error), .notCreated(let error): return .outputFailed(store.folder.writeFailed(error))
            case .store: throw error.error(at: output.path)
            }
        }
        do throws(PlaceError) {
            isKept = true
            try output.place.keep(
                [(names.index, marker.index), (names.table, marker.table), (names.tar, marker.tar)], of: work,
                in: PlanOutput.data
            ) { [self] in self.isCancelled }
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
        state.withLock { state in
            state.progress.committed += 1
            state.progress.written += progress.filtered
            state.progress.failed += progress.failed
        }
        return nil
    }
}
