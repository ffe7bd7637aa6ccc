/// Which rows brought the same bytes, so that the first of them is developed and the others take over what became of it.
///
/// A plain value; it costs about fifty bytes for each row that was developed. A failure is taken over by those that wait for it, and
/// whoever comes later is developed as the first one was.
struct RepeatedContents {
    /// What to do with a row that brought what another one had brought before.
    enum Role {
        /// The other one is on its way; ``finish(_:_:)`` gives this one back when that has come to its end.
        case wait
        /// The other one has come to its end; nil stands for results that it has.
        case takeOver(ReportRow.Outcome?)
    }

    /// A row on its way that was the first with its bytes.
    private struct Leader {
        let digest: ContentDigest
        /// How many have brought the same bytes, and have not asked for their role yet.
        var arrived = 0
        var waiting: [Int] = []
        var outcome: ReportRow.Outcome?
    }

    private var rows: [ContentDigest: Int32] = [:]
    private var leaders: [Int: Leader] = [:]
    private var endings: ResultEndings
    /// What is wrong with the data of rows that were the first with their bytes, and were kept all the same.
    private var damages: [Int: String] = [:]
    private let shown: Int

    /// - Parameters:
    ///   - shown: How many rows of the catalog have small pictures in the report: what one of these is to show is never left to a row
    ///     that has none.
    ///   - endings: The endings of the results of earlier runs.
    init(shown: Int, endings: ResultEndings) {
        (self.shown, self.endings) = (shown, endings)
    }

    /// The bytes of a row are there.
    ///
    /// - Returns: The row that brought the same ones before, for ``join(behind:_:)``; nil where this one is developed.
    mutating func arrive(_ row: Int, _ digest: ContentDigest) -> Int? {
        guard let leader = rows[digest].map(Int.init) else {
            rows[digest] = Int32(clamping: row)
            leaders[row] = Leader(digest: digest)
            return nil
        }
        // It has come again, or has something to show.
        if leader == row || (row < shown && leader >= shown) { return nil }
        leaders[leader]?.arrived += 1
        return leader
    }

    /// Says what to do with a row that ``arrive(_:_:)`` has sent behind another one; once for each.
    mutating func join(behind leader: Int, _ row: Int) -> Role {
        guard let outcome = leaders[leader]?.outcome else {
            guard leaders[leader] != nil else { return .takeOver(nil) }
            leaders[leader]?.arrived -= 1
            leaders[leader]?.waiting.append(row)
            return .wait
        }
        leaders[leader]?.arrived -= 1
        if leaders[leader]?.arrived == 0 { leaders[leader] = nil }
        return .takeOver(outcome)
    }

    /// The endings of the names of a row's results, where it was the first with its bytes.
    func endings(of row: Int) -> [String?] { endings[row] }

    /// What is wrong with the data of a row that was the first with its bytes, and was kept all the same.
    func damage(of row: Int) -> String? { damages[row] }

    /// The digest of a row that is the first with its bytes, until it has come to its end.
    func digest(of row: Int) -> ContentDigest? { leaders[row]?.digest }

    /// A row has come to its end.
    ///
    /// - Returns: The rows that wait for it.
    mutating func finish(_ row: Int, _ outcome: ReportRow.Outcome) -> [Int] {
        guard var leader = leaders[row], leader.outcome == nil else { return [] }
        if case .filtered(let files, let damage) = outcome {
            endings.note(files, of: row)
            damages[row] = damage
        } else {
            rows[leader.digest] = nil
        }
        let waiting = leader.waiting
        (leader.waiting, leader.outcome) = ([], outcome)
        leaders[row] = leader.arrived > 0 ? leader : nil
        return waiting
    }

    /// An earlier run developed a row with these bytes.
    ///
    /// - Parameter damage: What is wrong with them, if they were kept all the same.
    mutating func pass(_ row: Int, _ digest: ContentDigest, damage: String? = nil) {
        guard rows[digest] == nil else { return }
        rows[digest] = Int32(clamping: row)
        damages[row] = damage
    }
}
