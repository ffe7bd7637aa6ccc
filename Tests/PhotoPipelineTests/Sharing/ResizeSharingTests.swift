import Foundation
import ImageCodecs
import Operations
import Pixels
import TestServers
import XCTest

@testable import PhotoPipeline

/// A size is what decodings and pictures in memory are told apart by.
final class ResizeSharingTests: PipelineTestCase {
    private func request(_ resize: Resize?, filter: FilterChain = .none) -> ImageRequest {
        ImageRequest(address: server.url("/1.png"), resize: resize, filter: filter)
    }

    func testEachResizeIsADecodingOfItsOwnOfOneTransfer() async throws {
        let pipeline = pipeline()
        let resizes: [Resize?] = [
            nil, .longestSide(20), .fit(width: 20, height: 20), .crop(width: 20, height: 20),
            .crop(width: 20, height: 20, gravity: .attention), .crop(width: 20, height: 20, enlarges: true),
            .exact(width: 20, height: 20), .fill(width: 20, height: 20), .fill(width: 20, height: 20),
        ]
        pipeline.pending.isSuspended = true
        let tasks = resizes.map { pipeline.imageTask(for: request($0)) }
        pipeline.pending.isSuspended = false
        for (task, resize) in zip(tasks, resizes) {
            let image = try await value(of: task)
            XCTAssertEqual(image.size, resize?.size(of: PixelSize(width: 40, height: 30)) ?? image.size)
        }
        XCTAssertEqual(decodings.withLock { $0 }, 7)
        XCTAssertEqual(server.requestCount("/1.png"), 1)
        // And so in memory.
        XCTAssertEqual(pipeline.cachedImage(for: request(.crop(width: 20, height: 20)))?.size.width, 20)
        XCTAssertNil(pipeline.cachedImage(for: request(.crop(width: 20, height: 19))))
        XCTAssertNil(pipeline.cachedImage(for: request(.exact(width: 20, height: 20, enlarges: true))))
        var short = ImageRequest(address: server.url("/1.png"), longestSide: 20)
        XCTAssertNotNil(pipeline.cachedImage(for: short))
        short.longestSide = nil
        XCTAssertNil(short.resize)
        eventuallyEmpty(pipeline)
    }

    /// None of what they share is over before the last of them has joined, however quick it is.
    func testPhotosThatAreStartedTogetherShareTheirTransfer() async throws {
        let (pipeline, server) = (pipeline(), try XCTUnwrap(server))
        let resizes: [Resize?] = [.longestSide(20), nil, .longestSide(20), .crop(width: 9, height: 9)]
        for round in 1...60 {
            server.serve(try Self.image(round % 20), at: "/photos/\(round).png")
            let sizes = Lock<[PixelSize]>([])
            let photos = resizes.enumerated().map { place, resize in
                let request = ImageRequest(address: server.url("/photos/\(round).png"), resize: resize)
                return pipeline.task(for: request, of: Photo.ID(place)) { update in
                    guard update.state == .filtered, let image = update.image else { return }
                    sizes.withLock { $0.append(image.size) }
                }
            }
            // One of them may be given up before.
            if round % 7 == 0 { photos[0].cancel() }
            try await soon { await withCheckedContinuation { done in PhotoTask.start(photos) { done.resume() } } }
            XCTAssertEqual(sizes.withLock { $0.count }, round % 7 == 0 ? 3 : 4)
            XCTAssertEqual(server.requestCount("/photos/\(round).png"), 1)
            XCTAssertEqual(decodings.withLock { $0 }, round * 3)
            let bytes = photos.reduce(0) { $0 + $1.receivedByteCount }
            XCTAssertEqual(bytes, try Self.image(round % 20).count)
        }
        eventuallyEmpty(pipeline)
    }

    func testLengthsOfFiltersGoWithTheScaleAndNotWithTheCut() async throws {
        let noise = PixelBuffer(uninitialized: PixelSize(width: 400, height: 300), isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : UInt8(index / 4 * 7919 % 251) }
        }
        server.serve(try ImageEncoder(format: .png).encode(noise), at: "/1.png")
        let blur = try FilterChain(parsing: "blur(8px)")
        for (resize, scale) in [
            (Resize.crop(width: 100, height: 10), 0.25), (.fit(width: 800, height: 800, enlarges: true), 2),
            (.exact(width: 100, height: 300), 0.5), (.fill(width: 40, height: 30), 0.1),
        ] {
            var expected = try await value(from: pipeline(), request(resize))
            blur.apply(to: &expected, scale: scale)
            let filtered = try await value(from: pipeline(), request(resize, filter: blur))
            XCTAssertEqual(filtered, expected, "\(resize)")
        }
    }

    func testAPictureThatWouldBeEnlargedBeyondTheLimitTakesNoMemory() async throws {
        var configuration = configuration()
        configuration.decoders = []
        configuration.decodeLimits.maxPixels = 1_000_000
        let pipeline = PhotoPipeline(configuration: configuration)
        let task = pipeline.imageTask(for: request(.exact(width: 60_000, height: 60_000, enlarges: true)))
        let outcome = try await outcome(of: task)
        XCTAssertEqual(Self.reason(outcome), .tooManyPixels)
        eventuallyEmpty(pipeline)
    }
}
