import Operations
import XCTest

@testable import OperationsCore

/// Tests that fail print what they compare, by its mirror, while its threads are at work.
final class ReflectionTests: XCTestCase {
    private final class Downloads: OperationQueue, @unchecked Sendable {
        let host = "example.org"
    }

    func testAQueueAtWorkCanBePrinted() {
        let queue = Downloads()
        queue.maxConcurrentOperationCount = 2
        for _ in 0..<many(2_000) { queue.addOperation {} }
        var text = ""
        for _ in 0..<20 {
            text = ""
            dump(queue, to: &text)
        }
        XCTAssertTrue(text.contains("example.org"), "a subclass shows its own: \(text)")
        XCTAssertTrue(Mirror(reflecting: queue.core).children.isEmpty)
        finishes(queue)
    }
}
