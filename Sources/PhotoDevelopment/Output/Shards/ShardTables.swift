/// The tables of all shards of a run, of which one is filled at a time, as rows come in the catalog's order.
struct ShardTables {
    private let store: ShardStore
    private var current: (shard: Int, table: ShardTable)?
    /// The shards whose tables are written.
    private(set) var written: Set<Int> = []
    /// Why a table could not be written, after which no other one is.
    private var failure: (path: String, error: FileError)?

    init(store: ShardStore) { self.store = store }

    mutating func add(_ entry: Journal.Entry, _ pictures: [Sample.Picture]) {
        guard failure == nil else { return }
        let shard = store.shard(ofRow: entry.number)
        if current?.shard != shard {
            writeCurrent()
            current = (shard, ShardTable(of: store))
        }
        current?.table.add(entry, pictures)
    }

    private mutating func writeCurrent() {
        guard let shard = current?.shard, var table = current?.table else { return }
        current = nil
        let path = store.folder.path + "/" + store.names.table(ofShard: shard)
        do throws(FileError) {
            try table.write(to: path)
            written.insert(shard)
        } catch {
            failure = (path, error)
        }
    }

    /// Writes the last one.
    ///
    /// - Throws: `indexUnusable` for the first one that could not be written.
    mutating func finish() throws(DevelopmentError) {
        writeCurrent()
        if let failure { throw .indexUnusable(path: failure.path, reason: failure.error.reason) }
    }
}
