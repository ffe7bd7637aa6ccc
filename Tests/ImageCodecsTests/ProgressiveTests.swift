import CVips
import Foundation
import Pixels
import Testing

@testable import ImageCodecs

struct ProgressiveTests {
    /// Waves of some lengths, as photographs have them, and none as long as a block.
    private static func photograph() -> PixelBuffer {
        var image = TestImages.gradient(320, 240)
        image.withUnsafeMutableBytes { bytes in
            for index in bytes.indices where index % 4 < 3 {
                let (x, y) = (Double(index / 4 % 320), Double(index / 4 / 320))
                let wave = 30 * sin(x / 11 + y / 29) + 20 * cos(y / 5 - x / 37) + 10 * sin((x + y) / 2.3)
                bytes[index] = UInt8(min(255, max(0, Double(bytes[index]) * 0.6 + 50 + wave)))
            }
        }
        return image
    }

    private static func file(_ options: [String: String] = ["interlace": "true"]) throws -> Data {
        try TestVipsImage(photograph(), bands: 3).file("jpegsave_buffer", options)
    }

    /// Feeds a file in pieces, as if each took so long, and gives the passes with the bytes that had come.
    private func passes(
        of file: Data, by piece: Int = 100, every time: Duration = .seconds(1), longestSide: Int? = 160
    ) throws -> [(bytes: Int, image: PixelBuffer)] {
        let decoder = ProgressiveDecoder(longestSide: longestSide)
        var found: [(Int, PixelBuffer)] = []
        var now = ContinuousClock.now
        for start in stride(from: 0, to: file.count, by: piece) {
            now += time
            let end = min(file.count, start + piece)
            let isDue = decoder.append(file[file.startIndex + start..<file.startIndex + end], now: now)
            let image = try decoder.nextPass(now: now)
            #expect((image != nil) == isDue)
            if let image { found.append((end, image)) }
            #expect(try decoder.nextPass(now: now) == nil, "the same pass twice")
        }
        return found
    }

    @Test func passesBecomeFinerUntilTheyAreTheImage() throws {
        let file = try Self.file()
        let finished = try ImageDecoder.decode(file, longestSide: 160)
        let passes = try passes(of: file)
        #expect(passes.count >= 3)
        #expect(passes.allSatisfy { $0.image.size == finished.size && $0.image.isOpaque })
        let differences = passes.map { TestImages.difference($0.image, finished) }
        #expect(try #require(differences.first) > 1)
        for (earlier, later) in zip(differences, differences.dropFirst()) {
            #expect(later <= earlier + 0.3, "\(differences)")
        }
        #expect(try #require(passes.first).bytes < file.count / 2)
    }

    @Test func aFileThatCameAtOnceHasOnePassAndItIsTheImage() throws {
        let file = try Self.file()
        for side in [nil, 160, 40] {
            let passes = try passes(of: file, by: file.count, longestSide: side)
            #expect(passes.count == 1)
            #expect(passes.first?.image == (try ImageDecoder.decode(file, longestSide: side)))
        }
    }

    @Test func passesAreNoCloserThanPeopleSee() throws {
        #expect(try passes(of: Self.file(), every: .milliseconds(1)).count <= 2)
    }

    @Test func piecesOfAnySizeGiveTheSameImage() throws {
        let file = try Self.file()
        let expected = try ImageDecoder.decode(file, longestSide: 160)
        for piece in [1, 7, 1_000] {
            let decoder = ProgressiveDecoder(longestSide: 160)
            let start = ContinuousClock.now
            for index in stride(from: 0, to: file.count, by: piece) {
                _ = decoder.append(file[file.startIndex + index..<min(file.endIndex, file.startIndex + index + piece)])
            }
            #expect(try decoder.nextPass(now: start + .seconds(9)) == expected, "\(piece)")
        }
    }

    @Test func nothingButAProgressiveJPEGHasPasses() throws {
        for format in ImageFormat.allCases { #expect(try passes(of: FormatTests.file(format)).isEmpty, "\(format)") }
        #expect(try passes(of: Data(repeating: 0x20, count: 5_000)).isEmpty)
    }

    @Test func orientationAndColoursAreThoseOfTheImage() throws {
        let grey = try TestVipsImage(Self.photograph(), bands: 1).file("jpegsave_buffer", ["interlace": "true"])
        let inks = try TestVipsImage(Self.photograph(), bands: 3).with(
            "icc_transform", ["output-profile": "cmyk", "input-profile": "srgb"]
        ).file("jpegsave_buffer", ["interlace": "true"])
        let wide = try TestVipsImage(Self.photograph(), bands: 3).with(
            "icc_transform", ["output-profile": "p3", "input-profile": "srgb"]
        ).file("jpegsave_buffer", ["interlace": "true"])
        let turned = try TestImages.turned(Self.file(), orientation: 6)
        // Inks are for a helper process.
        #expect(try passes(of: inks).isEmpty)
        for file in [grey, wide, turned] {
            let last = try passes(of: file, by: file.count).last?.image
            #expect(last == (try ImageDecoder.decode(file, longestSide: 160)))
        }
    }

    @Test func limitsHold() throws {
        let file = try Self.file()
        for limits in [DecodeLimits(maxPixels: 1_000), DecodeLimits(maxMemory: 1_000)] {
            let decoder = ProgressiveDecoder(longestSide: 160, limits: limits)
            #expect(!decoder.append(file))
            #expect(try decoder.nextPass() == nil)
        }
        let decoder = ProgressiveDecoder(longestSide: 160)
        #expect(decoder.append(file))
        #expect(throws: ImageCodecError.cancelled) { try decoder.nextPass(isCancelled: { true }) }
        #expect(try decoder.nextPass() == nil)
    }

    @Test func aBrokenFileEndsInAnErrorOrAnImage() throws {
        let files = try [Self.file(), Self.file(["interlace": "true", "subsample-mode": "off"])]
        var shown = 0
        for seed in 0..<300 {
            var mutator = FileMutator(seed: UInt64(seed))
            let broken = mutator.broken(files, .jpeg)
            shown += (try? passes(of: broken, by: 700).count) ?? 0
        }
        #expect(shown > 100)
    }

    @Test func thePassesAreWorthTheirTime() {
        var schedule = PassSchedule()
        let start = ContinuousClock.now
        #expect(!schedule.isDue(scans: 0, bytes: 100, now: start))
        #expect(schedule.isDue(scans: 1, bytes: 100, now: start))
        schedule.drew(scans: 1, bytes: 100, from: start, to: start + .milliseconds(100))
        #expect(!schedule.isDue(scans: 2, bytes: 200, now: start + .milliseconds(799)), "seven times its cost")
        #expect(schedule.isDue(scans: 2, bytes: 200, now: start + .milliseconds(800)))
        #expect(!schedule.isDue(scans: 1, bytes: 200, now: start + .seconds(9)), "no scan more")
        #expect(!schedule.isDue(scans: 2, bytes: 124, now: start + .seconds(9)), "hardly more bytes")
    }
}
