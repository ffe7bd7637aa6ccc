import CIDN2

/// Host names in letters beyond ASCII, as the name system has them.
package enum HostName {
    /// A host in ASCII, by UTS 46 without the transitional mappings, of text in any normal form; nil if it is no host.
    ///
    /// libcurl would do the same when it connects. Done before, everybody sees the host that is connected to: the
    /// guard, the limits for each host, and whoever checks a catalog.
    package static func ascii(_ host: String) -> String? {
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return host }
        guard !host.utf8.contains(0) else { return nil }
        var output: UnsafeMutablePointer<UInt8>?
        let flags = Int32(IDN2_NFC_INPUT.rawValue) | Int32(IDN2_NONTRANSITIONAL.rawValue)
        let code = host.withCString(encodedAs: UTF8.self) { idn2_lookup_u8($0, &output, flags) }
        guard let output else { return nil }
        defer { idn2_free(output) }
        let ascii = String(cString: output)
        // Full-width forms of the signs that part an address become these signs.
        guard code == IDN2_OK.rawValue, ascii.utf8.allSatisfy(isHostByte) else { return nil }
        return ascii
    }

    /// Whether the last label is a number, so that a host can only be an IPv4 address (URL standard, "ends in a number").
    static func endsInNumber(_ host: String) -> Bool {
        let labels = host.utf8.split(separator: UInt8(ascii: "."))
        guard let last = labels.last else { return false }
        if last.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        let digits = last.dropFirst(2)
        return last.starts(with: "0x".utf8)
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
