import FoundationEssentials
import PhotoPipeline
import Transfers

/// The folder that the tasks of a plan write to, or the place in an object store, which many machines share.
///
/// `plan.json` says whose it is, `data` holds what workers write, and `done` the markers of shards that are committed. Nothing in it is
/// ever changed: a file is made once, and what lost is removed by who made it. What a further plan brings lies in a folder of the same
/// kind inside, see ``PlanGenerations``.
struct PlanOutput: Sendable {
    let place: any PlanPlace
    let plan: RunPlan
    let digest: String
    private let names: ShardNames

    /// The folder of a plan that has begun.
    init(_ place: any PlanPlace) throws(DevelopmentError) {
        self.init(place, plan: try RunPlan(in: place))
    }

    private init(_ place: any PlanPlace, plan: RunPlan) {
        (self.place, self.plan) = (place, plan)
        digest = plan.digest
        names = plan.names
    }

    /// Makes the folder a plan's, or goes on with it. Of a further plan it is a folder inside.
    ///
    /// - Parameters:
    ///   - output: The folder that was asked for.
    ///   - plan: The plan.
    ///   - source: Where the plan is, which is remembered for repairs.
    /// - Throws: `planDiffers` or `parentDiffers` where it is another one's; `outputOfRun` where a run has written to it; that it cannot be written to, or gives one name to two files.
    init(
        preparing output: any PlanPlace, for plan: RunPlan, in source: any PlanPlace
    ) throws(DevelopmentError) {
        try Self.check(plan, goesOnIn: output)
        // What is merged there would replace the run's index.
        if output is FolderPlace, JournalFolder(in: output.path).hasJournal { throw .outputOfRun(path: output.path) }
        self.init(PlanGenerations.place(plan.generation, in: output), plan: plan)
        do throws(PlaceError) {
            try place.prepare([Self.data, Self.done])
            if try !place.has(RunPlan.file) {
                try place.checkCreatesOnce()
                // Who is second says the same, or another way to the same plan.
                try place.replace(Self.planFolder, Data(source.absolutePath.utf8))
                // Where another worker was first, which plan that has is seen below.
                _ = try place.create(RunPlan.file, plan.text())
            }
        } catch {
            throw error.error(at: place.path)
        }
        try checkIsStillThere()
    }

    /// Checks that the folder is this plan's: somebody may give a generation up, and begin another one in its place.
    func checkIsStillThere() throws(DevelopmentError) {
        let own = try RunPlan(in: place)
        if let difference = plan.difference(from: own) { throw .planDiffers(output: place.path, reason: difference) }
    }

    /// Checks that a folder has what a further plan goes on from.
    static func check(_ plan: RunPlan, goesOnIn output: any PlanPlace) throws(DevelopmentError) {
        guard let parent = plan.parent else { return }
        let isThere: Bool
        do throws(PlaceError) {
            isThere = try PlanGenerations.place(parent.generation - 1, in: output).has(RunPlan.file)
        } catch {
            throw error.error(at: output.path, ofFile: DevelopmentError.placeUnreadable)
        }
        guard isThere else {
            throw .parentDiffers(
                output: output.path, reason: "it goes on from generation \(parent.generation - 1), which is not there")
        }
        let outputs = try PlanGenerations(output).outputs
        guard outputs.indices.contains(parent.generation - 1), outputs[parent.generation - 1].digest == parent.plan
        else {
            throw .parentDiffers(
                output: output.path,
                reason: "generation \(parent.generation - 1) is of another plan than it goes on from")
        }
    }

    /// The file that says where the plan's folder was.
    private static let planFolder = "plan-folder"

    /// The plan's folder, as far as that is known.
    var knownPlanFolder: String? {
        (try? place.read(Self.planFolder, limit: 1 << 16)).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Names

    var path: String { place.path }

    /// Folders inside.
    static let (data, done) = ("data", "done")

    /// `00007`.
    func name(ofShard shard: Int) -> String { names.name(ofShard: shard) }
    /// `done/00007.json`.
    func markerName(ofShard shard: Int) -> String { "\(Self.done)/\(name(ofShard: shard)).json" }
    /// The names of an attempt's files in ``data``.
    func tarName(ofShard shard: Int, _ attempt: String) -> String { "\(name(ofShard: shard)).\(attempt).tar" }
    func indexName(ofShard shard: Int, _ attempt: String) -> String { "\(name(ofShard: shard)).\(attempt).jsonl" }
    func tableName(ofShard shard: Int, _ attempt: String) -> String { "\(name(ofShard: shard)).\(attempt).parquet" }

    /// The names of all files of a committed shard in ``data``, with what they have to be.
    func files(ofShard shard: Int, _ marker: ShardMarker) -> [(name: String, file: ShardMarker.File)] {
        [
            (tarName(ofShard: shard, marker.attempt), marker.tar),
            (indexName(ofShard: shard, marker.attempt), marker.index),
            (tableName(ofShard: shard, marker.attempt), marker.table),
        ]
    }

    /// The endings of the files of attempts.
    static let endings = ["tar", "jsonl", "parquet"]

    // MARK: Markers

    /// The marker of a shard; nil where it is not committed.
    ///
    /// - Throws: `damaged` for one that is damaged, or of another plan or shard.
    func readMarker(ofShard shard: Int) throws(PlaceError) -> ShardMarker? {
        guard let marker = try ShardMarker.read(markerName(ofShard: shard), in: place) else { return nil }
        guard marker.plan == digest, marker.shard == shard else { throw .damaged }
        return marker
    }

    /// Commits a shard whose files are safe.
    ///
    /// - Returns: Whether this attempt is the one that counts.
    /// - Throws: `notCreated` where it is not; anything else where that is not known, and its files are to stay.
    func commit(_ marker: ShardMarker) throws(PlaceError) -> Bool {
        var failure = PlaceError.damaged
        do throws(PlaceError) {
            if try place.create(markerName(ofShard: marker.shard), marker.text()) { return true }
        } catch {
            if case .notCreated = error { throw error }
            failure = error
        }
        // A server may have done it and its answer been lost: what is there says so.
        guard let winner = try readMarker(ofShard: marker.shard) else { throw failure }
        guard winner.attempt == marker.attempt else { return false }
        // The marker is read from memory; it counts when its name is safe.
        try place.sync(Self.done)
        return true
    }

    /// Removes what an attempt wrote, as far as that is possible.
    func remove(_ shard: Int, _ attempt: String) {
        for ending in Self.endings { try? place.remove("\(Self.data)/\(name(ofShard: shard)).\(attempt).\(ending)") }
    }
}
