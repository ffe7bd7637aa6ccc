import CVips
import Foundation
import ImageCodecs
import Pixels
import XCTest

final class AnimationTests: XCTestCase {
    /// Frames of one colour each, whose red is 20 times their number.
    private func animation(_ saver: String, frames: Int, width: Int = 30, height: Int = 21) throws -> Data {
        var tall = TestImages.solid(width, height * frames, [0, 100, 200, 255])
        tall.withUnsafeMutableBytes { bytes in
            for index in stride(from: 0, to: bytes.count, by: 4) {
                bytes[index] = UInt8(index / (width * height * 4) * 20 % 256)
            }
        }
        let image = try TestVipsImage(tall, bands: 3)
        image.set("page-height", height)
        image.set("delay", (0..<frames).map { 10 * ($0 + 4) })
        return try image.file(saver, saver.hasPrefix("webp") ? ["lossless": "true"] : [:])
    }

    func testFramesInAnyOrder() throws {
        for saver in ["gifsave_buffer", "webpsave_buffer"] {
            for usesHelper in [true, false] {
                let file = try animation(saver, frames: 10)
                let frames = try Animation(
                    file, longestSide: nil, limits: DecodeLimits(isolation: usesHelper ? .standard : .nothing))
                XCTAssertEqual(frames.frameCount, 10)
                for index in [0, 1, 2, 5, 9, 3, 4, 0] {
                    let frame = try frames.frame(index)
                    XCTAssertEqual(frame.image.size, PixelSize(width: 30, height: 21))
                    for y in [0, 20] {
                        let red = TestImages.colour(frame.image, 15, y)[0]
                        XCTAssertLessThanOrEqual(abs(red - index * 20), 3, "\(saver) \(index) \(y)")
                    }
                    XCTAssertEqual(frame.duration, .milliseconds(10 * (index + 4)), saver)
                }
                for index in [10, -1, .max, .min] {
                    XCTAssertThrowsError(try frames.frame(index)) {
                        XCTAssertEqual($0 as? ImageCodecError, .damaged("it has no frame at index \(index)"))
                    }
                }
            }
        }
    }

    /// A GIF's number is of repetitions, and a WebP's of all rounds; as browsers take them.
    func testTheyArePlayedAsOftenAsTheirFileSays() throws {
        func loopCount(_ file: Data) throws -> Int { try Animation(file, longestSide: nil).loopCount }
        let gif = Self.manyFrames(count: 2, width: 4, height: 6)
        XCTAssertEqual(try loopCount(gif), 1)
        let start = gif.startIndex + 19
        for name in ["NETSCAPE2.0", "ANIMEXTS1.0"] {
            for (repetitions, rounds) in [(0, 0), (1, 2), (5, 6), (65_535, 65_536)] {
                let count = [UInt8(repetitions & 255), UInt8(repetitions >> 8)]
                // Netscape's second kind of block says how much is read ahead.
                for other in [[], [5, 2, 0, 0, 1, 0]] as [[UInt8]] {
                    var file = gif
                    file.insert(
                        contentsOf: [0x21, 0xFF, 11] + Array(name.utf8) + other + [3, 1] + count + [0], at: start)
                    XCTAssertEqual(try loopCount(file), rounds, name)
                    XCTAssertEqual(try Animation(file, longestSide: nil).frameCount, 2)
                }
            }
        }
        // Another program's, and one that is cut off.
        for block in [Array("NETSCAPE9.9".utf8) + [3, 1, 4, 0, 0], Array("NETSCAPE2.0".utf8) + [1, 9, 0]] {
            var file = gif
            file.insert(contentsOf: [0x21, 0xFF, 11] + block, at: start)
            XCTAssertEqual(try loopCount(file), 1)
        }
        let webp = try animation("webpsave_buffer", frames: 3)
        let place = try XCTUnwrap(webp.firstRange(of: Data("ANIM".utf8))).upperBound + 8
        for rounds in [0, 1, 7, 65_535] {
            var file = webp
            file[place] = UInt8(rounds & 255)
            file[place + 1] = UInt8(rounds >> 8)
            XCTAssertEqual(try loopCount(file), rounds)
        }
        XCTAssertEqual(try loopCount(FormatTests.file(.webp)), 1)
    }

    func testTheFirstFrameIsThePicture() throws {
        for file in [
            try animation("gifsave_buffer", frames: 3), try FormatTests.file(.gif), try FormatTests.file(.webp),
        ] {
            for side in [nil, 12] {
                let first = try Animation(file, longestSide: side).frame(0)
                XCTAssertEqual(first.image, try ImageDecoder.decode(file, longestSide: side))
            }
        }
    }

    func testOnlyAnimationsAreAnimations() throws {
        XCTAssertThrowsError(try Animation(FormatTests.file(.jpeg), longestSide: nil))
        XCTAssertThrowsError(try Animation(Data("no".utf8), longestSide: nil))
        let file = try animation("gifsave_buffer", frames: 10)
        XCTAssertThrowsError(try Animation(file, longestSide: nil, limits: DecodeLimits(maxFrames: 9))) {
            XCTAssertEqual($0 as? ImageCodecError, .tooManyFrames(limit: 9))
        }
    }

    /// Each frame is drawn over those before it, so that whoever began each time with the first would take ever longer.
    func testALateFrameOfAWebPTakesNoLongerThanAnEarlyOne() throws {
        let file = try animation("webpsave_buffer", frames: 1_000, width: 48, height: 48)
        let frames = try Animation(file, longestSide: nil, limits: DecodeLimits(isolation: .nothing))
        var times: [Duration] = []
        for start in stride(from: 0, to: 1_000, by: 100) {
            let began = ThreadTime.now
            for index in start..<start + 100 { _ = try frames.frame(index) }
            times.append(ThreadTime.now - began)
        }
        // With such a beginning each time it was twenty times as long.
        XCTAssertLessThan(times[9], times[0] * 5 + .milliseconds(50), "\(times)")
    }

