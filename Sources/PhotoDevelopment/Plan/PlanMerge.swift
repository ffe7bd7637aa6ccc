import FoundationEssentials
import Glibc
import PhotoPipeline
import Transfers

/// Publishes the shards of a plan as one data set.
public enum PlanMerge {
    static let (folder, index, list, totals) = ("dataset", "index.jsonl", "shards.txt", "totals.json")

    private struct Totals: Codable {
        let plan: String
        let generations: Int
        let shards: Int
        let rows: Int
        let written: Int
        let failed: Int
        let failures: [String: Int]
        let bytes: Int
    }

    /// Gives the tar files of all shards their names in `dataset`, as further links to the same files, and writes `index.jsonl`,
    /// `shards.txt` and `totals.json`, each whole or not at all. It may be done again, as after further plans.
    ///
    /// - Parameter path: The output folder.
    /// - Returns: How far the plan has come; where it is not complete nothing is written.
    /// - Throws: `planUnusable` where the folder is none of a plan, `shardsDamaged` where an index is not what was committed, or a tar file has another size,
    ///   `outputUnusable` where something cannot be read or written.
    public static func merge(_ path: String) throws(DevelopmentError) -> PlanStatus {
        let plans = try PlanGenerations(path)
        var committed: [(shard: PlanGenerations.Shard, marker: ShardMarker)] = []
        let status = PlanStatus(plans) { committed.append(($0, $1)) }
        guard status.isComplete else { return status }
        let damaged = committed.filter { !isThere($0.shard, $0.marker, of: plans) }
        if !damaged.isEmpty { throw .shardsDamaged(output: path, shards: damaged.map(\.shard.number)) }
        let dataset = path + "/" + folder
        let names = committed.map { plans.outputs[$0.shard.generation].name(ofShard: $0.shard.number) + ".tar" }
        let files = try writing(path) { () throws(FileError) in
            guard makeFolder(dataset, mode: 0o777) else { throw FileError.last }
            let index = try TemporaryFile(beside: path + "/" + Self.index)
            let list = try TemporaryFile(beside: path + "/" + list, clearsFolder: false)
            return (
                index: index, list: list,
                totals: try TemporaryFile(beside: path + "/" + Self.totals, clearsFolder: false)
            )
        }
        var index = MergedIndex(of: plans)
        try index.write(committed, to: files.index)
        let totals = Totals(
            plan: plans.outputs[0].digest, generations: plans.outputs.count, shards: status.shards, rows: status.rows,
            written: index.written, failed: status.rows - index.written, failures: index.failures, bytes: status.bytes)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try writing(path) { () throws(FileError) in
            for (name, (shard, marker)) in zip(names, committed) {
                let output = plans.outputs[shard.generation]
                try publish(
                    output.data + "/" + output.tarName(ofShard: shard.number, marker.attempt), dataset + "/" + name)
            }
            let known = Set(names)
            // Those of a generation that somebody has taken away.
            for name in folderNames(dataset) where ShardNames.isShard(name) && !known.contains(name) {
                guard unlink(dataset + "/" + name) == 0 else { throw .last }
            }
            try files.list.write(Data(names.map { "\(folder)/\($0)\n" }.joined().utf8))
            try files.totals.write(((try? encoder.encode(totals)) ?? Data()) + Data("\n".utf8))
            try OutputFolder(unprepared: dataset).sync()
            for file in [files.index, files.list, files.totals] { try file.commit() }
            try OutputFolder(unprepared: path).sync()
        }
        return status
    }

    /// Whether the tar file of a shard has the size that was committed, which costs next to nothing; `verify` reads all of it.
    private static func isThere(
        _ shard: PlanGenerations.Shard, _ marker: ShardMarker, of plans: PlanGenerations
    ) -> Bool {
        let output = plans.outputs[shard.generation]
        var status = stat()
        return stat(output.data + "/" + output.tarName(ofShard: shard.number, marker.attempt), &status) == 0
            && Int(status.st_size) == marker.tar.size
    }

    private static func writing<Result>(
        _ path: String, _ body: () throws(FileError) -> Result
    ) throws(DevelopmentError) -> Result {
        do throws(FileError) {
            return try body()
        } catch {
            throw .outputUnusable(path: path, reason: error.reason)
        }
    }

    /// Links a file; one of that name that is another one is replaced.
    private static func publish(_ source: String, _ name: String) throws(FileError) {
        if link(source, name) == 0 { return }
        guard errno == EEXIST else { throw .last }
        if FileIdentity.isSame(source, name) { return }
        guard unlink(name) == 0, link(source, name) == 0 else { throw .last }
    }
}
