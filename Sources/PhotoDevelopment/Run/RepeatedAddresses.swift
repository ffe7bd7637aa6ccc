/// Which rows name the same address, so that the first of them is developed and the others take over what became of it.
///
/// A plain value. Only rows whose address is there more than once cost anything, about a hundred bytes each; making it takes about two
/// bytes a row for the moment.
struct RepeatedAddresses {
    /// What to do with a row.
    enum Role {
        /// The row is developed: it is the first with its address, or the only one.
        case develop
        /// The first row is on its way; ``finish(_:_:)`` gives this one back when it has come to its end.
        case wait
        /// The first row, which has this number, has come to its end.
        case takeOver(ReportRow.Outcome, from: Int)
    }

    private struct Group {
        /// The rows behind the first.
        var others: [Int] = []
        /// The one that is developed; nil until one has begun.
        var leader: Int?
        var outcome: ReportRow.Outcome?
        var waiting: [Int] = []
    }

    /// The first row with the address, for the rows behind it.
    private var first: [Int: Int] = [:]
    /// By their first row.
    private var groups: [Int: Group] = [:]

    /// - Parameters:
    ///   - count: How many rows there are.
    ///   - address: The address of a row as it is written; what is written in two ways is fetched twice. Addresses are
    ///     compared by their bytes: two strings that Swift calls equal may name two files (é as one character, and as two).
    init(count: Int, address: (Int) -> String) {
        let groups = RowGroups.sharing(count: count, bits: \.second) { row in
            var address = address(row)
            return address.withUTF8 { AddressDigest(of: $0) }
        }
        for rows in groups {
            self.groups[rows[0]] = Group(others: Array(rows.dropFirst()))
            for row in rows.dropFirst() { first[row] = rows[0] }
        }
    }

    /// The rows behind one that is developed, below a bound.
    func others(behind row: Int, below bound: Int) -> [Int] {
        groups[first[row] ?? row]?.others.filter { $0 > row && $0 < bound } ?? []
    }

    /// Says what to do with a row; rows come in order.
    mutating func begin(_ row: Int) -> Role {
        let key = first[row] ?? row
        // Not the whole group: those that wait would be copied with each that is added.
        guard let (leader, outcome) = groups[key].map({ ($0.leader, $0.outcome) }) else { return .develop }
        if let outcome { return .takeOver(outcome, from: leader ?? key) }
        guard leader != nil else {
            groups[key]?.leader = row
            return .develop
        }
        groups[key]?.waiting.append(row)
        return .wait
    }

    /// A row is left alone, as its files are there: those that follow take them over.
    ///
    /// - Parameter damage: What is wrong with its data, if it was kept all the same.
    mutating func pass(_ row: Int, files: [String], damage: String? = nil) {
        let key = first[row] ?? row
        guard let group = groups[key], group.leader == nil, group.outcome == nil else { return }
        groups[key]?.outcome = .filtered(files: files, damage: damage)
        groups[key]?.leader = row
    }

    /// A row has come to its end.
    ///
    /// - Returns: The rows that wait for it.
    mutating func finish(_ row: Int, _ outcome: ReportRow.Outcome) -> [Int] {
        let key = first[row] ?? row
        guard var group = groups[key], group.leader == row, group.outcome == nil else { return [] }
        group.outcome = outcome
        defer { groups[key] = group }
        return group.waiting.take()
    }

    /// A row that was to be developed never will be. The next one that begins takes its place.
    ///
    /// - Returns: How many rows have waited for it, and do not any more.
    mutating func forget(_ row: Int) -> Int {
        if groups.isEmpty { return 0 }
        let key = first[row] ?? row
        guard groups[key]?.leader == row else { return 0 }
        groups[key]?.leader = nil
        return groups[key]?.waiting.take().count ?? 0
    }
}

extension Array {
    fileprivate mutating func take() -> [Element] {
        defer { self = [] }
        return self
    }
}
