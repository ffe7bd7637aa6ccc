import FoundationEssentials
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

    /// Gives the tar files and the tables of all shards their names in `dataset`, as further links to the same files, and writes `index.jsonl`,
    /// `shards.txt` and `totals.json`, each whole or not at all. It may be done again, as after further plans.
    ///
    /// - Parameter path: The output folder.
    /// - Returns: How far the plan has come; where it is not complete nothing is written.
    /// - Throws: `planUnusable` or `planWithoutOutput` where the folder is none that tasks write to, `shardsDamaged` where an index is not
    ///   what was committed, or a file has another size, `outputUnusable` where something cannot be read or written.
    public static func merge(_ path: String) throws(DevelopmentError) -> PlanStatus {
        let plans = try PlanGenerations(path)
        var committed: [(shard: PlanGenerations.Shard, marker: ShardMarker)] = []
        let status = try PlanStatus(plans) { committed.append(($0, $1)) }
        guard status.isComplete else { return status }
        let place = plans.place
        let names = committed.map { plans.outputs[$0.shard.generation].name(ofShard: $0.shard.number) }
        let files = try writing(place) { () throws(PlaceError) in
            let damaged = try altered(committed, of: plans)
            guard damaged.isEmpty else { return (index: TemporaryFile?.none, damaged: damaged) }
            try place.prepare([folder])
            return (index: try place.newFile(for: Self.index, clearsFolder: true), damaged: [])
        }
        guard let file = files.index else { throw .shardsDamaged(output: path, shards: files.damaged) }
        var index = MergedIndex(of: plans)
        try index.write(committed, to: file)
        let totals = Totals(
            plan: plans.outputs[0].digest, generations: plans.outputs.count, shards: status.shards, rows: status.rows,
            written: index.written, failed: status.rows - index.written, failures: index.failures, bytes: status.bytes)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try writing(place) { () throws(PlaceError) in
            try publish(committed, as: names, of: plans)
            let list = try place.newFile(for: Self.list, clearsFolder: false)
            let sums = try place.newFile(for: Self.totals, clearsFolder: false)
            do throws(FileError) {
                try list.write(Data(names.map { "\(folder)/\($0).tar\n" }.joined().utf8))
                try sums.write(((try? encoder.encode(totals)) ?? Data()) + Data("\n".utf8))
            } catch {
                throw .file(error)
            }
            try place.sync(folder)
            try place.commit(file, as: Self.index)
            try place.commit(list, as: Self.list)
            try place.commit(sums, as: Self.totals)
            try place.sync("")
        }
        return status
    }

    /// The shards whose files do not have the sizes that were committed, which costs next to nothing; `verify` reads all of them.
    private static func altered(
        _ committed: [(shard: PlanGenerations.Shard, marker: ShardMarker)], of plans: PlanGenerations
    ) throws(PlaceError) -> [Int] {
        var altered: Set<Int> = []
        for (number, output) in plans.outputs.enumerated() {
            let own = committed.filter { $0.shard.generation == number }
            let files = own.flatMap { (shard, marker) in
                published(output.files(ofShard: shard.number, marker)).map { (shard: shard.number, file: $0) }
            }
            let sizes = try output.place.sizes(of: files.map(\.file.name), in: PlanOutput.data)
            for ((shard, file), size) in zip(files, sizes) where size != file.file.size { altered.insert(shard) }
        }
        return altered.sorted()
    }

    /// The files of a shard that are part of the data set: the tar file and the table.
    private static func published(
        _ files: [(name: String, file: ShardMarker.File)]
    ) -> [(name: String, file: ShardMarker.File)] {
        files.filter { !$0.name.hasSuffix(".jsonl") }
    }

    /// The endings of these.
    private static let publishedEndings = PlanOutput.endings.filter { $0 != "jsonl" }

    /// Gives the files of all shards their names in the data set.
    private static func publish(
        _ committed: [(shard: PlanGenerations.Shard, marker: ShardMarker)], as names: [String],
        of plans: PlanGenerations
    ) throws(PlaceError) {
        let place = plans.place
        for (number, output) in plans.outputs.enumerated() {
            var files: [(name: String, other: String, file: ShardMarker.File)] = []
            for ((shard, marker), name) in zip(committed, names) where shard.generation == number {
                let published = published(output.files(ofShard: shard.number, marker))
                for ((file, facts), ending) in zip(published, publishedEndings) {
                    files.append((file, "\(name).\(ending)", facts))
                }
            }
            try place.publish(files, of: PlanGenerations.folder(number, of: PlanOutput.data), in: folder)
        }
        let known = Set(names)
        // Those of a generation that somebody has taken away.
        for name in try place.names(in: folder) {
            let isKnown = known.contains(String(name.prefix { $0 != "." }))
            if ShardNames.isShard(name) || ShardNames.isTable(name), !isKnown { try place.remove(folder + "/" + name) }
        }
    }

    private static func writing<Result>(
        _ place: any PlanPlace, _ body: () throws(PlaceError) -> Result
    ) throws(DevelopmentError) -> Result {
        do throws(PlaceError) {
            return try body()
        } catch {
            throw error.error(at: place.path)
        }
    }
}
