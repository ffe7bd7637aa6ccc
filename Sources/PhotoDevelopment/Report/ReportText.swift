import FoundationEssentials

/// A report that has a line for each row.
struct ReportText: Sendable {
    /// - Parameter variants: The names of the run's variants.
    static func csv(variants: [String]) -> ReportText {
        ReportText(beginning: ReportRow.header(variants: variants)) { $0.csv(variants: variants) }
    }

    /// - Parameter variants: The names of the run's variants.
    static func json(variants: [String]) -> ReportText {
        ReportText(beginning: "") { $0.json(variants: variants) }
    }

    private let beginning: String
    private let line: @Sendable (ReportRow) -> String

    private init(beginning: String, line: @escaping @Sendable (ReportRow) -> String) {
        self.beginning = beginning
        self.line = line
    }

    /// Hands the text of rows on in pieces of some 64 kB.
    func write<Failure: Error>(
        _ rows: some Sequence<ReportRow>, to take: (Data) throws(Failure) -> Void
    ) throws(Failure) {
        var buffer = Data(beginning.utf8)
        for row in rows {
            buffer.append(contentsOf: line(row).utf8)
            guard buffer.count >= 1 << 16 else { continue }
            try take(buffer)
            buffer.removeAll(keepingCapacity: true)
        }
        try take(buffer)
    }
}
