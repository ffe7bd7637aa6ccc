import Foundation
import Operations
import Transfers
import XCTest

@testable import PhotoPipeline

/// What a decoding holds of the pictures that were found on disk, and hands out.
final class FinishedImagesTests: FinishedTestCase {
    func testWhoAsksAgainGetsThePictureWhileAnotherOneOfItsDecodingIsWaitedFor() async throws {
        let (one, other) = (request(1, filter: "sepia(0.5)"), request(1, filter: "invert(1)"))
        let expected = [try await make(one, cache()).pixels, try await make(other, cache()).pixels]
        let pipeline = pipeline(cache()) { $0.cacheLimit = 0 }
        pipeline.pending.isSuspended = true
        let first = pipeline.imageTask(for: one)
        let filtration = pipeline.pending.filtrationQueue
        let before = filtration.operations
        let second = pipeline.imageTask(for: other)
        // The other one's filter waits, so that what both are made of is kept.
        let gate = BlockOperation {}
        let waiting = filtration.operations.filter { operation in !before.contains { $0 === operation } }
        XCTAssertEqual(waiting.count, 1)
        for operation in waiting { operation.addDependency(gate) }
        pipeline.pending.isSuspended = false
        var images = [try await value(of: first)]
        eventually("the first one's filter is over") {
            pipeline.filters.count == 1 && pipeline.decodes.count == 1
        }
        images.append(try await value(from: pipeline, one))
        let queue = OperationQueue()
        queue.addOperation(gate)
        images.append(try await value(of: second))
        XCTAssertEqual(images, [expected[0], expected[0], expected[1]])
        eventuallyEmpty(pipeline)
    }

    private func finished(_ wanted: [ImageRequest], _ cache: ImageDiskCache) async throws -> FinishedImages {
        let pipeline = pipeline(cache)
        let key = pipeline.key(wanted[0])
        let finished = FinishedImages(cache, key, pipeline.decodeOptions(key), pipeline.decoder)
        for request in wanted { XCTAssert(finished.want(request.processing)) }
        let body = FetchedBody(
            bytes: try Self.image(1), metrics: .loader, lease: MemoryLease(PhotoMemory(gate: pipeline.gate)))
        let isFound = expectation(description: "it was looked for")
        XCTAssertNotNil(finished.lookUp(body) { isFound.fulfill() })
        await fulfillment(of: [isFound], timeout: 60)
        return finished
    }

    /// A library that decodes is replaced by another one.
    func testPicturesOfOtherLibrariesAreOtherOnes() {
        let sources = [1, 2].map { FinishedImages.source("as it is", Data("file".utf8), decoders: $0) }
        XCTAssertNotEqual(sources[0], sources[1])
        XCTAssertNotEqual(FinishedImages.decoders, 0)
    }

    func testPackedBytesGoOnceTheyAreOfNoUse() async throws {
        let cache = cache()
        let (one, other) = (request(1), request(1, filter: "invert(1)"))
        let image = try await make(one, cache).pixels
        let unpacked = try await finished([one], cache)
        XCTAssertGreaterThan(unpacked.packedBytes, 0)
        XCTAssertEqual(unpacked.complete(), image.byteCount + unpacked.packedBytes)
        XCTAssertEqual(unpacked.unpack(), image.byteCount)
        XCTAssertEqual(unpacked.packedBytes, 0)
        XCTAssertEqual(unpacked.image(one.processing)?.pixels, image)
        // One is missing, so that the file is decoded.
        let decoded = try await finished([one, other], cache)
        XCTAssertGreaterThan(decoded.packedBytes, 0)
        XCTAssertNil(decoded.complete())
        XCTAssertEqual(decoded.packedBytes, 0)
        // Only that one is stored then.
        for request in [one, other] { decoded.store(ScaledImage(pixels: image, scale: 1), request.processing) }
        await cache.flush()
        XCTAssertEqual(cache.statistics.stored, 2)
    }
}
