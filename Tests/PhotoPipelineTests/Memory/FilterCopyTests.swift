import Foundation
import Operations
import TestServers
import XCTest

@testable import PhotoPipeline

/// Memory of pictures that filters copy, because somebody else has them as they were.
final class FilterCopyTests: PipelineTestCase {
    private let oneImage = 40 * 30 * 4

    func testTwoFiltersOfOnePictureCountTwice() {
        let pipeline = pipeline()
        let queue = OperationQueue()
        queue.isSuspended = true
        pipeline.pending.downloadQueue.isSuspended = true
        let over = expectation(description: "over")
        over.expectedFulfillmentCount = 2
        let filtered = Lock(0)
        for filter in ["invert(1)", "sepia(1)"] {
            let task = pipeline.task(for: request(1, filter: filter), of: Photo.ID(0)) { update in
                if update.state == .filtered { filtered.withLock { $0 += 1 } }
            }
            // What saves it, say; until then the picture counts.
            task.append(BlockOperation {}, to: queue)
            task.start { over.fulfill() }
        }
        pipeline.pending.downloadQueue.isSuspended = false
        eventually("both are filtered") { filtered.withLock { $0 } == 2 }
        eventually("the stages are over") { pipeline.stageCount == 0 }
        XCTAssertEqual(pipeline.memoryInUse, 2 * oneImage)
        queue.isSuspended = false
        wait(for: [over], timeout: 60)
        eventuallyEmpty(pipeline)
    }

    func testAFilterInPlaceCountsOnce() async throws {
        let pipeline = PhotoPipeline(
            configuration: {
                var own = configuration(); own.cacheLimit = 0; return own
            }())
        let queue = OperationQueue()
        queue.isSuspended = true
        let (isFiltered, over) = (expectation(description: "filtered"), expectation(description: "over"))
        let task = pipeline.task(for: request(1, filter: "invert(1)"), of: Photo.ID(0)) { update in
            if update.state == .filtered { isFiltered.fulfill() }
        }
        task.append(BlockOperation {}, to: queue)
        task.start { over.fulfill() }
        await fulfillment(of: [isFiltered], timeout: 60)
        eventually("the stages are over") { pipeline.stageCount == 0 }
        XCTAssertEqual(pipeline.memoryInUse, oneImage)
        queue.isSuspended = false
        await fulfillment(of: [over], timeout: 60)
    }
}
