import CZstd
import FoundationEssentials
import Pixels

/// Pixels as they are kept on disk: the difference of each byte to the one of its channel to the left, packed by zstd.
///
/// Measured on photographs of 1,024 pixels: half to a third of the bytes of red, green and blue in 5 ms, and back in 2; PNG at its
/// fastest takes seven times as long for more bytes, lossless WebP twenty times for a fifth less. The bytes are no file that
/// an image decoder reads, so none has to be trusted with a foreign one.
enum PackedPixels {
    /// More of it takes three times as long for nothing.
    private static let level: Int32 = 1
    /// zstd's own window at that level is smaller; a foreign frame may ask for no more either.
    private static let largestWindow: Int32 = 22

    /// - Parameters:
    ///   - pixels: What is packed; alpha is left out of an opaque picture.
    ///   - limit: The most bytes that may come of it.
    /// - Returns: nil for more than that, and where memory is lacking.
    static func pack(_ pixels: PixelBuffer, limit: Int) -> Data? {
        guard !pixels.size.isEmpty, let context = ZSTD_createCCtx() else { return nil }
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
        let channels = pixels.isOpaque ? 3 : 4
        var row = [UInt8](repeating: 0, count: pixels.size.width * channels)
        var piece = [UInt8](repeating: 0, count: max(ZSTD_CStreamOutSize(), 1 << 17))
        var packed = Data()
        packed.reserveCapacity(min(limit, pixels.byteCount / 2))
        let isPacked = pixels.withUnsafeBytes { bytes in
            for y in 0..<pixels.size.height {
                subtractLeft(UnsafeRawBufferPointer(rebasing: bytes[(y * pixels.bytesPerRow)...]), into: &row, channels)
                let isLast = y == pixels.size.height - 1
                guard append(row, isLast: isLast, context, &piece, to: &packed), packed.count <= limit else {
                    return false
                }
            }
            return true
        }
        return isPacked ? packed : nil
    }

    private static func append(
        _ row: [UInt8], isLast: Bool, _ context: OpaquePointer, _ piece: inout [UInt8], to packed: inout Data
    ) -> Bool {
        row.withUnsafeBytes { row in
            var input = ZSTD_inBuffer(src: row.baseAddress, size: row.count, pos: 0)
            while true {
                let (left, count) = piece.withUnsafeMutableBytes { piece in
                    var output = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
                    let left = ZSTD_compressStream2(context, &output, &input, isLast ? ZSTD_e_end : ZSTD_e_continue)
                    return (left, output.pos)
                }
                if ZSTD_isError(left) != 0 { return false }
                packed.append(contentsOf: piece[..<count])
                if isLast ? left == 0 : input.pos == input.size { return true }
            }
        }
    }

    /// - Returns: nil for bytes that are not those of a picture of this size, no more and no less.
    static func unpack(_ packed: Data, size: PixelSize, isOpaque: Bool) -> PixelBuffer? {
        guard !size.isEmpty, let context = ZSTD_createDCtx() else { return nil }
        defer { ZSTD_freeDCtx(context) }
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, largestWindow)
        let channels = isOpaque ? 3 : 4
        var row = [UInt8](repeating: 0, count: size.width * channels)
        return packed.withUnsafeBytes { packed in
            var input = ZSTD_inBuffer(src: packed.baseAddress, size: packed.count, pos: 0)
            var left = 1
            var isWhole = true
            let pixels = PixelBuffer(allocating: size, isOpaque: isOpaque) { bytes in
                for y in 0..<size.height {
                    guard isWhole, read(&row, context, &input, &left) else {
                        isWhole = false
                        // Nobody sees it, and no memory is left as it was.
                        UnsafeMutableRawBufferPointer(rebasing: bytes[(y * size.width * 4)...]).initializeMemory(
                            as: UInt8.self, repeating: 0)
                        return
                    }
                    addLeft(
                        row, into: UnsafeMutableRawBufferPointer(rebasing: bytes[(y * size.width * 4)...]), channels)
                }
            }
            // The end of the frame is in the call that brought the last byte, or in the next one, which brings none.
            if isWhole, left != 0 { isWhole = isAtEnd(context, &input) }
            return isWhole && input.pos == input.size ? pixels : nil
        }
    }

    private static func read(
        _ row: inout [UInt8], _ context: OpaquePointer, _ input: inout ZSTD_inBuffer, _ left: inout Int
    ) -> Bool {
        row.withUnsafeMutableBytes { row in
            var output = ZSTD_outBuffer(dst: row.baseAddress, size: row.count, pos: 0)
            while output.pos < output.size {
                // Behind the end of a frame another one would begin.
                if left == 0 { return false }
                let before = (input.pos, output.pos)
                left = ZSTD_decompressStream(context, &output, &input)
                if ZSTD_isError(left) != 0 || before == (input.pos, output.pos) { return false }
            }
            return true
        }
    }

    private static func isAtEnd(_ context: OpaquePointer, _ input: inout ZSTD_inBuffer) -> Bool {
        var byte: UInt8 = 0
        return withUnsafeMutableBytes(of: &byte) { byte in
            var output = ZSTD_outBuffer(dst: byte.baseAddress, size: 1, pos: 0)
            return ZSTD_decompressStream(context, &output, &input) == 0 && output.pos == 0
        }
    }

    // MARK: Differences

    private static func subtractLeft(_ pixels: UnsafeRawBufferPointer, into row: inout [UInt8], _ channels: Int) {
        row.withUnsafeMutableBufferPointer { row in
            var (red, green, blue, alpha): (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
            var (from, to) = (0, 0)
            while to < row.count {
                row[to] = pixels[from] &- red
                row[to + 1] = pixels[from + 1] &- green
                row[to + 2] = pixels[from + 2] &- blue
                (red, green, blue) = (pixels[from], pixels[from + 1], pixels[from + 2])
                if channels == 4 {
                    row[to + 3] = pixels[from + 3] &- alpha
                    alpha = pixels[from + 3]
                }
                from += 4
                to += channels
            }
        }
    }

    private static func addLeft(_ row: [UInt8], into pixels: UnsafeMutableRawBufferPointer, _ channels: Int) {
        row.withUnsafeBufferPointer { row in
            var (red, green, blue): (UInt8, UInt8, UInt8) = (0, 0, 0)
            var alpha: UInt8 = channels == 4 ? 0 : 255
            var (from, to) = (0, 0)
            while from < row.count {
                red &+= row[from]
                green &+= row[from + 1]
                blue &+= row[from + 2]
                if channels == 4 { alpha &+= row[from + 3] }
                pixels[to] = red
                pixels[to + 1] = green
                pixels[to + 2] = blue
                pixels[to + 3] = alpha
                from += channels
                to += 4
            }
        }
    }
}
