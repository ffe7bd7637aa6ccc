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
    /// Shards whose files are not what was committed.
    private(set) var damaged: [PlanGenerations.Shard] = []

    /// Whether all shards are there as they were committed.
    public var isWhole: Bool { status.isComplete && damage.isEmpty }

    /// Compares all files with their markers. Blocks until all is read.
    ///
    /// - Parameters:
    ///   - path: The output folder.
    ///   - collectsGarbage: Whether files are removed that lost: those of other attempts at shards that are committed, and what killed workers
    ///     left half written. Those of shards that are not committed stay, as somebody may be at work on them; and those of
    ///     damaged shards, as it may be the marker that is damaged.
    /// - Throws: `planUnusable` where the folder is none of a plan.
    public init(of path: String, collectsGarbage: Bool) throws(DevelopmentError) {
        self.init(of: try PlanGenerations(path), collectsGarbage: collectsGarbage)
    }

    init(of plans: PlanGenerations, collectsGarbage: Bool) {
        var damage: [String] = []
        var damaged: [PlanGenerations.Shard] = []
        var winners = plans.outputs.map { _ in [String: String]() }
        status = PlanStatus(plans) { shard, marker in
            let output = plans.outputs[shard.generation]
            let found = Self.damage(of: shard, marker, in: output)
            guard !found.isEmpty else {
                winners[shard.generation][output.name(ofShard: shard.number)] = marker.attempt
                return
            }
            damage += found
            damaged.append(shard)
        }
        self.damage = status.damage + damage
        self.damaged = damaged
        guard collectsGarbage else { return }
        for (output, winners) in zip(plans.outputs, winners) {
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

    /// What is wrong with the files of a shard.
    private static func damage(
        of shard: PlanGenerations.Shard, _ marker: ShardMarker, in output: PlanOutput
    ) -> [String] {
        let files = [
            (output.tarName(ofShard: shard.number, marker.attempt), marker.tar),
            (output.indexName(ofShard: shard.number, marker.attempt), marker.index),
        ]
        return files.compactMap { name, file in
            let place = output.data + "/" + name
            do throws(FileError) {
                guard try ShardMarker.File(at: place) != file else { return nil }
                return "shard \(shard.number): \(place) is not what was committed"
            } catch {
                return "shard \(shard.number): \(place) cannot be read: \(error.reason)"
            }
        }
    }
}