    func testFramesOfAWebPAreSeenThroughAndSmaller() throws {
        let (width, height) = (40, 24)
        var tall = TestImages.solid(width, height * 3, [200, 100, 50, 255])
        tall.withUnsafeMutableBytes { bytes in
            // The left half of the second frame, and all of the third.
            for y in height..<3 * height {
                for x in 0..<(y < 2 * height ? width / 2 : width) { bytes[(y * width + x) * 4 + 3] = 0 }
            }
        }
        let image = try TestVipsImage(tall, bands: 4)
        image.set("page-height", height)
        image.set("delay", [40, 50, 60])
        let file = try image.file("webpsave_buffer", ["lossless": "true"])
        for usesHelper in [true, false] {
            let frames = try Animation(
                file, longestSide: 20, limits: DecodeLimits(isolation: usesHelper ? .standard : .nothing))
            let all = try (0..<3).map { try frames.frame($0) }
            XCTAssertEqual(all.map(\.image.size), Array(repeating: PixelSize(width: 20, height: 12), count: 3))
            XCTAssertEqual(all.map(\.duration), [.milliseconds(40), .milliseconds(50), .milliseconds(60)])
            XCTAssertEqual(all.map { TestImages.colour($0.image, 3, 6)[3] }, [255, 0, 0])
            XCTAssertEqual(all.map { TestImages.colour($0.image, 16, 6)[3] }, [255, 255, 0])
            XCTAssertEqual(all.map(\.image.isOpaque), [true, false, false])
        }
    }

    func testACutOffWebPHasNoFrames() throws {
        let file = try animation("webpsave_buffer", frames: 10)
        for count in [file.count / 2, file.count - 8] {
            let frames = try Animation(file.prefix(count), longestSide: nil)
            XCTAssertThrowsError(try frames.frame(frames.frameCount - 1)) {
                guard case .damaged = $0 as? ImageCodecError else { return XCTFail("\($0)") }
            }
        }
    }

    /// Two animations that share the helpers, from two threads.
    func testAnimationsDoNotMix() throws {
        let faults = Counter()
        let files = try [animation("gifsave_buffer", frames: 10), animation("gifsave_buffer", frames: 4)]
        let animations = try files.map { try Animation($0, longestSide: nil) }
        DispatchQueue.concurrentPerform(iterations: 40) { index in
            let one = animations[index % 2]
            let number = index % one.frameCount
            let red = (try? one.frame(number)).map { TestImages.colour($0.image, 3, 3)[0] }
            if abs((red ?? -99) - number * 20) > 3 { _ = faults.next() }
        }
        XCTAssertEqual(faults.value, 0)
    }

    /// libvips gives those before it, and says no word of it.
    func testAFrameWhoseDataNobodyCanFollowIsNone() throws {
        let sound = Self.manyFrames(count: 2, width: 4, height: 6).dropLast()
        let place: [UInt8] = [0x2C, 0, 0, 0, 0, 4, 0, 6, 0, 0]
        let whole = Self.manyFrames(count: 2, width: 4, height: 6)
        for end in [place + [13, 2, 0x4C, 1, 0, 0x3B], place] {
            for usesHelper in [true, false] {
                let limits = DecodeLimits(isolation: usesHelper ? .standard : .nothing)
                let frames = try Animation(sound + end, longestSide: nil, limits: limits)
                let expected = try Animation(whole, longestSide: nil, limits: limits)
                XCTAssertEqual(frames.frameCount, 3)
                for index in [0, 1] {
                    XCTAssertEqual(try frames.frame(index).image, try expected.frame(index).image)
                }
                XCTAssertThrowsError(try frames.frame(2)) {
                    XCTAssertEqual($0 as? ImageCodecError, .damaged("it has no frame at index 2"))
                }
                XCTAssertEqual(try frames.frame(0).image, try expected.frame(0).image)
            }
        }
    }

    /// All frames at once would be 1 GB; here they are decoded by this process, whose memory can be asked.
    func testAShortFileDoesNotTakeAGigabyte() throws {
        let file = Self.manyFrames(count: 900, width: 660, height: 440)
        XCTAssertLessThan(file.count, 4 << 20)
        try XCTSkipIf(ProcessStatus.isSanitized, "memory is not what it is")
        ProcessStatus.forgetPeak()
        let before = ProcessStatus.peakMemory
        let frames = try Animation(file, longestSide: 64, limits: DecodeLimits(isolation: .nothing))
        XCTAssertEqual(frames.frameCount, 900)
        for index in [0, 1, 450, 899] {
            XCTAssertEqual(try frames.frame(index).image.size, PixelSize(width: 64, height: 43))
        }
        XCTAssertLessThan(ProcessStatus.peakMemory - before, 64 << 20)
    }

    /// Frames that each change one pixel. Of a screen of 640 x 480 decoders believe no word.
    static func manyFrames(count: Int, width: Int, height: Int) -> Data {
        func two(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
        var bytes = Array("GIF89a".utf8) + two(width) + two(height) + [0x80, 0, 0, 10, 20, 30, 200, 100, 50]
        for _ in 0..<count {
            bytes += [0x21, 0xF9, 4, 4, 5, 0, 0, 0]
            bytes += [0x2C] + two(0) + two(0) + two(1) + two(1) + [0, 2, 2, 0x4C, 1, 0]
        }
        return Data(bytes + [0x3B])
    }
}
