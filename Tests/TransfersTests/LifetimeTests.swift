import Foundation
import Operations
import OperationsCore
import TestServers
import XCTest

@testable import Transfers

/// When a client's thread and connections end.
final class LifetimeTests: DownloadTestCase {
    func testThreadAndConnectionsEndWithTheClient() {
        XCTAssertNil(failure(server.url("/ok")))
        weak let loop = client.loop
        XCTAssertNotNil(loop)
        XCTAssertEqual(server.openConnections, 1)
        client = nil
        XCTAssertTrue(wait { loop == nil })
        XCTAssertTrue(server.waitForOpenConnections(atMost: 0))
    }

    func testAnOperationKeepsItsClient() {
        weak let loop = client.loop
        scope {
            let operation = operation(server.url(.gate))
            queue.addOperation(operation)
            client = nil
            XCTAssertTrue(server.waitForRequests(Fault.gate.rawValue))
            XCTAssertNotNil(loop)
            server.openGate()
            operation.waitUntilFinished()
            XCTAssertNil(operation.result?.error)
        }
        XCTAssertTrue(wait { loop == nil })
    }

    /// Nobody but the transfers holds the clients, so that each ends on its own event thread.
    func testTheLastReferenceMayBeDroppedOnTheEventThread() {
        var loops: [WeakLoop] = []
        for number in 0..<60 {
            client = TransferClient(.init(usesEnvironmentProxy: false))
            loops.append(WeakLoop(loop: client.loop))
            let operation = operation(server.url(number % 2 == 0 ? "/ok" : "/stall"))
            queue.addOperation(operation)
            if number % 4 == 1 { operation.cancel() }
        }
        client = nil
        XCTAssertTrue(server.waitForRequests("/stall", count: 15))
        queue.cancelAllOperations()
        queue.waitUntilAllOperationsAreFinished()
        XCTAssertTrue(wait { loops.allSatisfy { $0.loop == nil } })
    }

    /// However a transfer ends, and wherever its body was, it keeps nothing.
    func testNoEndOfATransferKeepsTheClient() {
        weak let loop = client.loop
        scope {
            client.loop?.setWidth(4)
            for path in [
                "/ok", "/redirect/2", "/status/404", "/half-body", "/endless", "/stall", "/stall-mid-body", "/gate",
            ] {
                for inMemory in [0, Int.max] {
                    var request = DownloadRequest(
                        url: server.url(path), limits: .limits(bytes: 10_000_000), retry: .transfers(retries: 0))
                    request.maxBytesInMemory = inMemory
                    for _ in 0..<2 { queue.addOperation(DownloadOperation(request, client: client)) }
                }
            }
            client = nil
            XCTAssertTrue(server.waitForRequests("/stall"))
            // Some wait for a turn now, others run.
            queue.cancelAllOperations()
            queue.waitUntilAllOperationsAreFinished()
        }
        XCTAssertTrue(wait { loop == nil })
    }

    private struct WeakLoop {
        weak var loop: TransferLoop?
    }

    private func scope(_ body: () -> Void) { body() }

    func testAnIdleClientEnds() {
        weak let loop = client.loop
        client = nil
        XCTAssertTrue(wait { loop == nil })
    }
}
