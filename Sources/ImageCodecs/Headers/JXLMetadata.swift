/// What the header of a JPEG XL says behind its size: ISO/IEC 18181-1, "ImageMetadata".
struct JXLMetadata {
    private(set) var orientation = Orientation.upright
    /// What kind of layers it has, if those make it a picture that is not drawn rightly without them.
    private(set) var unsupported: String?
    private(set) var isPremultiplied = false
    /// Of its colours, where these are no profile's.
    private(set) var codePoints: CodePoints?

    init(_ bits: inout BitReader) {
        if bits.take(1) == 1 { return }
        let hasExtraFields = bits.take(1) == 1
        if hasExtraFields { takeExtraFields(&bits) }
        Self.skipDepth(&bits)
        bits.skip(1)
        let layerCount = bits.number((0, 0), (1, 0), (2, 4), (1, 12))
        for _ in 0..<layerCount where !bits.ranOut { takeLayer(&bits) }
        // libvips asks for all of them beside the colours. libjxl gives four in all, and takes three for colours.
        if layerCount > 1 { unsupported = unsupported ?? "JPEG XL with several layers" }
        bits.skip(1)
        takeColours(&bits)
        // How bright its white is meant to be; the usual words for PQ say nothing of the picture.
        if hasExtraFields, bits.take(1) == 0, let nits = bits.half(), codePoints?.highRange == .pq,
            (203..<10_000).contains(nits)
        {
            codePoints?.brightest = nits
        }
    }

    private mutating func takeExtraFields(_ bits: inout BitReader) {
        orientation = Orientation(tag: bits.take(3) + 1)
        if bits.take(1) == 1 { Self.skipSize(&bits) }
        if bits.take(1) == 1 { Self.skipPreview(&bits) }
        if bits.take(1) == 1 {
            _ = bits.number((100, 0), (1_000, 0), (1, 10), (1, 30))
            _ = bits.number((1, 0), (1_001, 0), (1, 8), (1, 10))
            _ = bits.number((0, 0), (0, 3), (0, 16), (0, 32))
            bits.skip(1)
            // libvips would give the last picture of it for the first.
            unsupported = "JPEG XL that moves"
        }
    }

    private mutating func takeLayer(_ bits: inout BitReader) {
        if bits.take(1) == 1 { return }
        let kind = bits.name()
        Self.skipDepth(&bits)
        _ = bits.number((0, 0), (3, 0), (4, 0), (1, 3))
        bits.skip(8 * bits.number((0, 0), (0, 4), (16, 5), (48, 10)))
        switch kind {
        case 0: isPremultiplied = bits.take(1) == 1
        case 2:
            bits.skip(64)
            unsupported = "JPEG XL with spot colours"
        case 4: unsupported = "JPEG XL in CMYK"
        case 5:
            _ = bits.number((1, 0), (0, 2), (3, 4), (19, 8))
            unsupported = "JPEG XL of a sensor's samples"
        default: break
        }
    }

    private mutating func takeColours(_ bits: inout BitReader) {
        if bits.take(1) == 1 { return }
        let isProfile = bits.take(1) == 1
        let space = bits.name()
        if isProfile || space == 2 { return }
        if bits.name() == 2 { Self.skipPoint(&bits) }
        var primaries = 1
        if space != 1 {
            primaries = bits.name()
            if primaries == 2 { for _ in 0..<3 { Self.skipPoint(&bits) } }
        }
        if bits.take(1) == 1 {
            bits.skip(24)
        } else {
            // 11 is P3 here, with a white of its own.
            codePoints = CodePoints(primaries: primaries == 11 ? 12 : primaries, transfer: bits.name())
        }
        _ = bits.name()
    }

    private static func skipSize(_ bits: inout BitReader) {
        let isSmall = bits.take(1) == 1
        func side(_ bits: inout BitReader) { bits.skip(isSmall ? 5 : [9, 13, 18, 30][bits.take(2)]) }
        side(&bits)
        if bits.take(3) == 0 { side(&bits) }
    }

    private static func skipPreview(_ bits: inout BitReader) {
        let isSmall = bits.take(1) == 1
        func side(_ bits: inout BitReader) {
            if isSmall {
                _ = bits.number((16, 0), (32, 0), (1, 5), (33, 9))
            } else {
                _ = bits.number((1, 6), (65, 8), (321, 10), (1_345, 12))
            }
        }
        side(&bits)
        if bits.take(3) == 0 { side(&bits) }
    }

    private static func skipDepth(_ bits: inout BitReader) {
        let isFraction = bits.take(1) == 1
        _ = bits.number((8, 0), (10, 0), (12, 0), (1, 6))
        if isFraction { bits.skip(4) }
    }

    private static func skipPoint(_ bits: inout BitReader) {
        for _ in 0..<2 { _ = bits.number((0, 19), (524_288, 19), (1_048_576, 20), (2_097_152, 21)) }
    }
}

/// Takes bits from the low end of each byte.
struct BitReader {
    private let reader: ByteReader
    private var position = 0
    private(set) var ranOut = false

    init(_ reader: ByteReader) {
        self.reader = reader
    }

    mutating func skip(_ count: Int) { position += count }

    /// A number in one of four forms, which two bits choose: a first number, and how many bits are added to it.
    mutating func number(_ forms: (Int, Int)...) -> Int {
        let (first, width) = forms[take(2)]
        return first + take(width)
    }

    /// One of a list of names.
    mutating func name() -> Int { number((0, 0), (1, 0), (2, 4), (18, 6)) }

    /// A fraction of 16 bits; nil for none.
    mutating func half() -> Double? {
        let bits = take(16)
        let exponent = bits >> 10 & 31
        guard exponent < 31, bits >> 15 == 0 else { return nil }
        let fraction = Double(bits & 1_023) / 1_024
        return exponent == 0
            ? fraction / 16_384 : (1 + fraction) * Double(sign: .plus, exponent: exponent - 15, significand: 1)
    }

    mutating func take(_ count: Int) -> Int {
        var value = 0
        for bit in 0..<count {
            guard let byte = reader.u8(position / 8) else {
                ranOut = true
                return 0
            }
            value |= (byte >> (position % 8) & 1) << bit
            position += 1
        }
        return value
    }
}
