import Transfers

/// The rows of a journal that have come to their end, in the catalog's order, a page at a time.
final class JournalRows: Sequence, IteratorProtocol {
    private static let rowsOfAPage = 512

    /// What ended the rows before their end.
    private(set) var failure: SQLiteError?

    private let journal: Journal
    private var page: ArraySlice<Journal.Entry> = []
    /// The number that the next page begins with; nil where none follows.
    private var following: Int? = 0

    init(of journal: Journal) {
        self.journal = journal
    }

    /// The next one with its number.
    func nextEntry() -> Journal.Entry? {
        if page.isEmpty, let following {
            do throws(SQLiteError) {
                page = try journal.entries(from: following, limit: Self.rowsOfAPage)[...]
            } catch {
                failure = error
            }
            let last = page.last?.number ?? .max
            self.following = last == .max ? nil : last + 1
        }
        return page.popFirst()
    }

    func next() -> ReportRow? { nextEntry()?.row }

    /// All of them with their numbers.
    var numbered: some Sequence<(number: Int, row: ReportRow)> {
        AnyIterator { self.nextEntry().map { (number: $0.number, row: $0.row) } }
    }
}
