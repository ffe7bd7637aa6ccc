import FoundationEssentials
import Glibc
import PhotoPipeline
import Transfers

/// The folder that the tasks of a plan write to, which may be shared by many machines.
///
/// `plan.json` says whose it is, `data` holds what workers write, and `done` the markers of shards that are committed. Nothing in it is
/// ever changed: a file is made once, and what lost is removed by who made it. What a further plan brings lies in a folder of the same
/// kind inside, see ``PlanGenerations``.
struct PlanOutput: Sendable {
    let path: String
    let plan: RunPlan
    let digest: String
    private let names: ShardNames

    /// The folder of a plan that has begun.
    init(_ path: String) throws(DevelopmentError) {
        self.init(path: path, plan: try RunPlan(in: path))
    }

    private init(path: String, plan: RunPlan) {
        (self.path, self.plan) = (path, plan)
        digest = plan.digest
        names = plan.names
    }

    /// Makes the folder a plan's, or goes on with it. Of a further plan it is a folder inside.
    ///
    /// - Parameters:
    ///   - output: The folder that was asked for.
    ///   - plan: The plan.
    ///   - folder: The plan's folder, which is remembered for repairs.
    /// - Throws: `planDiffers` or `parentDiffers` where it is another one's; that it cannot be written to, or gives one name to two files.
    init(preparing output: String, for plan: RunPlan, in folder: String) throws(DevelopmentError) {
        try Self.check(plan, goesOnIn: output)
        self.init(path: PlanGenerations.folder(plan.generation, in: output), plan: plan)
        do throws(FileError) {
            for folder in [path, data, done] {
                guard makeFolder(folder, mode: 0o777) else { throw FileError.last }
            }
            if access(path + "/" + RunPlan.file, F_OK) != 0 {
                try checkCreatesOnce()
                // Who is second says the same, or another way to the same plan.
                let way = try TemporaryFile(beside: path + "/" + Self.planFolder)
                try way.write(Data(TemporaryFile.resolved(folder).utf8))
                try way.commit()
                let file = try TemporaryFile(in: path)
                try file.write(plan.text())
                do throws(FileError) {
                    try file.link(to: path + "/" + RunPlan.file)
                } catch {
                    // Another worker was first; which plan that has is seen below.
                    guard access(path + "/" + RunPlan.file, F_OK) == 0 else { throw error }
                }
                try OutputFolder(unprepared: path).sync()
            }
        } catch {
            throw .outputUnusable(path: path, reason: error.reason)
        }
        let own = try RunPlan(in: path)
        if let difference = plan.difference(from: own) { throw .planDiffers(output: path, reason: difference) }
    }

    /// Checks that a folder has what a further plan goes on from.
    private static func check(_ plan: RunPlan, goesOnIn output: String) throws(DevelopmentError) {
        guard let parent = plan.parent else { return }
        let before = PlanGenerations.folder(parent.generation - 1, in: output)
        guard access(before + "/" + RunPlan.file, F_OK) == 0 else {
            throw .parentDiffers(
                output: output, reason: "it goes on from generation \(parent.generation - 1), which is not there")
        }
        let outputs = try PlanGenerations(output).outputs
        guard outputs.indices.contains(parent.generation - 1), outputs[parent.generation - 1].digest == parent.plan
        else {
            throw .parentDiffers(
                output: output, reason: "generation \(parent.generation - 1) is of another plan than it goes on from")
        }
    }

    /// The file that says where the plan's folder was.
    private static let planFolder = "plan-folder"

    /// The plan's folder, as far as that is known.
    var knownPlanFolder: String? {
        guard let bytes = try? Data(contentsOf: URL(filePath: path + "/" + Self.planFolder)) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Proves that of two files that are to get one name the second one is refused, as all else relies on that.
    private func checkCreatesOnce() throws(FileError) {
        let proof = path + "/" + TemporaryFile.unusedName()
        let file = try TemporaryFile(in: path)
        try file.link(to: proof)
        defer { unlink(proof) }
        let other = try TemporaryFile(in: path)
        do throws(FileError) {
            try other.link(to: proof)
        } catch {
            if error.code == EEXIST { return }
            throw error
        }
        throw FileError(code: ENOTSUP)
    }

    var data: String { path + "/data" }
    var done: String { path + "/done" }

    /// `00007`.
    func name(ofShard shard: Int) -> String { String(names.file(ofShard: shard).dropLast(4)) }
    func marker(ofShard shard: Int) -> String { "\(done)/\(name(ofShard: shard)).json" }
    /// The names of an attempt's files in ``data``.
    func tarName(ofShard shard: Int, _ attempt: String) -> String { "\(name(ofShard: shard)).\(attempt).tar" }
    func indexName(ofShard shard: Int, _ attempt: String) -> String { "\(name(ofShard: shard)).\(attempt).jsonl" }

    func isDone(_ shard: Int) -> Bool { access(marker(ofShard: shard), F_OK) == 0 }

    /// The marker of a shard; nil where it is not committed.
    ///
    /// - Throws: `EBADMSG` for one that is damaged, or of another plan or shard.
    func readMarker(ofShard shard: Int) throws(FileError) -> ShardMarker? {
        guard let marker = try ShardMarker.read(self.marker(ofShard: shard)) else { return nil }
        guard marker.plan == digest, marker.shard == shard else { throw FileError(code: EBADMSG) }
        return marker
    }

    /// Commits a shard whose files are on the disk.
    ///
    /// - Returns: Whether this attempt is the one that counts.
    /// - Throws: Where that is not known; its files are to stay then.
    func commit(_ marker: ShardMarker) throws(FileError) -> Bool {
        let file = try TemporaryFile(in: done)
        try file.write(marker.text())
        let name = self.marker(ofShard: marker.shard)
        do throws(FileError) {
            try file.link(to: name)
        } catch {
            // A server may have done it and its answer been lost: what is there says so.
            guard let winner = try readMarker(ofShard: marker.shard) else { throw error }
            return winner.attempt == marker.attempt
        }
        try OutputFolder(unprepared: done).sync()
        return true
    }

    /// Removes what an attempt wrote.
    func remove(_ shard: Int, _ attempt: String) {
        for name in [tarName(ofShard: shard, attempt), indexName(ofShard: shard, attempt)] { unlink(data + "/" + name) }
    }
}
