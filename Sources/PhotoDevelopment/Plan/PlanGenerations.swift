import FoundationEssentials
import Glibc
import PhotoPipeline
import Transfers

/// All that has been planned for an output folder: the first plan, whose files are in the folder itself, and what was planned later of
/// rows that failed and of shards that were damaged, in `gen-1`, `gen-2` and so on.
///
/// Each shard is looked for in the last generation that has it, and nowhere else: a shard that is planned anew takes the place of the
/// older one, from the moment at which somebody begins with that plan.
struct PlanGenerations: Sendable {
    /// A shard that counts.
    struct Shard: Sendable {
        let number: Int
        let rows: Int
        /// Where it is looked for.
        let generation: Int
        let task: Int
    }

    let path: String
    /// The folders, the first plan's first.
    let outputs: [PlanOutput]
    /// All shards that count, by their numbers.
    let shards: [Shard]

    /// - Throws: `planUnusable` where the folder is none of a plan, or where a generation goes on from something else.
    init(_ path: String) throws(DevelopmentError) {
        var outputs = [try PlanOutput(path)]
        let generation = outputs[0].plan.generation
        guard generation == 0 else {
            throw .planUnusable(path: path, reason: "it is generation \(generation) of another folder; name that one")
        }
        while access(Self.folder(outputs.count, in: path) + "/" + RunPlan.file, F_OK) == 0 {
            let next = try PlanOutput(Self.folder(outputs.count, in: path))
            guard next.plan.generation == outputs.count, next.plan.parent?.plan == outputs.last?.digest else {
                throw .planUnusable(
                    path: next.path, reason: "it does not go on from generation \(outputs.count - 1) of \(path)")
            }
            outputs.append(next)
        }
        // Without one that was taken away from among them, what came later would be left out, and nobody would know.
        for name in folderNames(path) {
            guard let number = Self.generation(of: name), number > outputs.count,
                access(path + "/" + name + "/" + RunPlan.file, F_OK) == 0
            else { continue }
            throw .planUnusable(
                path: path, reason: "there is generation \(number), and generation \(outputs.count) is not there")
        }
        var shards: [Int: Shard] = [:]
        for output in outputs {
            for (task, numbers) in output.plan.shardsByTask.enumerated() {
                for shard in numbers {
                    shards[shard.number] = Shard(
                        number: shard.number, rows: shard.rows, generation: output.plan.generation, task: task)
                }
            }
        }
        (self.path, self.outputs) = (path, outputs)
        self.shards = shards.values.sorted { $0.number < $1.number }
    }

    private static let prefix = "gen-"

    /// The folder of a generation.
    static func folder(_ generation: Int, in path: String) -> String {
        generation == 0 ? path : "\(path)/\(prefix)\(generation)"
    }

    /// The generation whose folder has this name; nil where it is that of something else.
    private static func generation(of name: String) -> Int? {
        name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)) : nil
    }

    var first: RunPlan { outputs[0].plan }

    /// The marker of a shard; nil where it is not committed.
    ///
    /// - Throws: `EBADMSG` for one that is damaged, or of another plan or shard.
    func readMarker(of shard: Shard) throws(FileError) -> ShardMarker? {
        guard let marker = try outputs[shard.generation].readMarker(ofShard: shard.number) else { return nil }
        guard marker.isSound(rows: shard.rows) else { throw FileError(code: EBADMSG) }
        return marker
    }

    /// What the next plan goes on from.
    ///
    /// - Parameter tasks: Its shards.
    func parent(of tasks: [[RunPlan.Shard]]) -> RunPlan.Parent {
        RunPlan.Parent(
            plan: outputs[outputs.count - 1].digest, generation: outputs.count, rows: first.rows,
            shards: first.shardCount, tasks: tasks)
    }

    /// The number of a shard that is none of those that are there.
    var nextNumber: Int { (shards.last?.number ?? -1) + 1 }

    // MARK: Indexes

    /// The index of a shard, if it is what was committed.
    func index(of shard: Shard, _ marker: ShardMarker) throws(DevelopmentError) -> [UInt8] {
        let output = outputs[shard.generation]
        let place = output.data + "/" + output.indexName(ofShard: shard.number, marker.attempt)
        do throws(FileError) {
            let bytes = try TarFile.bytes(of: place, from: 0, count: marker.index.size)
            if ShardMarker.File(of: bytes) == marker.index { return Array(bytes) }
        } catch {
            guard [ENOENT, ENODATA].contains(error.code) else {
                throw .outputUnusable(path: place, reason: error.reason)
            }
        }
        throw .shardsDamaged(output: path, shards: [shard.number])
    }

    /// What is known of each row, from the indexes of all shards; nil where there is one generation, which has each row once.
    func outcomes(_ committed: [(shard: Shard, marker: ShardMarker)]) throws(DevelopmentError) -> RowOutcomes? {
        guard outputs.count > 1 else { return nil }
        var outcomes = RowOutcomes(rows: first.rows, generations: outputs.count)
        for (shard, marker) in committed {
            try eachLine(of: shard, marker) { line, _ in
                outcomes.add(line.row, isWritten: line.isWritten, in: shard.generation)
            }
        }
        return outcomes
    }

    /// Goes through the index of a shard.
    func eachLine(
        of shard: Shard, _ marker: ShardMarker, _ body: (IndexLine, UnsafeRawBufferPointer) -> Void
    ) throws(DevelopmentError) {
        let bytes = try index(of: shard, marker)
        let isSound = bytes.withUnsafeBytes { bytes in
            IndexLine.each(of: bytes) { line, text in
                guard line.row < first.rows else { return false }
                body(line, text)
                return true
            }
        }
        if !isSound { throw .shardsDamaged(output: path, shards: [shard.number]) }
    }
}
