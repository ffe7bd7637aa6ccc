extension RunPlan {
    /// A shard of a plan.
    struct Shard: Codable, Equatable, Sendable {
        /// What its files are called by. No other shard of the catalog has it but those that repair this one.
        let number: Int
        let rows: Int
    }

    /// What a further plan goes on from: a plan of some of the rows that an output folder has already been made of.
    struct Parent: Codable, Equatable, Sendable {
        /// The digest of the generation before, which has that of its own parent in it, and so on to the first plan.
        let plan: String
        /// The number of this generation; the first plan is generation 0.
        let generation: Int
        /// The rows of the catalog and the shards of the first plan, by which keys and shards are called.
        let rows: Int
        let shards: Int
        /// The shards of each task, in order.
        let tasks: [[Shard]]

        /// Whether numbers that were read may be used.
        func isSound(for taskRows: [Int]) -> Bool {
            guard generation > 0, rows >= 0, shards >= 0, tasks.count == taskRows.count else { return false }
            return zip(tasks, taskRows).allSatisfy { shards, rows in
                shards.allSatisfy { $0.number >= 0 && (0...rows).contains($0.rows) }
                    && shards.reduce(0) { $0 + $1.rows } == rows
            }
        }
    }

    /// The number among the generations of an output folder.
    var generation: Int { parent?.generation ?? 0 }

    /// The shards of all tasks.
    var shardsByTask: [[Shard]] {
        parent?.tasks ?? Self.shards(of: taskRows, rowsPerShard: rowsPerShard, from: 0)
    }

    /// Cuts the rows of tasks into shards.
    ///
    /// - Parameter first: The number of the first one.
    static func shards(of taskRows: [Int], rowsPerShard: Int, from first: Int) -> [[Shard]] {
        var number = first
        return taskRows.map { rows in
            stride(from: 0, to: rows, by: rowsPerShard).map { start in
                defer { number += 1 }
                return Shard(number: number, rows: min(rowsPerShard, rows - start))
            }
        }
    }
}
