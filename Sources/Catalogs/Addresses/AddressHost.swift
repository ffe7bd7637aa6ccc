import Transfers

/// The authority of a web address, checked, with its host in ASCII.
enum AddressHost {
    /// - Parameter authority: What stands between `//` and the next `/`, `?` or `#`.
    /// - Returns: The authority for a URL, or the reason why it is none.
    static func encoded(_ authority: ArraySlice<UInt8>) -> Result<String, Reason> {
        var user = ""
        var rest = authority
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            let text = PercentCoding.encodedReference(authority[..<at])
            user = text.replacing("/", with: "%2F").replacing("@", with: "%40") + "@"
            rest = authority[(at + 1)...]
        }
        var host = rest
        var port = rest[rest.endIndex...]
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return .failure("the host's “]” is missing") }
            host = rest[...end]
            port = rest[(end + 1)...]
            guard port.isEmpty || port.first == Byte.colon else { return .failure("its host is no host") }
        } else if let colon = rest.lastIndex(of: Byte.colon) {
            host = rest[..<colon]
            port = rest[colon...]
        }
        guard !host.isEmpty else { return .failure("it has no host") }
        guard isPort(port.dropFirst()) else { return .failure("its port is no number from 0 to 65535") }
        guard rest.first == UInt8(ascii: "[") || host.allSatisfy(isHostByte) else {
            return .failure("its host is no host")
        }
        guard let ascii = HostName.ascii(String(decoding: host, as: UTF8.self)) else {
            return .failure("its host is no host")
        }
        return .success(user + ascii + String(decoding: port, as: UTF8.self))
    }

    /// Why an authority is none.
    struct Reason: Error, ExpressibleByStringLiteral {
        var text: String
        init(stringLiteral value: String) { text = value }
    }

    private static func isPort(_ digits: ArraySlice<UInt8>) -> Bool {
        guard digits.allSatisfy(Byte.isDigit) else { return false }
        let number = digits.drop { $0 == UInt8(ascii: "0") }
        return number.count < 6 && number.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 65_535
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        Byte.isLetter(byte) || Byte.isDigit(byte) || byte >= 0x80 || "-._~%!$&'()*+,;=".utf8.contains(byte)
    }
}
