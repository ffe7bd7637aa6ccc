import CVips
import Foundation
import ImageCodecs
import Pixels
import Testing

/// Pictures for bright screens, by PQ and HLG (ITU-R BT.2100), on ordinary ones.
struct HighDynamicRangeTests {
    private static let (pq, hlg) = (16, 18) as (UInt8, UInt8)
    /// PQ for 0, 10, 100, 203 and 1,000 candelas a square metre, in 16 bits, and sRGB for what Reinhard's extended curve makes of
    /// them where 1,000 candelas become white.
    private static let greys = [(0, 0), (19_641, 61), (33_297, 157), (38_055, 191), (49_271, 255)]

    private func png(_ samples: [Int], _ chunks: Data) throws -> Data {
        let pixels = (0..<64).flatMap { _ in samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }
        let plain = try TestVipsImage(
            pixels, 8, 8, bands: samples.count, format: VIPS_FORMAT_USHORT, kind: VIPS_INTERPRETATION_RGB16
        ).file("pngsave_buffer", ["strip": "true"])
        return plain.prefix(33) + chunks + plain.dropFirst(33)
    }

    private func says(_ primaries: UInt8, _ transfer: UInt8) -> Data {
        PNGFile.chunk("cICP", [primaries, transfer, 0, 1])
    }

    private func colour(_ file: Data) throws -> [Int] {
        TestImages.colour(try ImageDecoder.decode(file, longestSide: nil), 3, 3)
    }

    @Test func greysOfPQAreBentBelowWhite() throws {
        for (sample, expected) in Self.greys {
            let found = try colour(png([sample, sample, sample], says(9, Self.pq)))
            #expect(found.prefix(3).allSatisfy { abs($0 - expected) <= 2 }, "\(sample): \(found) for \(expected)")
        }
    }

    /// HLG has its white of 203 candelas at three quarters.
    @Test func hybridLogGammaHasTheSameWhite() throws {
        let found = try colour(png([49_151, 49_151, 49_151], says(9, Self.hlg)))
        #expect(found.prefix(3).allSatisfy { abs($0 - 191) <= 3 }, "\(found)")
        #expect(try colour(png([65_535, 65_535, 65_535], says(9, Self.hlg))) == [255, 255, 255, 255])
        #expect(try colour(png([0, 0, 0], says(9, Self.hlg))) == [0, 0, 0, 255])
    }

    /// Where the brightest pixel is one of 203 candelas, nothing is bent.
    @Test func theBrightestPixelIsWhatTheFileSays() throws {
        let brightest = PNGFile.chunk("cLLI", PNGFile.bigEndian(203 * 10_000) + PNGFile.bigEndian(0))
        let found = try colour(png([38_055, 38_055, 38_055], says(9, Self.pq) + brightest))
        #expect(found.prefix(3).allSatisfy { $0 >= 254 }, "\(found)")
        let dark = try colour(png([33_297, 33_297, 33_297], says(9, Self.pq) + brightest))
        #expect(dark.prefix(3).allSatisfy { abs($0 - 185) <= 2 }, "\(dark)")
    }

    @Test func transparencyIsNotLight() throws {
        let found = try colour(png([33_297, 33_297, 33_297, 32_768], says(9, Self.pq)))
        #expect(abs(found[3] - 128) <= 1 && abs(found[0] - 157) <= 2, "\(found)")
    }

    /// Red of BT.709 is another colour in BT.2020: amounts of 0.6274, 0.0691 and 0.0164 of light.
    @Test func primariesAreConverted() throws {
        let samples = [0.6274, 0.0691, 0.0164].map { Int((Self.encoded($0 * 203) * 65_535).rounded()) }
        let found = try colour(png(samples, says(9, Self.pq)))
        #expect(found[0] > 150 && found[1] <= 6 && found[2] <= 6, "\(found)")
    }

    private static func encoded(_ nits: Double) -> Double {
        let power = pow(nits / 10_000, 2_610.0 / 16_384)
        return pow((3_424.0 / 4_096 + 2_413.0 / 128 * power) / (1 + 2_392.0 / 128 * power), 2_523.0 / 32)
    }

    /// Of 10 bits and AVIF libheif writes no such file.
    @Test(arguments: [("hevc", "8"), ("hevc", "10"), ("av1", "8")])
    func codePointsOfHEIFAreHeeded(compression: String, depth: String) throws {
        let image = try TestVipsImage(TestImages.solid(64, 64, [130, 130, 130, 255]), bands: 3)
        let plain = try image.file(
            "heifsave_buffer", ["compression": compression, "bitdepth": depth, "Q": "95"])
        let file = try HEIFFile.saying(9, Self.pq, in: plain)
        let found = TestImages.colour(try ImageDecoder.decode(file, longestSide: 16), 5, 5)
        #expect(found.prefix(3).allSatisfy { abs($0 - 158) <= 4 }, "\(found)")
    }

    /// Made by `cjxl -x color_space=RGB_D65_202_Rel_PeQ`: grey of 100 candelas.
    @Test func ofJPEGXL() throws {
        let file = try #require(
            Data(
                base64Encoded:
                    "AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAABCanhsY/8KQwT8AOTRIw4HAAAAgAgCAQCUAEsYixUA3BUvxmCli3"
                    + "eBEAAOcY6rSAhYiuPBShnkGM7Z4nwGXgY="))
        let found = TestImages.colour(try ImageDecoder.decode(file, longestSide: nil), 2, 2)
        #expect(found.prefix(3).allSatisfy { abs($0 - 157) <= 2 }, "\(found)")
    }

    /// Primaries for ordinary screens by the same chunk, and numbers that are reserved, which mean nothing.
    @Test func codePointsOfOrdinaryPicturesAreHeeded() throws {
        let stored = [187, 90, 69].map { $0 * 257 }
        #expect(zip(try colour(png(stored, says(12, 13))), [200, 80, 60]).allSatisfy { abs($0 - $1) <= 4 })
        for chunk in [says(1, 13), says(1, 0), says(2, 2), PNGFile.chunk("cICP", [])] {
            #expect(try colour(png(stored, chunk)).prefix(3).elementsEqual([187, 90, 69]))
        }
    }
}
