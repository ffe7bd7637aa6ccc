import Foundation
import ImageCodecs
import Testing

/// Kinds of JPEG XL that would show as another picture.
struct JXLHeaderTests {
    /// Writes bits from the low end of each byte.
    private struct Bits {
        private(set) var bytes: [UInt8] = [0xFF, 0x0A]
        private var count = 0

        mutating func put(_ value: Int, _ width: Int) {
            for bit in 0..<width {
                if count % 8 == 0 { bytes.append(0) }
                bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << (count % 8)
                count += 1
            }
        }
    }

    /// The header of a picture of 8 x 8 pixels with one more layer, or two.
    ///
    /// - Parameters:
    ///   - kind: As two bits for the form of the number, and four for what is added in the third form.
    ///   - hasAlpha: Whether it has transparency before that.
    private func file(layer kind: (form: Int, more: Int), hasAlpha: Bool = false) -> Data {
        var bits = Bits()
        // Small, 8 rows, as wide as high; nothing as usual, nothing extra; whole numbers of 8 bits.
        for (value, width) in [(1, 1), (0, 5), (1, 3), (0, 1), (0, 1), (0, 1), (0, 2), (0, 1)] {
            bits.put(value, width)
        }
        // A layer, or two, of which the first is as usual.
        bits.put(hasAlpha ? 2 : 1, 2)
        if hasAlpha { for (value, width) in [(0, 4), (1, 1)] { bits.put(value, width) } }
        // Not as usual; its kind; 8 bits, no reduction, no name.
        bits.put(0, 1)
        bits.put(kind.form, 2)
        if kind.form == 2 { bits.put(kind.more, 4) }
        for (value, width) in [(0, 1), (0, 2), (0, 2), (0, 2)] { bits.put(value, width) }
        return Data(bits.bytes + Array(repeating: 0, count: 64))
    }

    private func kind(of file: Data) -> String? {
        do throws(ImageCodecError) {
            _ = try ImageDecoder.decode(file, longestSide: nil)
            return nil
        } catch {
            if case .unsupportedFormat(let kind) = error { return kind }
            return nil
        }
    }

    @Test func layersOfInksAreUnsupported() {
        #expect(kind(of: file(layer: (2, 0))) == "JPEG XL with spot colours")
        #expect(kind(of: file(layer: (2, 2))) == "JPEG XL in CMYK")
        #expect(kind(of: file(layer: (2, 3))) == "JPEG XL of a sensor's samples")
        // Depth is a layer that nobody misses, and behind this header there is no picture.
        #expect(kind(of: file(layer: (1, 0))) == nil)
    }

    /// libjxl gives four bands, and libvips asks for five.
    @Test func severalLayersAreUnsupported() {
        #expect(kind(of: file(layer: (1, 0), hasAlpha: true)) == "JPEG XL with several layers")
        #expect(kind(of: file(layer: (2, 2), hasAlpha: true)) == "JPEG XL in CMYK")
    }

    /// Three pictures of 8 x 8 pixels, made by `cjxl`: libvips gives the last.
    @Test func whatMovesIsUnsupported() throws {
        let file = try #require(
            Data(
                base64Encoded:
                    "/wpBBAFYUFwSCAigAgAAZABLGIsVwkkC5gUkANj//tD7AwAAAAAAAAAACAigAgAAYABLGIsVwlFC6gUkAJB//ZsD"
                    + "AAAAAAAAAAAICKBCAABUAEsYixXCSUFeQAIA+gMAAAAAAAAAAA=="))
        #expect(kind(of: file) == "JPEG XL that moves")
    }
}
