/// A gzip stream of zeros, made without a compressor.
enum GzipBomb {
    /// Between `count / 158` and twice as many bytes that inflate to at least `count`.
    ///
    /// One deflate block with the fixed codes of RFC 1951, section 3.2.6: a zero, then "repeat the last byte 258
    /// times" again and again. The check sum at the end is wrong: nobody is expected to come that far.
    static func bytes(inflatedTo count: Int) -> [UInt8] {
        var writer = BitWriter(bytes: [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
        // The last block, with fixed codes.
        writer.append([1, 1, 0])
        // Literal 0 is the code 00110000.
        writer.append([0, 0, 1, 1, 0, 0, 0, 0])
        // Length 258 is symbol 285, the code 11000101; distance 1 is 00000. Eight times its 13 bits are 13 bytes, which repeat.
        let copy: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
        for _ in 0..<8 { writer.append(copy) }
        let start = writer.bytes.count - 1
        for _ in 0..<8 { writer.append(copy) }
        // Doubled instead of repeated, because a client that waits counts the time it takes, also under a sanitizer.
        var more = Array(writer.bytes[start..<(start + 13)])
        while more.count / 13 * 8 * 258 < count { more += more }
        writer.bytes.insert(contentsOf: more, at: start)
        // End of block, and a check sum and length of zeros.
        writer.append([0, 0, 0, 0, 0, 0, 0])
        return writer.bytes + [UInt8](repeating: 0, count: 9)
    }

    private struct BitWriter {
        var bytes: [UInt8]
        private var used = 8

        init(bytes: [UInt8]) { self.bytes = bytes }

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
