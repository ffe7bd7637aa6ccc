import CGLib

extension Character {
    /// How many columns of a terminal it takes: two for letters of Korean and their like.
    var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if g_unichar_iszerowidth(first.value) != 0 { return 0 }
        return g_unichar_iswide(first.value) != 0 ? 2 : 1
    }
}

extension String {
    /// How many columns of a terminal it takes.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// As much of its beginning as goes into so many columns.
    func prefix(columns: Int) -> String {
        var left = columns
        return String(
            prefix { character in
                left -= character.columns
                return left >= 0
            })
    }
}
