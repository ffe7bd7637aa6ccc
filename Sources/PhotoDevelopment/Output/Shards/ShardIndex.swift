import FoundationEssentials
import Transfers

/// The index beside the shards: a line of JSON for each row that has come to its end, in the catalog's order.
///
/// It says what the samples say, where their pictures are, and why other rows have none.
struct ShardIndex {
    let store: ShardStore
    /// Where it goes.
    let path: String

    /// Writes the index, whole or not at all, from what the journal has.
    ///
    /// - Parameter each: Takes each row with its results.
    func write(
        _ journal: Journal, each: (Journal.Entry, [Sample.Picture]) -> Void
    ) throws(DevelopmentError) {
        let database = JournalFolder(in: store.folder.path).database
        let rows = JournalRows(of: journal)
        var failure: SQLiteError?
        do throws(FileError) {
            let file = try TemporaryFile(beside: path, clearsFolder: store.ownsFolder)
            var buffer = Data()
            while failure == nil, let entry = rows.nextEntry() {
                var sample: Sample?
                do throws(SQLiteError) {
                    if case .filtered = entry.row.outcome { sample = try journal.sample(of: entry.number) }
                } catch {
                    failure = error
                    break
                }
                buffer.append(contentsOf: line(entry, sample).utf8)
                each(entry, sample?.pictures ?? [])
                guard buffer.count >= 1 << 16 else { continue }
                try file.write(buffer)
                buffer.removeAll(keepingCapacity: true)
            }
            try file.write(buffer)
            failure = failure ?? rows.failure
            if failure == nil { try file.commit() }
        } catch {
            throw .indexUnusable(path: path, reason: error.reason)
        }
        if let failure { throw .journalUnusable(path: database, reason: failure.sentence) }
    }

    private func line(_ entry: Journal.Entry, _ sample: Sample?) -> String {
        let text = SampleText(
            key: store.key(ofRow: entry.number), row: entry.row, entry: store.entry(entry.number),
            variants: store.variants, pictures: sample?.pictures ?? [],
            shard: sample.map { store.names.file(ofShard: $0.shard) })
        return text.json + "\n"
    }
}
