import Operations
import TestServers
import XCTest

@testable import PhotoPipeline

/// Stages of one's own behind those of a photo.
final class AppendedStageTests: PipelineTestCase {
    /// Also a block that is set after the start.
    func testTheirCompletionBlocksAreTheirOwners() throws {
        let pipeline = pipeline()
        let calls = Lock<[String]>([])
        let task = pipeline.task(for: request(1), of: Photo.ID(1)) { _ in }
        let (first, last) = (Operation(), Operation())
        for (operation, name) in [(first, "first"), (last, "last")] {
            operation.completionBlock = { calls.withLock { $0.append(name) } }
            task.append(operation, to: pipeline.pending.filtrationQueue)
        }
        pipeline.pending.filtrationQueue.isSuspended = true
        task.start { calls.withLock { $0.append("all") } }
        last.completionBlock = { calls.withLock { $0.append("last, later") } }
        pipeline.pending.filtrationQueue.isSuspended = false
        eventually("all three are called") { calls.withLock { Set($0) } == ["first", "last, later", "all"] }
        XCTAssertEqual(calls.withLock { $0.count }, 3)
        XCTAssertTrue(first.isFinished && last.isFinished)
        eventuallyEmpty(pipeline)
    }

    /// The photo is over when all of its stages are, whatever they have to say.
    func testACancelledPhotoWaitsForThem() throws {
        let pipeline = pipeline()
        let queue = OperationQueue()
        queue.isSuspended = true
        let (own, isOver) = (Operation(), Lock(false))
        let task = pipeline.task(for: request(2), of: Photo.ID(2)) { _ in }
        task.append(own, to: queue)
        task.start { isOver.withLock { $0 = true } }
        eventually("the picture is there") {
            pipeline.stageCount == 0 && pipeline.pending.decodeQueue.operationCount == 0
        }
        task.cancel()
        XCTAssertFalse(isOver.withLock { $0 })
        XCTAssertEqual(pipeline.pending.count, 1)
        queue.isSuspended = false
        eventually("it is over") { isOver.withLock { $0 } }
        XCTAssertTrue(own.isFinished && own.isCancelled)
        eventuallyEmpty(pipeline)
    }
}
