/// Boxes of a JPEG XL, as in ISO/IEC 18181-2.
enum JXLBoxes {
    /// The first box, which says what the file is.
    static let start = box("JXL ", [0x0D, 0x0A, 0x87, 0x0A])

    static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let length = 8 + body.count
        return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + Array(type.utf8) + body
    }

    /// Brotli that stores bytes as they are, in pieces of at most 65,536 (RFC 7932, section 9.2).
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
            let piece = bytes[start..<min(bytes.count, start + 1 << 16)]
            // Not the last piece, four digits of its length, and that it is stored; in front of the first the size of the window.
            let head = (piece.count - 1) << 3 | 1 << 19
            let bits = start == 0 ? head << 4 | 0b1011 : head
            packed += (0..<3).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) } + piece
        }
        return packed + [3]
    }
}
