import FoundationEssentials
import Glibc
import PhotoPipeline
import Transfers

/// Publishes the shards of a plan as one data set.
public enum PlanMerge {
    static let (folder, index, list, totals) = ("dataset", "index.jsonl", "shards.txt", "totals.json")

    private struct Totals: Codable {
        let plan: String
        let shards: Int
        let rows: Int
        let written: Int
        let failed: Int
        let failures: [String: Int]
        let bytes: Int
    }

    /// Gives the tar files of all shards their names in `dataset`, as further links to the same files, and writes `index.jsonl`,
    /// `shards.txt` and `totals.json`, each whole or not at all. It may be done again.
    ///
    /// - Parameter path: The output folder.
    /// - Returns: How far the plan has come; where it is not complete nothing is written.
    /// - Throws: `planUnusable` where the folder is none of a plan, `outputUnusable` where something cannot be read or written.
    public static func merge(_ path: String) throws(DevelopmentError) -> PlanStatus {
        let output = try PlanOutput(path)
        var markers: [ShardMarker] = []
        let status = PlanStatus(output) { markers.append($0) }
        guard status.isComplete else { return status }
        do throws(FileError) {
            let dataset = path + "/" + folder
            guard makeFolder(dataset, mode: 0o777) else { throw FileError.last }
            let index = try TemporaryFile(beside: path + "/" + index)
            let list = try TemporaryFile(beside: path + "/" + list, clearsFolder: false)
            var buffer = Data()
            var names = ""
            for marker in markers {
                let name = output.name(ofShard: marker.shard) + ".tar"
                try publish(
                    output.data + "/" + output.tarName(ofShard: marker.shard, marker.attempt), dataset + "/" + name)
                names += "\(folder)/\(name)\n"
                buffer.append(
                    try TarFile.bytes(
                        of: output.data + "/" + output.indexName(ofShard: marker.shard, marker.attempt), from: 0,
                        count: marker.index.size))
                guard buffer.count >= 1 << 20 else { continue }
                try index.write(buffer)
                buffer.removeAll(keepingCapacity: true)
            }
            try index.write(buffer)
            try list.write(Data(names.utf8))
            let totals = Totals(
                plan: output.digest, shards: status.shards, rows: status.rows, written: status.written,
                failed: status.failed, failures: status.failures, bytes: status.bytes)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            let file = try TemporaryFile(beside: path + "/" + self.totals, clearsFolder: false)
            try file.write(((try? encoder.encode(totals)) ?? Data()) + Data("\n".utf8))
            try OutputFolder(unprepared: dataset).sync()
            for file in [index, list, file] { try file.commit() }
            try OutputFolder(unprepared: path).sync()
        } catch {
            throw .outputUnusable(path: path, reason: error.reason)
        }
        return status
    }

    /// Links a file; one of that name that is another one is replaced.
    private static func publish(_ source: String, _ name: String) throws(FileError) {
        if link(source, name) == 0 { return }
        guard errno == EEXIST else { throw .last }
        if FileIdentity.isSame(source, name) { return }
        guard unlink(name) == 0, link(source, name) == 0 else { throw .last }
    }
}
