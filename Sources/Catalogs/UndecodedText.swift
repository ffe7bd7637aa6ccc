extension Catalog {
    /// Text beside names and addresses that is not UTF-8, in rows of a table that are sound otherwise.
    ///
    /// Where such a row's entry is told, U+FFFD stands for what cannot be read. Bytes of a name or an address that are not UTF-8 are a flaw of
    /// their row.
    public struct UndecodedText: Sendable, Hashable {
        /// How many rows have such text, at least 1.
        public private(set) var rows: Int
        /// The line where the first of them begins, counted from 1.
        public private(set) var line: Int

        init(line: Int) { (rows, self.line) = (1, line) }

        /// What two parts of a catalog have, of which the first comes first.
        package static func sum(_ first: Self?, _ second: Self?) -> Self? {
            guard var sum = first, let second else { return first ?? second }
            sum.rows += second.rows
            return sum
        }
    }
}
