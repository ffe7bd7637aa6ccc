import Foundation
import Operations
import OperationsCore
import XCTest

/// What a forwarding queue of Foundation's class has to do itself, since its queue does not know of it.
final class FoundationQueueTests: XCTestCase {
    /// What waits for others of Foundation's class is cancelled, too.
    func testCancellingAllReachesThoseThatWait() {
        let queue = makeQueue(width: 1)
        let (dependent, dependency) = (Foundation.BlockOperation {}, Foundation.BlockOperation {})
        dependent.addDependency(dependency)
        queue.foundationQueue.addOperation(dependent)
        queue.foundationQueue.cancelAllOperations()
        XCTAssertTrue(dependent.isCancelled)
        Foundation.OperationQueue().addOperation(dependency)
        eventually("it finished", within: 10) { dependent.isFinished && queue.operationCount == 0 }
    }
}
