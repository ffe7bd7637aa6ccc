import FoundationEssentials
import Glibc
import PhotoPipeline
import Transfers

/// The folder that the tasks of a plan write to, which may be shared by many machines.
///
/// `plan.json` says whose it is, `data` holds what workers write, and `done` the markers of shards that are committed. Nothing in it is
/// ever changed: a file is made once, and what lost is removed by who made it.
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

    /// Makes the folder a plan's, or goes on with it.
    ///
    /// - Throws: `planDiffers` where it is another one's; that it cannot be written to, or gives one name to two files.
    init(preparing path: String, for plan: RunPlan) throws(DevelopmentError) {
        self.init(path: path, plan: plan)
        do throws(FileError) {
            for folder in [path, data, done] {
                guard makeFolder(folder, mode: 0o777) else { throw FileError.last }
            }
            if access(path + "/" + RunPlan.file, F_OK) != 0 {
                try checkCreatesOnce()
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
