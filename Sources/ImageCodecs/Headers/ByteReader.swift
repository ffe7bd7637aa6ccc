/// Reads numbers from borrowed bytes; everything outside of them is nil, so that a header may lie.
///
/// It is valid only while the bytes are, so it lives inside one `withUnsafeBytes`.
struct ByteReader {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    func u8(_ offset: Int) -> Int? {
        offset >= 0 && offset < count ? Int(bytes[offset]) : nil
    }

    /// A number of `length` bytes, at most 8; nil also if it does not fit.
    func number(_ offset: Int, _ length: Int, bigEndian: Bool) -> Int? {
        guard offset >= 0, length >= 0, offset <= count - length else { return nil }
        var value: UInt64 = 0
        for index in 0..<length {
            value = value << 8 | UInt64(bytes[bigEndian ? offset + index : offset + length - 1 - index])
        }
        return Int(exactly: value)
    }

    func be16(_ offset: Int) -> Int? { number(offset, 2, bigEndian: true) }
    func be32(_ offset: Int) -> Int? { number(offset, 4, bigEndian: true) }
    func le16(_ offset: Int) -> Int? { number(offset, 2, bigEndian: false) }
    func le24(_ offset: Int) -> Int? { number(offset, 3, bigEndian: false) }
    func le32(_ offset: Int) -> Int? { number(offset, 4, bigEndian: false) }

    /// Whether these bytes stand there.
    func has(_ expected: StaticString, at offset: Int = 0) -> Bool {
        let length = expected.utf8CodeUnitCount
        guard offset >= 0, offset <= count - length else { return false }
        return (0..<length).allSatisfy { bytes[offset + $0] == expected.utf8Start[$0] }
    }

    func has(_ expected: [UInt8], at offset: Int = 0) -> Bool {
        guard offset >= 0, offset <= count - expected.count else { return false }
        return expected.indices.allSatisfy { bytes[offset + $0] == expected[$0] }
    }

    /// The part of `range` that exists.
    func slice(_ range: Range<Int>) -> ByteReader {
        let clamped = range.clamped(to: 0..<count)
        return ByteReader(UnsafeRawBufferPointer(rebasing: bytes[clamped]))
    }

    /// Where a slice of it begins.
    func offset(of slice: ByteReader) -> Int? {
        guard let own = bytes.baseAddress, let other = slice.bytes.baseAddress else { return nil }
        let offset = other - own
        return (0...count).contains(offset) ? offset : nil
    }
}
