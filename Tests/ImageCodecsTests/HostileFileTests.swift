import Foundation
import Pixels
import XCTest

@testable import ImageCodecs

/// Files that want more than they should have, and files that are broken.
final class HostileFileTests: XCTestCase {
    private func failure(_ data: Data, limits: DecodeLimits = DecodeLimits(), side: Int? = 64) -> ImageCodecError? {
        do throws(ImageCodecError) {
            _ = try ImageDecoder.decode(data, longestSide: side, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    /// Decodes in this process, whose memory and time can be asked.
    private static let here = DecodeLimits(isolation: .nothing)

    private func isDamaged(_ error: ImageCodecError?) -> Bool {
        if case .damaged = error { true } else { false }
    }

    /// libvips takes a side that is more than it can hold for one pixel, or for none at all.
    func testDrawingsWithSidesThatNobodyHoldsAreRefused() throws {
        let refused = ImageCodecError.unsupportedFormat("SVG with a side of more than 10,000,000 pixels")
        for root in [
            "width='20000000' height='10'", "width='1e8' height='1e8'", "width='3e9' height='1'",
            "width='1' height='20000000'", "viewBox='0 0 3e9 1'", "><style>svg { width: 2e7px }</style><g/",
        ] {
            let file = Data("<svg xmlns='http://www.w3.org/2000/svg' \(root)></svg>".utf8)
            for side in [nil, 64] { XCTAssertEqual(failure(file, side: side), refused, root) }
            XCTAssertThrowsError(try ImageDecoder.probe(file), root) {
                XCTAssertEqual($0 as? ImageCodecError, refused, root)
            }
        }
        let thin = Data("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='300'/>".utf8)
        XCTAssertEqual(try ImageDecoder.decode(thin, longestSide: nil).size, PixelSize(width: 1, height: 300))
    }

    func testPixelBombsAreRefusedFromTheirHeader() throws {
        let body = PNGFile.chunk("IDAT", [UInt8](repeating: 0x55, count: 6_000_000))
        let png = PNGFile.header(225_000, 225_000, depth: 1, colour: 0) + body + PNGFile.chunk("IEND", [])
        let webp =
            Data("RIFF".utf8) + Data([0, 2, 0, 0]) + Data("WEBPVP8X".utf8)
            + Data([10, 0, 0, 0, 2, 0, 0, 0, 0xFE, 0x3F, 0, 0xFE, 0x3F, 0]) + Data(count: 490)
        let gif =
            Data("GIF89a".utf8)
            + Data([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 1, 0, 0, 0x3B])
        let wideFrame =
            Data("GIF89a".utf8)
            + Data([1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 2, 1, 0, 0, 0x3B])
        let jpeg = Data([
            0xFF, 0xD8, 0xFF, 0xC2, 0, 11, 8, 0x4E, 0x20, 0x4E, 0x20, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63,
            0,
        ])
        let jxl = Data([0xFF, 0x0A, 0b1111_1110, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        let before = ProcessStatus.peakMemory
        let start = ThreadTime.now
        for (name, file) in [
            ("png", png), ("webp", webp), ("gif", gif), ("frame", wideFrame), ("jpeg", jpeg), ("jxl", jxl),
        ] {
            guard case .tooManyPixels? = failure(file) else {
                XCTFail("\(name): \(String(describing: failure(file)))")
                continue
            }
        }
        XCTAssertLessThan(ThreadTime.now - start, .milliseconds(500))
        XCTAssertLessThan(ProcessStatus.peakMemory - before, 32 << 20)
    }

    func testMemoryIsEstimatedBeforeItIsTaken() throws {
        let limits = DecodeLimits(maxPixels: .max, maxMemory: 64 << 20)
        let interlaced =
            PNGFile.header(9_000, 9_000, depth: 8, colour: 6, interlaced: true) + PNGFile.chunk("IDAT", [0])
        let progressive = Data([
            0xFF, 0xD8, 0xFF, 0xC2, 0, 11, 8, 0x1F, 0x40, 0x1F, 0x40, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63,
            0,
        ])
        for file in [interlaced, progressive] {
            guard case .tooMuchMemory? = failure(file, limits: limits) else {
                return XCTFail(String(describing: failure(file, limits: limits)))
            }
        }
        // In one scan the same JPEG needs hardly anything, so it gets as far as its missing data.
        var sequential = progressive
        sequential[3] = 0xC0
        XCTAssertTrue(
            isDamaged(failure(sequential, limits: limits)), "\(String(describing: failure(sequential, limits: limits)))"
        )
    }

    /// Rows are reduced as they come, so that a large picture is never in memory.
    func testALargePictureIsNotUnpackedAtOnce() throws {
        let large = try ImageEncoder(format: .png).encode(PixelBuffer(size: PixelSize(width: 5_000, height: 5_000)))
        try XCTSkipIf(ProcessStatus.isSanitized, "memory is not what it is")
        ProcessStatus.forgetPeak()
        let before = ProcessStatus.peakMemory
        XCTAssertEqual(try ImageDecoder.decode(large, longestSide: 64, limits: Self.here).size.width, 64)
        XCTAssertLessThan(ProcessStatus.peakMemory - before, 40 << 20)
    }

    /// libpng takes memory for a chunk by the length that it declares, and fills it with zeros.
    func testChunksOfAPNGThatAreLongerThanTheFile() throws {
        try XCTSkipIf(ProcessStatus.isSanitized, "memory is not what it is")
        let cut = PNGFile.header(64, 64, depth: 8, colour: 2)
        ProcessStatus.forgetPeak()
        let before = ProcessStatus.peakMemory
        for name in ["tEXt", "zTXt", "iTXt", "iCCP", "eXIf", "PLTE", "tRNS", "zzZz", "IDAT"] {
            let file = cut + Data([0x7F, 0xFF, 0xFF, 0xFF] + Array(name.utf8) + [1, 2, 3])
            XCTAssertEqual(failure(file, limits: Self.here), .damaged("it is cut off"), name)
            XCTAssertEqual(failure(file), .damaged("it is cut off"), name)
        }
        XCTAssertLessThan(ProcessStatus.peakMemory - before, 32 << 20)
    }

    /// Words that come to 50 MB each when they are unpacked, and a long text: nothing of them is looked at.
    func testWordsInAPNGCostNothing() throws {
        try XCTSkipIf(ProcessStatus.isSanitized, "memory is not what it is")
        let image = TestImages.gradient(64, 48)
        let plain = try ImageEncoder(format: .png).encode(image)
        let words = try PNGFile.chunk("zTXt", Array("k\0\0".utf8) + PNGFile.zeros(48_000_000))
        let text = PNGFile.chunk("tEXt", Array("k\0".utf8) + [UInt8](repeating: 0x61, count: 8_000_000))
        let file =
            plain.prefix(33) + (0..<8).reduce(into: Data()) { all, _ in all += words } + text + plain.dropFirst(33)
        ProcessStatus.forgetPeak()
        let before = ProcessStatus.peakMemory
        let start = ThreadTime.now
        let decoded = try ImageDecoder.decode(file, longestSide: nil, limits: Self.here)
        XCTAssertLessThan(ProcessStatus.peakMemory - before, 24 << 20)
        XCTAssertLessThan(ThreadTime.now - start, .milliseconds(400))
        XCTAssertEqual(TestImages.difference(decoded, image), 0)
    }

    func testAProfileOfAPNGHasABound() throws {
        let body = Array("k\0\0".utf8) + [UInt8](repeating: 0x61, count: 9 << 20)
        let file =
            PNGFile.header(64, 64, depth: 8, colour: 2) + PNGFile.chunk("iCCP", body) + PNGFile.chunk("IDAT", [1])
            + PNGFile.chunk("IEND", [])
        XCTAssertEqual(failure(file), .unsupportedFormat("PNG with a colour profile of 9 MB"))
    }

    func testFramesAreCounted() throws {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
        func gif(_ count: Int) -> Data {
            Data("GIF89a".utf8) + Data([1, 0, 1, 0, 0x80, 0, 0, 1, 2, 3, 4, 5, 6])
                + Data((0..<count).flatMap { _ in frame } + [0x3B])
        }
        XCTAssertNil(failure(gif(1_000)))
        XCTAssertEqual(failure(gif(1_001)), .tooManyFrames(limit: 1_000))
        // A TIFF whose pages go round in a circle.
        let circle =
            Data([0x49, 0x49, 42, 0, 8, 0, 0, 0, 3, 0])
            + Data([0, 1, 4, 0, 1, 0, 0, 0, 9, 0, 0, 0, 1, 1, 4, 0, 1, 0, 0, 0, 9, 0, 0, 0])
            + Data([6, 1, 4, 0, 1, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0])
        XCTAssertEqual(failure(circle), .tooManyFrames(limit: 1_000))
        for format in [ImageFormat.gif, .webp, .tiff] {
            XCTAssertNil(failure(try FormatTests.file(format), limits: DecodeLimits(maxFrames: .max)), "\(format)")
        }
    }

    /// Each piece of an item may lie in a box that stands behind all others, which is looked for once.
    func testEmptyBoxesOfAHEIFCostLittle() throws {
        func content(pieces count: UInt8, emptyBoxes: Int) -> (bytes: [UInt8]?, time: Duration) {
            let pieces = (0..<count).flatMap { _ in PNGFile.bigEndian(0) + PNGFile.bigEndian(1) }
            let places = HEIFFile.boxed("iloc", [1, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, count] + pieces)
            let empty = (0..<emptyBoxes).flatMap { _ in HEIFFile.boxed("free", []) }
            let file = HEIFFile.boxed("meta", [0, 0, 0, 0] + places + empty + HEIFFile.boxed("idat", [7]))
            let start = ThreadTime.now
            let bytes = file.withUnsafeBytes { HEIFItems(ByteReader($0))?.content(of: 1) }
            return (bytes, ThreadTime.now - start)
        }
        let (one, all) = (content(pieces: 1, emptyBoxes: 60_000), content(pieces: 64, emptyBoxes: 60_000))
        XCTAssertEqual(one.bytes, [7])
        XCTAssertEqual(all.bytes, [UInt8](repeating: 7, count: 64))
        XCTAssertLessThan(all.time, one.time * 8)
        XCTAssertNil(content(pieces: 1, emptyBoxes: ISOBoxes.mostBoxes).bytes)
    }

    func testAFileThatIsCutOffIsDamaged() throws {
        var noise = TestImages.gradient(200, 150)
        var state = UInt64(7)
        noise.withUnsafeMutableBytes { bytes in
            for index in bytes.indices where index % 4 < 3 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[index] = bytes[index] / 2 + UInt8(state >> 57)
            }
        }
        for format in ImageFormat.allCases where format != .svg {
            let file = try FormatTests.file(format, noise)
            for share in [0.3, 0.6, 0.95] {
                let error = failure(file.prefix(Int(Double(file.count) * share)))
                XCTAssertTrue(isDamaged(error), "\(format) at \(share): \(String(describing: error))")
            }
        }
        let progressive = try TestVipsImage(noise, bands: 3).file("jpegsave_buffer", ["interlace": "true"])
        XCTAssertNil(failure(progressive))
        for share in [0.3, 0.6, 0.95] {
            XCTAssertTrue(isDamaged(failure(progressive.prefix(Int(Double(progressive.count) * share)))), "\(share)")
        }
    }

    func testOnlyTheEndMarkerMayBeMissing() throws {
        let image = TestImages.gradient(200, 150)
        for options in [[:], ["interlace": "true"]] {
            let file = try TestVipsImage(image, bands: 3).file("jpegsave_buffer", options)
            XCTAssertNil(failure(file.dropLast(2)))
        }
    }

    func testBrokenDataInTheMiddleOfAJPEGIsDamaged() throws {
        var file = try FormatTests.file(.jpeg, TestImages.gradient(400, 300))
        for offset in 0..<40 { file[file.count / 2 + offset] = 0xFE }
        XCTAssertTrue(isDamaged(failure(file)), "\(String(describing: failure(file)))")
    }

    func testBrokenDataInAPNGIsDamaged() throws {
        var file = try FormatTests.file(.png, TestImages.gradient(400, 300))
        for offset in 0..<40 { file[file.count / 2 + offset] ^= 0x5A }
        XCTAssertTrue(isDamaged(failure(file)), "\(String(describing: failure(file)))")
    }

    func testErrorsAreOneCleanLine() throws {
        let file = try FormatTests.file(.tiff)
        var broken = file
        for offset in 100..<400 where offset < broken.count { broken[offset] = UInt8(offset & 0xFF) }
        for data in [file.prefix(300), broken.prefix(2_000)] {
            guard let text = failure(data).map(String.init(describing:)) else { continue }
            XCTAssertFalse(text.contains("\n"))
            XCTAssertLessThan(text.count, 250)
        }
    }

    /// libvips collects what decoders say, of pictures that are shown in spite of it too.
    func testAReasonIsThePicturesOwn() throws {
        let whole = try FormatTests.file(.tiff)
        var broken = try TestVipsImage(TestImages.gradient(120, 80), bands: 3)
            .file("tiffsave_buffer", ["compression": "deflate"])
        for offset in 20..<200 { broken[offset] = 0xA5 }
        let directory = whole[4..<8].enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
        let entries = Int(whole[directory]) | Int(whole[directory + 1]) << 8
        var before = whole
        // The place of a second page that is not there.
        before.replaceSubrange(directory + 2 + 12 * entries..<directory + 6 + 12 * entries, with: [0xF0, 0xFF, 0, 0])
        for usesHelper in [false, true] {
            let limits = DecodeLimits(isolation: usesHelper ? .standard : .nothing)
            _ = failure(try FormatTests.file(.png), limits: limits)
            let alone = failure(broken, limits: limits)
            XCTAssertTrue(isDamaged(alone), "\(String(describing: alone))")
            for _ in 0..<4 {
                XCTAssertNil(failure(before, limits: limits))
                XCTAssertEqual(failure(broken, limits: limits), alone, "helper: \(usesHelper)")
            }
        }
    }

    func testTimeLimitAndCancellation() throws {
        let files = try [ImageFormat.jpeg, .png].map {
            ($0, try FormatTests.file($0, TestImages.gradient(1_200, 900)))
        }
        for (format, file) in files {
            // By this thread, so that it is known how often it is asked.
            var limits = DecodeLimits(timeLimit: .zero, isolation: .nothing)
            XCTAssertEqual(failure(file, limits: limits), .timeout, "\(format)")
            limits.timeLimit = .microseconds(300)
            XCTAssertEqual(failure(file, limits: limits, side: nil), .timeout, "\(format)")
            limits.timeLimit = .seconds(20)
            let asked = Counter()
            do {
                _ = try ImageDecoder.decode(file, longestSide: 200, limits: limits, isCancelled: { asked.next() > 8 })
                XCTFail("\(format) was not cancelled")
            } catch {
                XCTAssertEqual(error, .cancelled)
                XCTAssertEqual(asked.value, 9, "asked again after the answer")
            }
        }
    }

    func testManyThreadsAtOnce() throws {
        let files = try ImageFormat.allCases.filter { $0 != .avif && $0 != .heif }.map { try FormatTests.file($0) }
        let broken = files.map { $0.prefix($0.count / 2) }
        let expected = try files.map { try ImageDecoder.decode($0, longestSide: 40) }
        let faults = Counter()
        DispatchQueue.concurrentPerform(iterations: 400) { index in
            let pick = index % files.count
            if index % 3 == 0 {
                _ = try? ImageDecoder.decode(broken[pick], longestSide: 40)
            } else if let image = try? ImageDecoder.decode(files[pick], longestSide: 40) {
                if TestImages.difference(image, expected[pick]) != 0 { _ = faults.next() }
            } else {
                _ = faults.next()
            }
        }
        XCTAssertEqual(faults.value, 0)
    }
}

/// Counts from any thread.
final class Counter: @unchecked Sendable {
    // The lock guards the value.
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }

    func next() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}
