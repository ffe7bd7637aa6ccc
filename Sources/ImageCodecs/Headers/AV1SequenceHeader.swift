/// What an AV1 stream says of its samples: AV1 bitstream specification, 5.5.
struct AV1SequenceHeader {
    /// Whether samples go from nothing to all, instead of from 16 to 235 of 8 bits.
    var isFullRange = false
    var codePoints: CodePoints?

    /// - Parameter stream: Open bitstream units, of which the header is one of the first.
    init?(_ stream: ByteReader) {
        var offset = 0
        for _ in 0..<8 {
            guard let head = stream.u8(offset), head & 2 != 0 else { return nil }
            offset += head & 4 == 0 ? 1 : 2
            guard let (length, width) = Self.leb128(stream, offset) else { return nil }
            offset += width
            if head >> 3 & 15 == 1 {
                self.init(unit: stream.slice(offset..<offset.saturatingSum(length)))
                return
            }
            offset = offset.saturatingSum(length)
        }
        return nil
    }

    private init?(unit: ByteReader) {
        var bits = BigEndianBits(unit)
        let profile = bits.take(3)
        bits.skip(1)
        let isReduced = bits.take(1) == 1
        if isReduced { bits.skip(5) } else { Self.skipOperatingPoints(&bits) }
        let (width, height) = (bits.take(4) + 1, bits.take(4) + 1)
        bits.skip(width + height)
        if !isReduced, bits.take(1) == 1 { bits.skip(7) }
        bits.skip(3)
        if !isReduced { Self.skipTools(&bits) }
        bits.skip(3)
        // The colours' own part.
        let isDeep = bits.take(1) == 1
        if profile == 2, isDeep { bits.skip(1) }
        let isGrey = profile != 1 && bits.take(1) == 1
        var points = (2, 2, 2)
        if bits.take(1) == 1 {
            points = (bits.take(8), bits.take(8), bits.take(8))
            codePoints = CodePoints(primaries: points.0, transfer: points.1)
        }
        isFullRange = !isGrey && points == (1, 13, 0) || bits.take(1) == 1
        if bits.ranOut { return nil }
    }

    private static func skipOperatingPoints(_ bits: inout BigEndianBits) {
        var delayWidth: Int?
        if bits.take(1) == 1 {
            bits.skip(64)
            if bits.take(1) == 1 { bits.skipUnary() }
            if bits.take(1) == 1 {
                delayWidth = bits.take(5) + 1
                bits.skip(42)
            }
        }
        let saysDelay = bits.take(1) == 1
        for _ in 0...bits.take(5) {
            bits.skip(12)
            if bits.take(5) > 7 { bits.skip(1) }
            if let delayWidth, bits.take(1) == 1 { bits.skip(2 * delayWidth + 1) }
            if saysDelay, bits.take(1) == 1 { bits.skip(4) }
        }
    }

    private static func skipTools(_ bits: inout BigEndianBits) {
        bits.skip(4)
        let hasOrder = bits.take(1) == 1
        if hasOrder { bits.skip(2) }
        let screenTools = bits.take(1) == 1 ? 2 : bits.take(1)
        if screenTools > 0, bits.take(1) == 0 { bits.skip(1) }
        if hasOrder { bits.skip(3) }
    }

    private static func leb128(_ reader: ByteReader, _ offset: Int) -> (value: Int, width: Int)? {
        var value = 0
        for index in 0..<5 {
            guard let byte = reader.u8(offset + index) else { return nil }
            value |= (byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return (value, index + 1) }
        }
        return nil
    }
}

/// Takes bits from the high end of each byte.
private struct BigEndianBits {
    private let reader: ByteReader
    private var position = 0
    private(set) var ranOut = false

    init(_ reader: ByteReader) {
        self.reader = reader
    }

    mutating func take(_ count: Int) -> Int {
        (0..<count).reduce(0) { value, _ in value << 1 | one() }
    }

    mutating func skip(_ count: Int) {
        position += count
    }

    /// A number of any length that begins with as many zeros as it has bits behind its first one.
    mutating func skipUnary() {
        var zeros = 0
        while zeros < 32, one() == 0 { zeros += 1 }
        skip(zeros)
    }

    private mutating func one() -> Int {
        guard let byte = reader.u8(position / 8) else {
            ranOut = true
            return 0
        }
        defer { position += 1 }
        return byte >> (7 - position % 8) & 1
    }
}
