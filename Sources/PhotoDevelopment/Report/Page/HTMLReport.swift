import FoundationEssentials

/// The report of a run as a page: one file that opens in a browser without a server and without the network.
///
/// The rows are read once and written as they come, so that memory does not grow with them. The page holds at most
/// ``rowLimit`` of them, failures first, and says what it leaves out; totals, reasons and hosts count all.
///
/// Names, addresses and details are text of strangers. They reach the page as escaped text, or as JSON that a script puts into
/// text nodes; a Content-Security-Policy lets nothing run but that script, and nothing load at all.
struct HTMLReport {
    /// What the run was.
    struct Run {
        /// The catalog or the folder of the results, as the command line named it.
        var name: String
        /// When the run began; nil where that is not known.
        var started: Date?
        /// When its last row ended; nil while it runs, and where it was stopped.
        var ended: Date?
        /// What was asked for (filter, size, format …), in the order in which it is shown.
        var recipe: [Setting]
        /// The rows of the catalog by what became of them.
        var totals: Totals
        /// The folder of the results, seen from that of the page: empty for the same one, relative such as `../pictures`, or
        /// absolute.
        var results = ""
        /// The names of its variants, in the order in which rows have their files.
        var variants: [String] = []
        /// The command that writes all rows as CSV, told where the page leaves some out.
        var wholeReport: String
    }

    /// An option of the run, with its value.
    struct Setting {
        var name: String
        var value: String
    }

    /// Rows by what became of them.
    struct Totals {
        var filtered = 0
        /// Those of them whose data is damaged, and that were kept all the same.
        var damaged = 0
        var failed = 0
        /// The rows that have not come to their end.
        var cancelled = 0

        var all: Int { filtered + failed + cancelled }
    }

    /// The most rows in the table. With 100,000 of them the page is 18 MB, opens in a second and takes the browser 300 MB; with
    /// 1,000,000 it would be 190 MB, four seconds and 900 MB.
    static let usualRowLimit = 100_000

    let run: Run
    /// The most rows in the table.
    var rowLimit = usualRowLimit

    /// Writes the page.
    ///
    /// - Parameters:
    ///   - rows: The rows in the catalog's order, with their numbers in it, from 0. They are read once. Rows that have not come to
    ///     their end may be missing.
    ///   - images: The small pictures of the row with a number; asked for those of the first ``ReportImages/mostRows``
    ///     that were filtered, in order.
    ///   - write: Takes the page, in pieces of about 64 kB. An error ends the writing.
    func write<Failure: Error>(
        _ rows: some Sequence<(number: Int, row: ReportRow)>, images: (Int) -> ReportImages.Pair? = { _ in nil },
        to write: (Data) throws(Failure) -> Void
    ) throws(Failure) {
        var page = PageBuffer()
        page += beginning
        var table = PageRows(selection: TableSelection(limit: rowLimit, of: run.totals))
        var hosts = HostCounts()
        var reasons = ReasonCounts()
        var pairs = 0
        for (number, row) in rows {
            let host = HostCounts.host(of: row.address)
            hosts.add(row, host: host)
            if case .failed(let error) = row.outcome { reasons.add(error) }
            guard table.take(row) else { continue }
            var pair: ReportImages.Pair?
            if case .filtered = row.outcome, number < ReportImages.mostRows { pair = images(number) }
            if pair != nil { pairs += 1 }
            table.add(row, number: number, host: host, images: pair)
            if table.isBlockFull { table.writeBlock(to: &page) }
            if page.isFull { try write(page.take()) }
        }
        table.writeBlock(to: &page)
        page += imagesSection(pairs)
        page += failuresSection(reasons)
        page += hostsSection(hosts)
        if page.isFull { try write(page.take()) }
        page += tableSection(table, reasons, hosts)
        page += ending
        try write(page.take())
    }
}

/// The part of a page that is not written yet.
struct PageBuffer {
    private(set) var bytes = Data()

    var isFull: Bool { bytes.count >= 65_536 }

    static func += (page: inout PageBuffer, text: some Sequence<UInt8>) { page.bytes.append(contentsOf: text) }
    static func += (page: inout PageBuffer, text: String) { page.bytes.append(contentsOf: text.utf8) }

    mutating func take() -> Data {
        defer { bytes = Data() }
        return bytes
    }
}
