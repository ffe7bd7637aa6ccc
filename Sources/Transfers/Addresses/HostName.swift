import CIDN2
import Glibc

/// The host of an address.
enum HostName {
    /// A host as the name system and libcurl have it: a name in ASCII and small letters, or an IPv6 address in its usual
    /// form; nil if it is no host.
    ///
    /// By the URL standard's host parser: escapes are decoded, UTS 46 without the transitional mappings makes ASCII of what
    /// is not, in any normal form, and what results has none of the signs that part an address. IPv4 addresses in other
    /// notations are left to libcurl.
    static func ascii(_ host: ArraySlice<UInt8>) -> [UInt8]? {
        if host.first == UInt8(ascii: "[") { return address(host.dropFirst().dropLast()) }
        var name = Array(host)
        if !name.allSatisfy(isPlain) {
            guard let ascii = mapped(name) else { return nil }
            name = ascii
        }
        // A number may end with the dot of the root, and is the same without.
        if name.last == UInt8(ascii: "."), name.count > 1, endsInNumber(name) { name.removeLast() }
        return name
    }

    /// Whether the last label is a number, so that a host can only be an IPv4 address (URL standard, "ends in a number").
    static func endsInNumber(_ host: some BidirectionalCollection<UInt8>) -> Bool {
        var labels = host[...]
        if labels.last == UInt8(ascii: ".") { labels.removeLast() }
        let last = labels.lastIndex(of: UInt8(ascii: ".")).map { labels[labels.index(after: $0)...] } ?? labels
        if last.isEmpty { return false }
        if last.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        let digits = last.dropFirst(2)
        return (last.starts(with: "0x".utf8) || last.starts(with: "0X".utf8))
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    }

    /// The network address that a host is, if it is one in its usual form.
    static func literal(_ host: String) -> IPAddress? {
        IPAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    }

    /// What stands in brackets; an IPv6 address of this machine's links, with a zone, is none here.
    private static func address(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard let address = IPAddress(String(decoding: text, as: UTF8.self)), address.version == .v6 else {
            return nil
        }
        return Array("[\(address)]".utf8)
    }

    private static func mapped(_ host: [UInt8]) -> [UInt8]? {
        let decoded = host.contains(UInt8(ascii: "%")) ? PercentEscapes.decoded(host) : host
        guard !decoded.contains(0), String(validating: decoded, as: UTF8.self) != nil else { return nil }
        var name = decoded
        if !name.allSatisfy({ $0 < 0x80 }) {
            guard let ascii = lookedUp(String(decoding: decoded, as: UTF8.self)) else { return nil }
            name = ascii
        }
        for index in name.indices where (0x41...0x5A).contains(name[index]) { name[index] |= 0x20 }
        return name.isEmpty || name.contains(where: isForbidden) ? nil : name
    }

    /// A host by UTS 46, label by label.
    ///
    /// Plain labels in ASCII stay what they are: libidn2 would refuse hyphens in them that the name system takes.
    private static func lookedUp(_ host: String) -> [UInt8]? {
        var name: [UInt8] = []
        let labels = host.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: isDot)
        for (index, label) in labels.enumerated() {
            if index > 0 { name.append(UInt8(ascii: ".")) }
            let isEncoded = label.prefix(4).map { $0.properties.lowercaseMapping }.joined() == "xn--"
            if label.allSatisfy(\.isASCII), !isEncoded {
                name += label.map { UInt8($0.value) }
                continue
            }
            guard let ascii = lookedUp(label: label) else { return nil }
            name += ascii
        }
        return name
    }

    /// The dots of UTS 46: all of them part labels.
    private static func isDot(_ scalar: Unicode.Scalar) -> Bool {
        [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"].contains(scalar)
    }

    private static func lookedUp(label: String.UnicodeScalarView.SubSequence) -> [UInt8]? {
        // The capital sharp s is the small one since Unicode 15.1, and "ss" in the tables of older libraries.
        let label = label.map { $0 == "\u{1E9E}" ? "\u{DF}" : $0 }
        let text = Array(String(String.UnicodeScalarView(label)).utf8) + [0]
        func lookUp(_ mapping: idn2_flags) -> (code: Int32, ascii: [UInt8]) {
            var output: UnsafeMutablePointer<UInt8>?
            let flags = Int32(IDN2_NFC_INPUT.rawValue) | Int32(mapping.rawValue)
            let code = text.withUnsafeBufferPointer { idn2_lookup_u8($0.baseAddress, &output, flags) }
            guard let output else { return (code, []) }
            defer { idn2_free(output) }
            return (code, Array(UnsafeBufferPointer(start: output, count: strlen(output))))
        }
        var result = lookUp(IDN2_NONTRANSITIONAL)
        // libidn2 takes what IDNA 2008 has no letters for, such as emoji, in the transitional mapping only. The two differ
        // in four letters, and the transitional one does not test the order of letters that are read from the right.
        if result.code == IDN2_DISALLOWED.rawValue, !label.contains(where: { isDeviation($0) || isRightToLeft($0) }) {
            result = lookUp(IDN2_TRANSITIONAL)
        }
        return result.code == IDN2_OK.rawValue ? result.ascii : nil
    }

    /// A letter that only the transitional mapping changes: sharp s, final sigma, and the joiners.
    private static func isDeviation(_ scalar: Unicode.Scalar) -> Bool {
        ["\u{DF}", "\u{3C2}", "\u{200C}", "\u{200D}"].contains(scalar)
    }

    /// Whether a letter is of the blocks that Unicode has set aside for scripts that are read from the right.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }

    /// What most hosts consist of.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }

    /// The URL standard's forbidden domain code points.
    private static func isForbidden(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte >= 0x7F || "#/:<>?@[\\]^|%".utf8.contains(byte)
    }
}
