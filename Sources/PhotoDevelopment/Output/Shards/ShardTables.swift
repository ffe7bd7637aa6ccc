/// The tables of all shards of a run, of which one is filled at a time, as rows come in the catalog's order.
struct ShardTables {
    private let store: ShardStore
    private var current: (shard: Int, table: ShardTable)?

    init(store: ShardStore) { self.store = store }

    mutating func add(_ entry: Journal.Entry, _ pictures: [Sample.Picture]) throws(FileError) {
        let shard = store.shard(ofRow: entry.number)
        if current?.shard != shard {
            try finish()
            current = (shard, ShardTable(of: store))
        }
        current?.table.add(entry, pictures)
    }

    /// Writes the last one.
    mutating func finish() throws(FileError) {
        guard let shard = current?.shard, var table = current?.table else { return }
        current = nil
        try table.write(to: store.folder.path + "/" + store.names.table(ofShard: shard))
    }
}
