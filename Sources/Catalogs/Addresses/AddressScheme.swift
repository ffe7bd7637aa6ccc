/// The scheme at the beginning of an address (RFC 3986, section 3.1).
enum AddressScheme {
    /// The number of bytes before the colon; nil if there is no scheme.
    static func length(_ address: some Collection<UInt8>) -> Int? {
        guard let first = address.first, Byte.isLetter(first) else { return nil }
        var length = 0
        for byte in address {
            if byte == Byte.colon { return length }
            guard Byte.isLetter(byte) || Byte.isDigit(byte) || "+-.".utf8.contains(byte) else { return nil }
            length += 1
        }
        return nil
    }
}
