import Transfers

/// The names of a file that follow one after the other: `name.jpg`, `name (2).jpg`, `name (3).jpg`.
struct NumberedName {
    private let beginning: Substring
    private let ending: Substring
    private var number: Int

    /// - Parameter path: The path that the first of them follows; it may have a number already.
    init(after path: String) {
        let name = path.lastSlash.map { path.utf8.index(after: $0) } ?? path.startIndex
        let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
        let whole = path[..<dot]
        ending = path[dot...]
        // Longer ones are no numbers of copies, and may be too large for an integer.
        if whole.hasSuffix(")"), let open = whole.lastIndex(of: "("), open > name, whole[..<open].hasSuffix(" "),
            case let digits = whole[whole.index(after: open)...].dropLast(), (1...9).contains(digits.count),
            digits.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(digits)
        {
            self.number = number
            beginning = whole[..<open].dropLast()
        } else {
            number = 1
            beginning = whole
        }
    }

    /// The path with the next number.
    mutating func next() -> String {
        number += 1
        return "\(beginning) (\(number))\(ending)"
    }
}
