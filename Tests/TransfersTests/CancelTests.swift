import Foundation
import Operations
import OperationsCore
import OperationsTesting
import TestServers
import XCTest

@testable import Transfers

/// Cancelling really ends a transfer, at whatever moment.
final class CancelTests: DownloadTestCase {
    func testTheServerSeesTheConnectionClose() {
        for fault in [Fault.stall, .stallMidBody, .endless] {
            let operation = operation(server.url(fault), .limits(bytes: 1_000_000_000_000))
            queue.addOperation(operation)
            XCTAssertTrue(server.waitForRequests(fault.rawValue))
            XCTAssertNil(operation.result)
            operation.cancel()
            operation.waitUntilFinished()
            XCTAssertEqual(operation.result?.error, .cancelled)
            XCTAssertNil(operation.error)
            XCTAssertTrue(server.waitForPeerClose(fault.rawValue))
        }
    }

    func testCancelledBeforeItsTurn() {
        useClient(.init(transfersPerHost: 1))
        let first = operation(server.url(.gate))
        queue.addOperation(first)
        XCTAssertTrue(server.waitForRequests(Fault.gate.rawValue))
        let second = operation(server.url("/never"))
        queue.addOperation(second)
        XCTAssertTrue(wait { second.isExecuting })
        second.cancel()
        second.waitUntilFinished()
        XCTAssertEqual(second.result?.error, .cancelled)
        server.openGate()
        first.waitUntilFinished()
        XCTAssertNil(first.result?.error)
        XCTAssertNil(failure(server.url("/ok")))
        XCTAssertEqual(server.requestCount("/never"), 0)
    }

    func testCancelledBeforeItIsStarted() {
        let operation = operation(server.url("/ok"))
        XCTAssertNil(operation.result)
        operation.cancel()
        queue.addOperations([operation], waitUntilFinished: true)
        XCTAssertEqual(operation.result?.error, .cancelled)
        XCTAssertEqual(server.requestCount(), 0)
    }

    /// Who cancels an operation sees its transfer before that is submitted.
    func testCancelledBeforeItIsSubmitted() throws {
        useClient(.init(transfersPerHost: 1))
        let loop = try XCTUnwrap(client.loop)
        for delay in [Duration.zero, .seconds(3_600)] {
            let ends = Lock<[TransferError?]>([])
            var plan = TransferPlan(
                address: try WebAddress(server.url("/never").absoluteString), limits: .test, addressGuard: .open,
                longestRetryAfter: .zero
            ) { outcome in ends.withLock { $0.append(outcome.result.error) } }
            plan.delay = delay
            let transfer = Transfer(plan, storage: client.storage, at: .now)
            loop.cancel(transfer)
            loop.submit(transfer)
            // It would be behind the other one in their host's line.
            XCTAssertNil(failure(server.url("/ok")))
            XCTAssertTrue(wait { self.client.activity.waiting == 0 && self.client.activity.running == 0 })
            XCTAssertEqual(ends.withLock { $0 }, [.cancelled])
        }
        XCTAssertEqual(server.requestCount("/never"), 0)
    }

    func testStorm() {
        let seed = UInt64.random(in: 0...9_999)
        print("cancel storm, seed \(seed)")
        var generator = SeededRandom(seed: seed)
        let paths = [
            "/ok", "/redirect/2", "/status/404", "/gate", "/stall", "/endless", "/stall-mid-body", "/half-body",
        ]
        server.openGate()
        var operations: [DownloadOperation] = []
        for _ in 0..<600 {
            let path = paths.randomElement(using: &generator) ?? "/ok"
            let operation = operation(server.url(path), .limits(bytes: 50_000_000))
            operations.append(operation)
            queue.addOperation(operation)
            // Someone who was added a while ago is cancelled, sometimes twice, sometimes at once.
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                operations.randomElement(using: &generator)?.cancel()
            }
            if Int.random(in: 0..<8, using: &generator) == 0 { usleep(UInt32.random(in: 0..<2_000, using: &generator)) }
        }
        for operation in operations.shuffled(using: &generator) { operation.cancel() }
        queue.waitUntilAllOperationsAreFinished()
        for operation in operations {
            switch operation.result {
            case .success(let response): XCTAssertEqual(response.body, FaultServer.okBody)
            case .failure(.cancelled), .failure(.http(404)), .failure(.truncated), .failure(.tooLarge): break
            case let other: XCTFail("\(String(describing: other)) of \(operation.request.url)")
            }
        }
        // The client is as good as new.
        XCTAssertNil(failure(server.url("/ok")))
    }
}
