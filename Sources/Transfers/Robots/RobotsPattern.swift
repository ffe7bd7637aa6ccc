/// The path of a rule in a robots.txt: the beginning of paths, with `*` for anything and `$` at its end for the end (RFC 9309,
/// 2.2.2 and 2.2.3).
struct RobotsPattern {
    /// How much of a path is searched for what stands behind a `*`, in bytes. The ends of patterns are compared in any case.
    static let longestSearch = 4_096

    /// In the form of ``canonical(_:escapesWildcards:escapesInQuery:)``.
    private let bytes: ArraySlice<UInt8>

    /// - Parameter bytes: In the form of ``canonical(_:escapesWildcards:escapesInQuery:)``.
    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// How long it is, in bytes.
    var length: Int { bytes.count }

    /// Whether what stands behind its first `*` can be in a query, although it has no question mark.
    var canReachIntoQuery: Bool { bytes.contains(UInt8(ascii: "*")) }

    /// Whether it fits a path with its query.
    /// - Parameters:
    ///   - path: In the form of ``canonical(_:escapesWildcards:escapesInQuery:)``.
    ///   - budget: How many bytes may still be compared. Where it falls below 0, the answer means nothing.
    func matches(_ path: [UInt8], budget: inout Int) -> Bool {
        budget -= 1 + bytes.count
        let star = UInt8(ascii: "*")
        let isToTheEnd = bytes.last == UInt8(ascii: "$")
        let pattern = isToTheEnd ? bytes.dropLast() : bytes
        let first = pattern.prefix { $0 != star }
        guard path.starts(with: first) else { return false }
        guard first.count < pattern.count else { return !isToTheEnd || first.count == path.count }
        let pieces = pattern.dropFirst(first.count + 1).split(separator: star, omittingEmptySubsequences: false)
        var place = first.count
        // Where a piece is found first there is the most left for the others.
        for (number, piece) in pieces.enumerated() {
            if isToTheEnd, number == pieces.count - 1 {
                return path.count - piece.count >= place && path.suffix(piece.count).elementsEqual(piece)
            }
            guard let found = Self.firstPlace(of: piece, in: path, from: place, budget: &budget) else { return false }
            place = found + piece.count
        }
        return true
    }

    private static func firstPlace(
        of piece: ArraySlice<UInt8>, in path: [UInt8], from start: Int, budget: inout Int
    ) -> Int? {
        let last = min(path.count, longestSearch) - piece.count
        guard last >= start else { return nil }
        for place in start...last where budget >= 0 {
            var count = 0
            while count < piece.count, path[place + count] == piece[piece.startIndex + count] { count += 1 }
            budget -= count + 1
            if count == piece.count { return place }
        }
        return nil
    }

    /// A path in the one form in which all ways to write it are the same: letters, digits, `-`, `.`, `_` and `~` as they are, what is
    /// no ASCII escaped, and what separates an address also where it stands in the query.
    /// - Parameters:
    ///   - escapesWildcards: Whether `*` and `$` stand for themselves.
    ///   - escapesInQuery: Whether separators behind the question mark are escaped. A pattern without one has them as they are.
    static func canonical(_ text: [UInt8], escapesWildcards: Bool, escapesInQuery: Bool = true) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var (place, isInQuery) = (0, false)
        while place < text.count {
            var byte = text[place]
            var isEscaped = false
            if byte == UInt8(ascii: "%"), place + 2 < text.count,
                let high = value(of: text[place + 1]), let low = value(of: text[place + 2])
            {
                byte = high << 4 | low
                isEscaped = true
                place += 2
            }
            place += 1
            // A dollar that is not the last one stands for itself.
            let isLiteral =
                byte == UInt8(ascii: "*") && escapesWildcards
                || byte == UInt8(ascii: "$") && (escapesWildcards || place < text.count)
            let needsEscape =
                !isUnreserved(byte)
                && (isEscaped || byte <= 0x20 || byte >= 0x7F || isLiteral
                    || escapesInQuery && isInQuery && separators.contains(byte))
            if !isEscaped, byte == UInt8(ascii: "?") { isInQuery = true }
            if needsEscape {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else if byte != UInt8(ascii: "*") || result.last != byte {
                // Several are as one.
                result.append(byte)
            }
        }
        return result
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let separators = Array(":/?#[]@".utf8)

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
