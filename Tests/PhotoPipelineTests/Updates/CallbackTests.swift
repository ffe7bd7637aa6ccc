import Dispatch
import Foundation
import Operations
import XCTest

@testable import PhotoPipeline

/// Closures that are called with what comes of a picture.
final class CallbackTests: PipelineTestCase {
    /// Swift's few threads are for all tasks of the program.
    func testClosuresThatBlockTheirThreadHoldNothingElseUp() async throws {
        try await expectNothingHeldUp { pipeline, request, block, whenFinished in
            pipeline.imageTask(for: request) { _ in
                block()
                whenFinished()
            }
        }
        try await expectNothingHeldUp { pipeline, request, block, whenFinished in
            pipeline.imageTask(for: request) { update in
                if case .image = update { block() }
            } whenFinished: { _ in
                whenFinished()
            }
        }
    }

    /// Starts more pictures than there are processors, all of whose closures wait for one more task of the program's.
    private func expectNothingHeldUp(
        line: UInt = #line,
        start: (
            _ pipeline: PhotoPipeline, _ request: ImageRequest, _ block: @escaping @Sendable () -> Void,
            _ whenFinished: @escaping @Sendable () -> Void
        ) -> Void
    ) async throws {
        let (inside, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let pipeline = pipeline()
        let finished = expectation(description: "all are finished")
        finished.expectedFulfillmentCount = count
        for size in 1...count {
            start(pipeline, request(1, size: size)) {
                inside.signal()
                Self.wait(for: gate)
            } _: {
                finished.fulfill()
            }
        }
        let areInside = Lock(false)
        Thread.detachNewThread {
            for _ in 0..<count { Self.wait(for: inside) }
            areInside.withLock { $0 = true }
        }
        eventually("all are inside at once", line: line) { areInside.withLock { $0 } }
        Task.detached { for _ in 0..<count { gate.signal() } }
        await fulfillment(of: [finished], timeout: 30)
        eventuallyEmpty(pipeline, line: line)
    }
}
