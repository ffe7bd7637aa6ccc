import FoundationEssentials
import PhotoPipeline
import Transfers

/// The report that a run writes at its end: every row of the catalog, those of the journal and those that it lacks.
struct CatalogReport {
    let path: String
    /// The names of the run's variants.
    let variants: [String]

    /// - Throws: That nothing can be written there.
    init(path: String, variants: [String]) throws(DevelopmentError) {
        (self.path, self.variants) = (path, variants)
        do throws(FileError) {
            try OutputFile.check(path)
        } catch {
            throw .reportUnusable(path: path, reason: error.reason)
        }
    }

    /// Writes the report.
    ///
    /// - Parameters:
    ///   - rows: The catalog's rows.
    ///   - folder: Where the journal is.
    ///   - others: Rows that came to an end of which the journal does not know; all others that it lacks are cancelled.
    func write(_ rows: CatalogRows, from folder: JournalFolder, and others: [Int: ReportRow]) throws(DevelopmentError) {
        let ended: JournalRows
        do throws(SQLiteError) {
            ended = JournalRows(of: try Journal(opening: folder.database))
        } catch {
            throw .journalUnusable(path: folder.database, reason: error.sentence)
        }
        var next = ended.nextEntry()
        var number = 0
        let all = AnyIterator { () -> ReportRow? in
            guard number < rows.count else { return nil }
            defer { number += 1 }
            if let entry = next, entry.number == number {
                next = ended.nextEntry()
                return entry.row
            }
            if let other = others[number] { return other }
            let row = rows[number]
            return ReportRow(name: row.name, address: row.address, outcome: .cancelled)
        }
        do throws(FileError) {
            let file = try OutputFile(path)
            try ReportText.csv(variants: variants).write(all) { (piece: Data) throws(FileError) in try file.write(piece)
            }
            if ended.failure == nil { try file.commit() }
        } catch {
            throw .reportUnusable(path: path, reason: error.reason)
        }
        if let failure = ended.failure {
            throw .journalUnusable(path: folder.database, reason: failure.sentence)
        }
    }
}
