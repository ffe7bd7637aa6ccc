import Foundation
import Operations
import TestServers
import XCTest

@testable import PhotoPipeline

/// Decoders of one's own.
final class DecoderTests: PipelineTestCase {
    /// Plain grey: `grey`, a byte each for width and height, and the grey of each pixel.
    private struct GreyDecoder: ImageDecoding {
        var decodings = Lock(0)
        var wait: @Sendable (@Sendable () -> Bool) -> Void = { _ in }
        /// What it makes, if not what the file says.
        var made: PixelSize?

        func size(of bytes: Data) throws(ImageCodecError) -> PixelSize? {
            guard bytes.starts(with: Data("grey".utf8)) else { return nil }
            guard bytes.count >= 6 else { throw .damaged("its header is cut off") }
            return PixelSize(width: Int(bytes[4]), height: Int(bytes[5]))
        }

        func decode(
            _ bytes: Data, _ options: DecodeOptions, isCancelled: @escaping @Sendable () -> Bool
        ) throws(ImageCodecError) -> PixelBuffer {
            decodings.withLock { $0 += 1 }
            wait(isCancelled)
            if isCancelled() { throw .damaged("it was told to stop") }
            if let made { return PixelBuffer(size: made) }
            guard let size = try size(of: bytes), bytes.count == 6 + size.width * size.height else {
                throw .damaged("it is cut off")
            }
            return PixelBuffer(uninitialized: size, isOpaque: true) { pixels in
                for index in pixels.indices { pixels[index] = index % 4 == 3 ? 255 : bytes[6 + index / 4] }
            }
        }
    }

    private static func file(width: UInt8, height: UInt8, grey: UInt8 = 90) -> Data {
        Data("grey".utf8) + [width, height] + [UInt8](repeating: grey, count: Int(width) * Int(height))
    }

    private func pipeline(
        _ decoder: GreyDecoder, _ change: (inout PhotoPipeline.Configuration) -> Void = { _ in }
    ) -> PhotoPipeline {
        var configuration = PhotoPipeline.Configuration()
        configuration.decoders = [decoder]
        change(&configuration)
        return PhotoPipeline(configuration: configuration)
    }

    private func request(resize: Resize? = nil, filter: FilterChain = .none) -> ImageRequest {
        ImageRequest(address: server.url("/grey"), resize: resize, filter: filter)
    }

    func testItsFilesAreDecodedAtTheSizeThatIsWantedAndTheKnownKindsAsEver() async throws {
        server.serve(Self.file(width: 200, height: 100), at: "/grey")
        let decoder = GreyDecoder()
        let pipeline = pipeline(decoder)
        for (resize, size) in [
            (nil, (200, 100)), (Resize.longestSide(50), (50, 25)), (.crop(width: 30, height: 40), (30, 40)),
            (.crop(width: 30, height: 40, gravity: .attention), (30, 40)),
            (.exact(width: 20, height: 90), (20, 90)), (.fit(width: 400, height: 400, enlarges: true), (400, 200)),
        ] {
            let image = try await value(from: pipeline, request(resize: resize))
            XCTAssertEqual(image.size, PixelSize(width: size.0, height: size.1))
            XCTAssertTrue(
                image.withUnsafeBytes { bytes in bytes.indices.allSatisfy { bytes[$0] == ($0 % 4 == 3 ? 255 : 90) } })
        }
        XCTAssertEqual(decoder.decodings.withLock { $0 }, 6)
        let png = try await value(from: pipeline, self.request(1, size: 20))
        XCTAssertEqual(Self.first(png), 11)
        XCTAssertEqual(decoder.decodings.withLock { $0 }, 6)
        let animation = try await pipeline.animation(for: request(resize: .longestSide(50)))
        let frame = try await animation.frame(0)
        XCTAssertEqual([animation.frameCount, animation.size.width, frame.image.size.width], [1, 50, 50])
        eventuallyEmpty(pipeline)
    }

    func testLengthsOfFiltersAreOfThePublishedPicture() async throws {
        server.serve(Self.file(width: 200, height: 100), at: "/grey")
        let pipeline = pipeline(GreyDecoder())
        var expected = try await value(from: pipeline, request(resize: .longestSide(100)))
        FilterChain([.blur(deviation: 4)]).apply(to: &expected)
        let blurred = try await value(
            from: pipeline, request(resize: .longestSide(100), filter: FilterChain([.blur(deviation: 8)])))
        XCTAssertEqual(blurred, expected)
    }

    func testLimitsHoldBeforeAnythingIsDecoded() async throws {
        server.serve(Self.file(width: 200, height: 100), at: "/grey")
        let decoder = GreyDecoder()
        for (resize, change, reason) in [
            (nil, { $0.maxPixels = 19_999 }, .tooManyPixels), (nil, { $0.maxMemory = 79_999 }, .memoryLimit),
            (
                .exact(width: 60_000, height: 60_000, enlarges: true), { _ in }, .tooManyPixels
            ),
        ] as [(Resize?, (inout DecodeLimits) -> Void, PhotoError.Reason)] {
            let pipeline = pipeline(decoder) { change(&$0.decodeLimits) }
            let result = try await outcome(of: pipeline.imageTask(for: request(resize: resize)))
            XCTAssertEqual(Self.reason(result), reason)
            eventuallyEmpty(pipeline)
        }
        XCTAssertEqual(decoder.decodings.withLock { $0 }, 0)
    }

