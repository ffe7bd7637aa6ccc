import FoundationEssentials
import Transfers

/// Publishes the shards of a plan as one data set.
public enum PlanMerge {
    static let (folder, index, list, totals) = ("dataset", "index.jsonl", "shards.txt", "totals.json")

    /// Whether a file that is made by merging has this name, in the output folder or in ``folder``.
    static func writes(_ name: String) -> Bool {
        [index, list, totals].contains(name) || ShardNames.isShard(name) || ShardNames.isTable(name)
    }

    struct Totals: Codable {
        let plan: String
        let generations: Int
        let shards: Int
        let rows: Int
        /// Rows of the catalog that were not planned, as an earlier one has their address.
        let repeatedRows: Int?
        let written: Int
        let failed: Int
        let failures: [String: Int]
        let bytes: Int
        /// What the other two files are.
        let files: [String: ShardMarker.File]
    }

    /// Gives the tar files and the tables of all shards their names in `dataset`, but for tar files in which nothing is, as further links to the same files, and writes `index.jsonl`,
    /// `shards.txt` and `totals.json`, each whole or not at all. It may be done again, as after further plans.
    ///
    /// - Parameters:
    ///   - path: The output folder.
    ///   - onBegin: Is given what ends the merging of an object store in order: uploads in parts are given up and removed, and what is
    ///     asked then has five seconds more. Not called for a folder, where nothing is in anybody's way.
    /// - Returns: How far the plan has come; where it is not complete nothing is written.
    /// - Throws: `planUnusable` or `planWithoutOutput` where the folder is none that tasks write to, `shardsDamaged` where an index is not
    ///   what was committed, or a file has another size, `outputUnusable` where something cannot be read or written.
    public static func merge(
        _ path: String, onBegin: (_ end: @escaping @Sendable () -> Void) -> Void = { _ in }
    ) throws(DevelopmentError) -> PlanStatus {
        let plans = try PlanGenerations(path)
        if !(plans.place is FolderPlace) { onBegin { [place = plans.place] in place.endSoon() } }
        var committed: [(shard: PlanGenerations.Shard, marker: ShardMarker)] = []
        let status = try PlanStatus(plans) { committed.append(($0, $1)) }
        guard status.isComplete else { return status }
        let place = plans.place
        let published = PublishedShards(committed, of: plans)
        let files = try writing(place) { () throws(PlaceError) in
            let damaged = try altered(published, of: plans)
            guard damaged.isEmpty else { return (index: TemporaryFile?.none, damaged: damaged) }
            try place.prepare([folder])
            return (index: try place.newFile(for: Self.index, clearsFolder: true), damaged: [])
        }
        guard let file = files.index else { throw .shardsDamaged(output: path, shards: files.damaged) }
        var index = MergedIndex(of: plans)
        try index.write(committed, to: file)
        let tarNames = Data(published.tarNames.map { "\(folder)/\($0)\n" }.joined().utf8)
        let totals = Totals(
            plan: plans.outputs[0].digest, generations: plans.outputs.count, shards: status.shards, rows: status.rows,
            repeatedRows: status.repeatedRows,
            written: index.written, failed: status.rows - index.written, failures: index.failures, bytes: status.bytes,
            files: [Self.index: index.file, Self.list: ShardMarker.File(of: tarNames)])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try writing(place) { () throws(PlaceError) in
            try publish(published, of: plans)
            let list = try place.newFile(for: Self.list, clearsFolder: false)
            let sums = try place.newFile(for: Self.totals, clearsFolder: false)
            do throws(FileError) {
                try list.write(tarNames)
                try sums.write(((try? encoder.encode(totals)) ?? Data()) + Data("\n".utf8))
            } catch {
                throw place.failure(error)
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
    private static func altered(_ published: PublishedShards, of plans: PlanGenerations) throws(PlaceError) -> [Int] {
        var altered: Set<Int> = []
        for (files, output) in zip(published.files, plans.outputs) {
            let sizes = try output.place.sizes(of: files.map(\.committed), in: PlanOutput.data)
            for (file, size) in zip(files, sizes) where size != file.facts.size { altered.insert(file.shard) }
        }
        return altered.sorted()
    }

    /// Gives the files of all shards their names in the data set.
    private static func publish(_ published: PublishedShards, of plans: PlanGenerations) throws(PlaceError) {
        let place = plans.place
        for (number, files) in published.files.enumerated() {
            try place.publish(
                files.map { ($0.committed, $0.name, $0.facts) },
                of: PlanGenerations.folder(number, of: PlanOutput.data),
                in: folder)
        }
        let known = Set(published.files.joined().map(\.name))
        // Those of a generation that somebody has taken away, and of a shard that has nothing any more.
        for name in try place.names(in: folder) {
            if ShardNames.isShard(name) || ShardNames.isTable(name), !known.contains(name) {
                try place.remove(folder + "/" + name)
            }
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
