/// The files of shards that become a data set: their tables, and the tar files in which something is.
///
/// Programs that read tar files take one without a sample for a fault of theirs.
struct PublishedShards {
    struct File {
        let shard: Int
        /// Its name where it was committed.
        let committed: String
        /// Its name in the data set.
        let name: String
        /// What it is.
        let facts: ShardMarker.File
    }

    /// Those of each generation.
    private(set) var files: [[File]]
    /// The names of the tar files in the data set, in the order of the shards.
    private(set) var tarNames: [String] = []

    init(_ committed: [(shard: PlanGenerations.Shard, marker: ShardMarker)], of plans: PlanGenerations) {
        files = plans.outputs.map { _ in [] }
        for (shard, marker) in committed {
            let output = plans.outputs[shard.generation]
            let name = output.name(ofShard: shard.number)
            func add(_ committed: String, _ ending: String, _ facts: ShardMarker.File) {
                files[shard.generation].append(
                    File(shard: shard.number, committed: committed, name: "\(name).\(ending)", facts: facts))
            }
            if marker.hasSamples {
                add(output.tarName(ofShard: shard.number, marker.attempt), "tar", marker.tar)
                tarNames.append("\(name).tar")
            }
            add(output.tableName(ofShard: shard.number, marker.attempt), "parquet", marker.table)
        }
    }
}