    /// The largest numbers stand for "no limit".
    func testNoLimitIsNoOverflow() async throws {
        let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='30'/>"
        server.serve(Data(drawing.utf8), at: "/drawing.svg")
        var configuration = PhotoPipeline.Configuration()
        configuration.decodeLimits.maxPixels = .max
        configuration.decodeLimits.maxMemory = .max
        configuration.memoryLimit = .max
        configuration.decodeWidth = .max
        let pipeline = PhotoPipeline(configuration: configuration)
        let tasks = (0..<4).map { number in
            pipeline.imageTask(for: ImageRequest(address: server.url("/drawing.svg?\(number)")))
        }
        for task in tasks {
            let image = try await outcome(of: task).get()
            XCTAssertEqual(image.size, PixelSize(width: 40, height: 30))
        }
        eventuallyEmpty(pipeline)
    }

    /// A small picture is filtered by one thread, whatever the width is.
    func testNoWidthIsNoOverflow() async throws {
        let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='2000' height='1100'/>"
        server.serve(Data(drawing.utf8), at: "/drawing.svg")
        for width in [Int.max, 0] {
            var configuration = PhotoPipeline.Configuration()
            configuration.filtrationWidth = width
            let pipeline = PhotoPipeline(configuration: configuration)
            for filter in ["blur(2px)", "drop-shadow(2px 2px 2px red)"] {
                let request = ImageRequest(
                    address: server.url("/drawing.svg"), filter: try FilterChain(parsing: filter))
                let image = try await outcome(of: pipeline.imageTask(for: request)).get()
                XCTAssertEqual(image.size, PixelSize(width: 2_000, height: 1_100))
            }
        }
    }

    func testWhatIsWrongWithAFileOrADecoderIsTyped() async throws {
        let cases: [(file: Data, made: PixelSize?, detail: String)] = [
            (Data("grey".utf8), nil, "its header is cut off"),
            (Self.file(width: 9, height: 9).dropLast(), nil, "it is cut off"),
            (Self.file(width: 0, height: 9), nil, "its header says that it has no pixels"),
            (
                Self.file(width: 9, height: 9), PixelSize(width: 9, height: 8),
                "its header says 9 x 9 pixels, and its decoder made 9 x 8 of it"
            ),
        ]
        for (file, made, detail) in cases {
            server.serve(file, at: "/grey")
            var decoder = GreyDecoder()
            decoder.made = made
            let pipeline = pipeline(decoder)
            let result = try await outcome(of: pipeline.imageTask(for: request()))
            XCTAssertEqual(result, .failure(PhotoError(.damaged(detail))))
            eventuallyEmpty(pipeline)
        }
    }

    func testTheMemoryIsCountedFromBeforeTheDecoding() async throws {
        server.serve(Self.file(width: 200, height: 100), at: "/grey")
        let (began, mayEnd) = (expectation(description: "began"), DispatchSemaphore(value: 0))
        var decoder = GreyDecoder()
        decoder.wait = { _ in
            began.fulfill()
            _ = mayEnd.wait(timeout: .now() + 60)
        }
        let pipeline = pipeline(decoder)
        pipeline.pending.filtrationQueue.isSuspended = true
        let task = pipeline.imageTask(for: request(resize: .longestSide(100), filter: .classic))
        await fulfillment(of: [began], timeout: 60)
        XCTAssertGreaterThanOrEqual(pipeline.memoryInUse, 20_006 + 4 * (20_000 + 5_000))
        mayEnd.signal()
        eventually("only the result is counted") { pipeline.memoryInUse == 4 * 5_000 }
        pipeline.pending.filtrationQueue.isSuspended = false
        _ = try await value(of: task)
        eventuallyEmpty(pipeline)
    }

    func testCancellingAndTheTimeLimitReachIt() async throws {
        server.serve(Self.file(width: 20, height: 10), at: "/grey")
        let began = Lock(0)
        var decoder = GreyDecoder()
        decoder.wait = { isCancelled in
            began.withLock { $0 += 1 }
            while !isCancelled() { usleep(1_000) }
        }
        let late = pipeline(decoder) { $0.decodeLimits.timeLimit = .milliseconds(50) }
        let result = try await outcome(of: late.imageTask(for: request()))
        XCTAssertEqual(Self.reason(result), .decodeTimeout)
        eventuallyEmpty(late)
        let pipeline = pipeline(decoder)
        let task = pipeline.imageTask(for: request())
        eventually("it is being decoded") { began.withLock { $0 } == 2 }
        task.cancel()
        let cancelled = try await outcome(of: task)
        XCTAssertEqual(Self.reason(cancelled), .cancelled)
        eventuallyEmpty(pipeline)
    }
}
