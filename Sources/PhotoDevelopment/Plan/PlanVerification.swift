import Glibc
import PhotoPipeline
import Transfers

/// Reads every byte that markers name.
public struct PlanVerification: Sendable {
    /// How far the plan has come.
    public let status: PlanStatus
    /// What is damaged, gone or altered, a sentence each; those of ``PlanStatus/damage`` too.
    public private(set) var damage: [String]
    /// The files that were removed.
    public private(set) var removed = 0

    /// Whether all shards are there as they were committed.
    public var isWhole: Bool { status.isComplete && damage.isEmpty }

    /// Compares all files with their markers. Blocks until all is read.
    ///
    /// - Parameters:
    ///   - path: The output folder.
    ///   - collectsGarbage: Whether files are removed that lost: those of other attempts at shards that are committed, and what killed workers
    ///     left half written. Those of shards that are not committed stay, as somebody may be at work on them.
    /// - Throws: `planUnusable` where the folder is none of a plan.
    public init(of path: String, collectsGarbage: Bool) throws(DevelopmentError) {
        let output = try PlanOutput(path)
        var damage: [String] = []
        var winners: [String: String] = [:]
        status = PlanStatus(output) { marker in
            let files = [
                (output.tarName(ofShard: marker.shard, marker.attempt), marker.tar),
                (output.indexName(ofShard: marker.shard, marker.attempt), marker.index),
            ]
            winners[output.name(ofShard: marker.shard)] = marker.attempt
            for (name, file) in files {
                let place = output.data + "/" + name
                do throws(FileError) {
                    guard try ShardMarker.File(at: place) != file else { continue }
                    damage.append("shard \(marker.shard): \(place) is not what was committed")
                } catch {
                    damage.append("shard \(marker.shard): \(place) cannot be read: \(error.reason)")
                }
            }
        }
        self.damage = status.damage + damage
        guard collectsGarbage else { return }
        for name in folderNames(output.data) {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, ["tar", "jsonl"].contains(parts[2]), let winner = winners[String(parts[0])],
                winner != parts[1]
            else { continue }
            if unlink(output.data + "/" + name) == 0 { removed += 1 }
        }
        for folder in [output.path, output.data, output.done] { TemporaryFile.clearAbandoned(in: folder) }
    }
}
