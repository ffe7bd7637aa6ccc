/// How many bytes the shard has that each task is at while it is written: a task reads the rows of a shard at once.
struct ShardBytes {
    /// Rows and bytes.
    private var shards: [(rows: Int, bytes: Int)]
    private let rowsPerShard: Int
    private let most: Int

    init(tasks: Int, rowsPerShard: Int, most: Int) {
        shards = Array(repeating: (0, 0), count: tasks)
        (self.rowsPerShard, self.most) = (rowsPerShard, most)
    }

    /// Adds a row.
    ///
    /// - Returns: Whether the shard has no more bytes than it may.
    mutating func add(_ bytes: Int, to task: Int) -> Bool {
        if shards[task].rows == rowsPerShard { shards[task] = (0, 0) }
        shards[task].rows += 1
        shards[task].bytes += bytes
        return shards[task].bytes <= most
    }

    /// Begins anew with a task.
    mutating func reset(_ task: Int) { shards[task] = (0, 0) }
}
