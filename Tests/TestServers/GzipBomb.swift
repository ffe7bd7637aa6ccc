/// A gzip stream of zeros, made without a compressor.
enum GzipBomb {
    /// About `count / 158` bytes that inflate to at least `count`.
    ///
    /// One deflate block with the fixed codes of RFC 1951, section 3.2.6: a zero, then "repeat the last byte 258
    /// times" again and again. The check sum at the end is wrong: nobody is expected to come that far.
    static func bytes(inflatedTo count: Int) -> [UInt8] {
        var writer = BitWriter(bytes: [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
        // The last block, with fixed codes.
        writer.append([1, 1, 0])
        // Literal 0 is the code 00110000.
        writer.append([0, 0, 1, 1, 0, 0, 0, 0])
        // Eight repetitions are 13 bytes: from the second eight on they are the same bytes again and again. They are copied, the
        // copies too, and never taken one by one: under Thread Sanitizer a server on a slow machine took half a minute for that.
        writer.appendRepetitions(8)
        let start = writer.bytes.count - 1
        writer.appendRepetitions(8)
        let size = 13 * (count / (8 * 258))
        var copies = Array(writer.bytes[start..<start + 13].prefix(size))
        while copies.count < size { copies += copies.prefix(size - copies.count) }
        writer.bytes.insert(contentsOf: copies, at: start + 13)
        // End of block, and a check sum and length of zeros.
        writer.append([0, 0, 0, 0, 0, 0, 0])
        return writer.bytes + [UInt8](repeating: 0, count: 9)
    }

    private struct BitWriter {
        var bytes: [UInt8]
        private var used = 8

        init(bytes: [UInt8]) { self.bytes = bytes }

        /// "Repeat the last byte 258 times".
        mutating func appendRepetitions(_ count: Int) {
            // Length 258 is symbol 285, the code 11000101; distance 1 is 00000.
            for _ in 0..<count { append([1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]) }
        }

        mutating func append(_ bits: [UInt8]) {
            for bit in bits {
                if used == 8 {
                    bytes.append(0)
                    used = 0
                }
                bytes[bytes.count - 1] |= bit << UInt8(used)
                used += 1
            }
        }
    }
}
