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
            pipeline.stages.filters.count == 1 && pipeline.stages.decodes.count == 1
        }
        images.append(try await value(from: pipeline, one))
        let queue = OperationQueue()
        queue.addOperation(gate)
        images.append(try await value(of: second))
        XCTAssertEqual(images, [expected[0], expected[0], expected[1]])
        eventuallyEmpty(pipeline)
    }
}
