import Wording

/// What a person may have meant by a word that is not known.
enum Suggestion {
    /// `; did you mean develop?`, or nothing where no word is near.
    ///
    /// Near is a word that begins with what was typed, or one that a few slips of the finger make of it: a letter wrong,
    /// missing, one too many, or two that changed places. One slip in a short word, up to three in a long one.
    static func text(for typed: String, among words: some Sequence<String>) -> String {
        nearest(to: typed, among: words).map { tr("; did you mean \($0)?") } ?? ""
    }

    static func nearest(to typed: String, among words: some Sequence<String>) -> String? {
        let letters = typed.lowercased().drop { $0 == "-" }
        guard letters.count >= 2 else { return nil }
        let slips = min(3, max(1, letters.count / 3))
        let ranked = words.compactMap { word -> (word: String, rank: (Int, Int))? in
            let other = word.lowercased().drop { $0 == "-" }
            let distance = other.hasPrefix(letters) ? 0 : distance(Array(letters), Array(other))
            // Among equals the first letter is seldom the wrong one.
            return distance > slips ? nil : (word, (distance, letters.first == other.first ? 0 : 1))
        }
        return ranked.min { $0.rank < $1.rank }?.word
    }

    /// The slips between two words (optimal string alignment).
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var rows = [Array(0...other.count)]
        for (row, letter) in one.enumerated() {
            var next = [row + 1]
            for (column, wanted) in other.enumerated() {
                let replaced = rows[row][column] + (letter == wanted ? 0 : 1)
                var best = min(replaced, rows[row][column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, letter == other[column - 1], one[row - 1] == wanted {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[one.count][other.count]
    }
}
