/// A `Content-Range` of bytes (RFC 9110, 14.4).
struct ContentRange: Hashable, Sendable {
    var first: Int
    var last: Int
    /// The length of the whole; nil for `*`.
    var total: Int?

    /// Reads `bytes 0-99/100`; nil for anything else, also for the form without a range that comes with status 416.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let sides = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            // What ends there has a length that no number here holds.
            last < .max
        else { return nil }
        if sides[1] != "*" {
            guard let total = Self.number(sides[1]), last < total else { return nil }
            self.total = total
        }
        self.first = first
        self.last = last
    }

    private static func number(_ digits: Substring) -> Int? {
        digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
    }
}
