/// An address as somebody wrote it, spelt so that libcurl reads in it what the URL standard does.
///
/// libcurl refuses what browsers mend (spaces, backslashes, an `@` in a password), and takes what they refuse. This brings
/// the one into the form that both read alike, and refuses the other; which part is what, libcurl then says.
struct AddressSpelling {
    /// What was written.
    enum Form {
        /// An address with a host.
        case absolute
        /// A path or a query, in an address that is known otherwise.
        case relative
        /// That address itself.
        case same
    }

    private var bytes: [UInt8]
    /// The end of what counts in it, and the place that is read next.
    private var end: Int
    private var index = 0
    private var output: [UInt8] = []

    init(_ text: [UInt8]) {
        bytes = text
        if bytes.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) {
            bytes.removeAll { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        }
        end = bytes.count
        while end > 0, bytes[end - 1] <= 0x20 { end -= 1 }
        while index < end, bytes[index] <= 0x20 { index += 1 }
        output.reserveCapacity(bytes.count + 16)
    }

    /// What libcurl is to read.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        // No byte is a zero: hosts have none, and elsewhere it is escaped.
        (output + [0]).withUnsafeBytes { raw in
            raw.withMemoryRebound(to: CChar.self) { text in
                // The array has the zero at least.
                text.baseAddress.map(body) ?? "".withCString(body)
            }
        }
    }

    /// Spells all of it.
    /// - Parameter base: The scheme of the address that it may be relative to.
    mutating func spell(relativeTo base: String?) throws(WebAddress.ParsingError) -> Form {
        var scheme = base
        var isAbsolute = false
        if let length = AddressScheme.length(bytes[index..<end]) {
            let own = String(decoding: bytes[index..<index + length], as: UTF8.self).lowercased()
            guard own == "http" || own == "https" else { throw .scheme(own) }
            index += length + 1
            isAbsolute = own != base
            scheme = own
        }
        guard let scheme else { throw .relative }
        if isSlash(index) && isSlash(index + 1) { isAbsolute = true }
        guard isAbsolute else {
            guard index < end, bytes[index] != Sign.hash else { return .same }
            // So that a colon in the first component is not a scheme's.
            if !isSlash(index), bytes[index] != Sign.question { output += "./".utf8 }
            spellPathAndQuery()
            return .relative
        }
        while isSlash(index) { index += 1 }
        output += scheme.utf8
        output += "://".utf8
        try spellAuthority()
        spellPathAndQuery()
        return .absolute
    }

    private func isSlash(_ place: Int) -> Bool {
        place < end && (bytes[place] == Sign.slash || bytes[place] == Sign.backslash)
    }

    // MARK: Who

    private mutating func spellAuthority() throws(WebAddress.ParsingError) {
        var stop = index
        var at: Int?
        while stop < end, !isSlash(stop), bytes[stop] != Sign.question, bytes[stop] != Sign.hash {
            if bytes[stop] == Sign.at { at = stop }
            stop += 1
        }
        if let at {
            spellUserInfo(bytes[index..<at])
            index = at + 1
        }
        var host = bytes[index..<stop]
        guard !host.isEmpty else { throw .noHost }
        var port = host[host.endIndex...]
        if host.first == Sign.openBracket {
            guard let close = host.firstIndex(of: Sign.closeBracket) else { throw .openBracket }
            port = host[(close + 1)...]
            guard port.isEmpty || port.first == Sign.colon else { throw .host }
            host = host[...close]
        } else if let colon = host.firstIndex(of: Sign.colon) {
            port = host[colon...]
            host = host[..<colon]
            guard !host.isEmpty else { throw .noHost }
        }
        guard let name = HostName.ascii(host) else { throw .host }
        guard port.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }) else { throw .port }
        output += name
        // A colon alone stands for the scheme's own port.
        if port.count > 1 { output += port }
        index = stop
    }

    private mutating func spellUserInfo(_ text: ArraySlice<UInt8>) {
        let colon = text.firstIndex(of: Sign.colon)
        let user = text[..<(colon ?? text.endIndex)]
        let password = colon.map { text[($0 + 1)...] } ?? []
        guard !user.isEmpty || !password.isEmpty else { return }
        for byte in user { append(byte, isEscaped: EscapedBytes.userInfo.contains(byte)) }
        if !password.isEmpty { output.append(Sign.colon) }
        for byte in password { append(byte, isEscaped: EscapedBytes.userInfo.contains(byte)) }
        output.append(Sign.at)
    }

    // MARK: What

    private mutating func spellPathAndQuery() {
        var start = output.count
        while index < end, bytes[index] != Sign.question, bytes[index] != Sign.hash {
            if isSlash(index) {
                spellDots(from: start)
                output.append(Sign.slash)
                start = output.count
            } else {
                append(bytes[index], isEscaped: EscapedBytes.path.contains(bytes[index]))
            }
            index += 1
        }
        spellDots(from: start)
        while index < end, bytes[index] != Sign.hash {
            append(bytes[index], isEscaped: EscapedBytes.query.contains(bytes[index]))
            index += 1
        }
    }

    /// Takes `%2e` for the dot that it stands for in `.` and `..`, which libcurl does not.
    private mutating func spellDots(from start: Int) {
        guard start < output.count, output.count - start <= 6 else { return }
        var place = start
        var dots = 0
        while place < output.count {
            if output[place] == Sign.dot {
                place += 1
            } else if place + 2 < output.count, output[place] == Sign.percent, output[place + 1] == UInt8(ascii: "2"),
                output[place + 2] | 0x20 == UInt8(ascii: "e")
            {
                place += 3
            } else {
                return
            }
            dots += 1
        }
        guard dots <= 2, dots < output.count - start else { return }
        output.removeSubrange(start...)
        output.append(contentsOf: repeatElement(Sign.dot, count: dots))
    }

    private mutating func append(_ byte: UInt8, isEscaped: Bool) {
        guard isEscaped else { return output.append(byte) }
        let digits: StaticString = "0123456789ABCDEF"
        output.append(Sign.percent)
        output.append(digits.utf8Start[Int(byte >> 4)])
        output.append(digits.utf8Start[Int(byte & 0xF)])
    }
}

/// Signs that part an address.
private enum Sign {
    static let slash = UInt8(ascii: "/")
    static let backslash = UInt8(ascii: "\\")
    static let question = UInt8(ascii: "?")
    static let hash = UInt8(ascii: "#")
    static let at = UInt8(ascii: "@")
    static let colon = UInt8(ascii: ":")
    static let dot = UInt8(ascii: ".")
    static let percent = UInt8(ascii: "%")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
}

/// Bytes that are written as escapes in a part of an address (URL standard, 1.3); a set of 128 bits and all others.
private struct EscapedBytes {
    private let low: UInt64
    private let high: UInt64

    static let path = EscapedBytes(" \"#<>?^`{}")
    static let query = EscapedBytes(" \"#<>'")
    static let userInfo = EscapedBytes(" \"#<>?^`{}/:;=@[\\]|")

    private init(_ signs: String) {
        var (low, high): (UInt64, UInt64) = (0xFFFF_FFFF, 1 << 63)
        for sign in signs.utf8 {
            if sign < 64 { low |= 1 << UInt64(sign) } else { high |= 1 << UInt64(sign - 64) }
        }
        self.low = low
        self.high = high
    }

    func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return low & (1 << UInt64(byte)) != 0 }
        return byte >= 128 || high & (1 << UInt64(byte - 64)) != 0
    }
}
