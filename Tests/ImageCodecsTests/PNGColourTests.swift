import Foundation
import ImageCodecs
import Pixels
import Testing

/// PNG files without a profile that say by numbers what their colours are.
struct PNGColourTests {
    private static let (sRGB, displayP3) = (
        [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000],
        [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000]
    )

    private func gamma(_ value: Int) -> Data { PNGFile.chunk("gAMA", PNGFile.bigEndian(value)) }

    private func points(_ values: [Int]) -> Data { PNGFile.chunk("cHRM", values.flatMap(PNGFile.bigEndian)) }

    /// The colour of a picture of one colour with these chunks before its data.
    private func colour(_ stored: [UInt8], _ chunks: Data, bands: Int = 3, kind: String = "srgb") throws -> [Int] {
        let plain = try TestVipsImage(TestImages.solid(16, 16, stored), bands: bands).with(
            "colourspace", ["space": kind]
        ).file("pngsave_buffer", ["strip": "true"])
        let file = plain.prefix(33) + chunks + plain.dropFirst(33)
        return TestImages.colour(try ImageDecoder.decode(file, longestSide: nil), 5, 5)
    }

    private func isNear(_ colour: [Int], _ expected: [Int]) {
        #expect(zip(colour, expected).allSatisfy { abs($0 - $1) <= 4 }, "\(colour) for \(expected)")
    }

    /// 128 of 255 is half of the light where numbers are the light itself, and 188 in sRGB.
    @Test func aGammaIsApplied() throws {
        let grey = [128, 128, 128, 255] as [UInt8]
        isNear(try colour(grey, gamma(100_000)), [188, 188, 188, 255])
        isNear(try colour(grey, gamma(100_000), kind: "b-w"), [188, 188, 188, 255])
        isNear(try colour(grey, gamma(100_000), kind: "rgb16"), [188, 188, 188, 255])
        isNear(try colour([128, 128, 128, 64], gamma(100_000), bands: 4), [188, 188, 188, 64])
    }

    /// The same as with a profile of Display P3, see ``ColourTests``.
    @Test func primariesAreApplied() throws {
        isNear(try colour([187, 90, 69, 255], gamma(45_455) + points(Self.displayP3)), [200, 80, 60, 255])
    }

    @Test func whatIsSRGBOrMakesNoSenseChangesNothing() throws {
        let stored = [200, 80, 60, 255] as [UInt8]
        for chunks in [
            gamma(45_455), gamma(45_000), gamma(45_455) + points(Self.sRGB), gamma(0), gamma(-1), gamma(90_000_000),
            points(Array(repeating: 0, count: 8)), points([-1, -1, -1, -1, -1, -1, -1, -1]),
            points([31_270, 32_900, 64_000, 33_000, 64_000, 33_000, 64_000, 33_000]),
            PNGFile.chunk("gAMA", [1]), PNGFile.chunk("cHRM", [1, 2, 3]),
        ] {
            #expect(try colour(stored, chunks) == [200, 80, 60, 255], "\([UInt8](chunks))")
        }
    }

    @Test func theWordThatItIsSRGBCounts() throws {
        let chunks = gamma(100_000) + PNGFile.chunk("sRGB", [0])
        #expect(try colour([200, 80, 60, 255], chunks) == [200, 80, 60, 255])
    }

    /// libpng wants the table first; Pillow and browsers do not.
    @Test func whatIsTransparentMayComeBeforeTheTable() throws {
        // A row of two pixels, not packed, with the checksum that zlib wants.
        let row: [UInt8] = [0x78, 1, 1, 3, 0, 0xFC, 0xFF, 0, 0, 1, 0, 4, 0, 2]
        let file =
            PNGFile.header(2, 1, depth: 8, colour: 3) + PNGFile.chunk("tRNS", [7, 200])
            + PNGFile.chunk("PLTE", [1, 2, 3, 40, 50, 60]) + PNGFile.chunk("IDAT", row) + PNGFile.chunk("IEND", [])
        let picture = try ImageDecoder.decode(file, longestSide: nil)
        #expect(TestImages.colour(picture, 0, 0)[3] == 7)
        #expect(TestImages.colour(picture, 1, 0) == [40, 50, 60, 200])
    }

    @Test func whatIsTransparentMayComeBeforeASuggestedTable() throws {
        // A row of two pixels in three colours each.
        let row: [UInt8] = [0x78, 1, 1, 7, 0, 0xF8, 0xFF, 0, 1, 2, 3, 4, 5, 6, 0, 63, 0, 22]
        let file =
            PNGFile.header(2, 1, depth: 8, colour: 2) + PNGFile.chunk("tRNS", [0, 1, 0, 2, 0, 3])
            + PNGFile.chunk("PLTE", [1, 2, 3]) + PNGFile.chunk("IDAT", row) + PNGFile.chunk("IEND", [])
        let picture = try ImageDecoder.decode(file, longestSide: nil)
        #expect(TestImages.colour(picture, 0, 0)[3] == 0)
        #expect(TestImages.colour(picture, 1, 0) == [4, 5, 6, 255])
    }
}
