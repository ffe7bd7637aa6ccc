import Foundation
import Operations
import XCTest

@testable import PhotoApp

final class RollingTraceTests: XCTestCase {
    func testATraceThatGoesOnForLongKeepsTheLastOperationsOnly() throws {
        let queue = OperationQueue()
        let data = try MainActor.assumeIsolated {
            let trace = RollingTrace(of: [queue])
            for round in 0..<10 {
                for number in 0..<RollingTrace.length {
                    let operation = BlockOperation {}
                    operation.name = "\(round)-\(number)"
                    queue.addOperation(operation)
                }
                queue.waitUntilAllOperationsAreFinished()
                trace.roll(addedCount: (round + 1) * RollingTrace.length)
            }
            return try trace.recorded.chromeTrace()
        }
        let text = String(decoding: data, as: UTF8.self)
        XCTAssertTrue(text.contains("\"9-\(RollingTrace.length - 1)\""))
        XCTAssertFalse(text.contains("\"7-0\""))
    }
}
