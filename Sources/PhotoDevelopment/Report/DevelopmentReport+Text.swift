import FoundationEssentials

extension DevelopmentReport.Format {
    /// Hands the text of rows on in pieces of some 64 kB.
    func write<Failure: Error>(
        _ rows: some Sequence<ReportRow>, to take: (Data) throws(Failure) -> Void
    ) throws(Failure) {
        var buffer = Data(beginning.utf8)
        for row in rows {
            buffer.append(contentsOf: text(of: row).utf8)
            guard buffer.count >= 1 << 16 else { continue }
            try take(buffer)
            buffer.removeAll(keepingCapacity: true)
        }
        try take(buffer)
    }

    private var beginning: String { self == .csv ? ReportRow.header : "" }

    private func text(of row: ReportRow) -> String { self == .csv ? row.csv : row.json }
}
