/// Percent escapes (RFC 3986, section 2.1).
enum PercentCoding {
    /// Bytes without escapes; nil if they are no UTF-8 then. A percent sign without two digits stands for itself.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if let value = escape(bytes, at: index) {
                result.append(value)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        guard result.withUnsafeBufferPointer({ UTF8Validation.isValid($0) }) else { return nil }
        return String(decoding: result, as: UTF8.self)
    }

    /// A file's path as the path of a URL: every byte that a URL gives a meaning is escaped, percent signs too.
    static func encodedPath(_ path: some Sequence<UInt8>) -> String {
        var result: [UInt8] = []
        for byte in path { append(byte, to: &result, isAllowed: isPathByte(byte)) }
        return String(decoding: result, as: UTF8.self)
    }

    /// What follows a URL's host as people write it, made valid as browsers do: what no URL may have is escaped, and
    /// escapes that are there stay.
    static func encodedReference(_ reference: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var isFragment = false
        for index in reference.indices {
            let byte = reference[index]
            var isAllowed = isPathByte(byte) || byte == UInt8(ascii: "?")
            if byte == Byte.percent {
                isAllowed = escape(reference, at: index) != nil
            } else if byte == Byte.hash {
                isAllowed = !isFragment
                isFragment = true
            }
            append(byte, to: &result, isAllowed: isAllowed)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func escape(_ bytes: ArraySlice<UInt8>, at index: Int) -> UInt8? {
        guard bytes[index] == Byte.percent, index + 2 < bytes.endIndex, let high = Byte.hexValue(bytes[index + 1]),
            let low = Byte.hexValue(bytes[index + 2])
        else { return nil }
        return UInt8(high << 4 | low)
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        Byte.isLetter(byte) || Byte.isDigit(byte) || "-._~!$&'()*+,;=:@/".utf8.contains(byte)
    }

    private static func append(_ byte: UInt8, to result: inout [UInt8], isAllowed: Bool) {
        guard !isAllowed else { return result.append(byte) }
        let digits = Array("0123456789ABCDEF".utf8)
        result += [Byte.percent, digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
    }
}
