/// The scheme at the beginning of an address (RFC 3986, section 3.1).
package enum AddressScheme {
    /// The number of bytes before the colon; nil if there is no scheme.
    @inlinable
    package static func length(_ address: some Collection<UInt8>) -> Int? {
        guard let first = address.first, isLetter(first) else { return nil }
        var length = 0
        for byte in address {
            if byte == UInt8(ascii: ":") { return length }
            guard isLetter(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte) else { return nil }
            length += 1
        }
        return nil
    }

    @usableFromInline
    package static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
