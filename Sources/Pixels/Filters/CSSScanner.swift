/// Reads the tokens of CSS that filters need, from the bytes of a text.
///
/// Follows CSS Syntax Module Level 3 for white space, comments, identifiers with escapes, and numbers.
struct CSSScanner {
    private let text: String
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position >= bytes.count }

    private func byte(at index: Int) -> UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    /// An error at `offset`, or at the current position.
    func error(_ reason: FilterSyntaxError.Reason, at offset: Int? = nil) -> FilterSyntaxError {
        let offset = offset ?? position
        let before = String(decoding: bytes[..<min(offset, bytes.count)], as: UTF8.self)
        return FilterSyntaxError(reason: reason, offset: offset, column: before.count + 1)
    }

    /// Skips white space and comments.
    ///
    /// - Returns: Whether there was white space.
    @discardableResult
    mutating func skipSpace() throws(FilterSyntaxError) -> Bool {
        var hasSpace = false
        while let next = byte(at: position) {
            if next.isCSSSpace {
                hasSpace = true
                position += 1
            } else if next == UInt8(ascii: "/"), byte(at: position + 1) == UInt8(ascii: "*") {
                position += 2
                while !isAtEnd, byte(at: position) != UInt8(ascii: "*") || byte(at: position + 1) != UInt8(ascii: "/") {
                    position += 1
                }
                // The end of the text closes a comment, too.
                position = min(position + 2, bytes.count)
            } else {
                break
            }
        }
        return hasSpace
    }

    /// Whether one byte is the next.
    func isAt(_ character: Unicode.Scalar) -> Bool {
        byte(at: position) == UInt8(ascii: character)
    }

    /// Takes one byte if it is the next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        position += 1
        return true
    }

    /// Takes an identifier, with escapes resolved and ASCII letters in lower case.
    mutating func takeIdentifier() -> String? {
        let start = position
        var name: [UInt8] = []
        while let next = byte(at: position) {
            if next == UInt8(ascii: "\\") {
                guard let escaped = takeEscape() else { break }
                name.append(contentsOf: escaped)
            } else if next.isCSSName, !next.isASCIIDigit || isPastStart(name) {
                name.append(next.asciiLowercased)
                position += 1
            } else {
                break
            }
        }
        // A lone hyphen is a delimiter.
        guard !name.isEmpty, name != [UInt8(ascii: "-")] else {
            position = start
            return nil
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// Takes letters, digits, hyphens, underscores and escapes, in lower case; unlike an identifier they may begin anyhow.
    mutating func takeName() -> String? {
        var name: [UInt8] = []
        while let next = byte(at: position) {
            if next == UInt8(ascii: "\\") {
                guard let escaped = takeEscape() else { break }
                name.append(contentsOf: escaped)
            } else if next.isCSSName {
                name.append(next.asciiLowercased)
                position += 1
            } else {
                break
            }
        }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    /// Whether a digit may follow: not at the start of an identifier nor after a single leading hyphen.
    private func isPastStart(_ name: [UInt8]) -> Bool {
        !name.isEmpty && name != [UInt8(ascii: "-")]
    }

    /// Takes a backslash with up to six hexadecimal digits and one white space, or with any other character.
    private mutating func takeEscape() -> [UInt8]? {
        guard let first = byte(at: position + 1), first != 10, first != 12, first != 13 else { return nil }
        position += 1
        var value: UInt32 = 0
        var digits = 0
        while digits < 6, let digit = byte(at: position)?.hexadecimalValue {
            value = value << 4 | digit
            digits += 1
            position += 1
        }
        guard digits > 0 else {
            position += 1
            return [first.asciiLowercased]
        }
        if byte(at: position) == 13, byte(at: position + 1) == 10 { position += 1 }
        if let next = byte(at: position), next.isCSSSpace { position += 1 }
        let scalar = value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
        return String(Character(scalar)).utf8.map(\.asciiLowercased)
    }

    /// Takes a number: sign, digits, fraction and exponent; a dot needs a digit after it.
    mutating func takeNumber() -> Double? {
        var end = position
        if let sign = byte(at: end), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { end += 1 }
        let whole = digits(from: end)
        end += whole
        var fraction = 0
        if byte(at: end) == UInt8(ascii: ".") {
            fraction = digits(from: end + 1)
            if fraction > 0 { end += 1 + fraction }
        }
        guard whole + fraction > 0 else { return nil }
        if let mark = byte(at: end), mark.asciiLowercased == UInt8(ascii: "e") {
            var exponent = end + 1
            if let sign = byte(at: exponent), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { exponent += 1 }
            let count = digits(from: exponent)
            if count > 0 { end = exponent + count }
        }
        let literal = String(decoding: bytes[position..<end], as: UTF8.self)
        guard let value = Double(literal) else { return nil }
        position = end
        return value
    }

    private func digits(from start: Int) -> Int {
        var end = start
        while let next = byte(at: end), next.isASCIIDigit { end += 1 }
        return end - start
    }
}

extension UInt8 {
    fileprivate var isCSSSpace: Bool { self == 32 || self == 9 || self == 10 || self == 12 || self == 13 }

    fileprivate var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    fileprivate var isCSSName: Bool {
        self >= 0x80 || isASCIIDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
            || (asciiLowercased >= UInt8(ascii: "a") && asciiLowercased <= UInt8(ascii: "z"))
    }

    fileprivate var asciiLowercased: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self + 32 : self
    }

    fileprivate var hexadecimalValue: UInt32? {
        switch asciiLowercased {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(asciiLowercased - UInt8(ascii: "a")) + 10
        default: nil
        }
    }
}
