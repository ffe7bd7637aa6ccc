import Foundation
import Operations
import OperationsCore
import OperationsTesting
import TestServers
import XCTest

@testable import Transfers

/// What becomes of transfers by their hosts, with real servers.
final class HostScheduleTests: DownloadTestCase {
    private let clock = ManualClock()

    private func use(_ change: (inout TransferClient.Configuration) -> Void) {
        var configuration = TransferClient.Configuration()
        configuration.clock = clock
        change(&configuration)
        useClient(configuration)
    }

    func testAHostThatFailsAgainAndAgainIsGivenUp() throws {
        // One after the other, so that it is known how many have begun when the host begins to rest.
        use {
            $0.hostPatience = .seconds(2)
            $0.transfersPerHost = 1
        }
        server.serve(FaultScript(FaultServer.okBody, [.status(502)]), at: "/broken")
        let operations = (0..<20).map { operation(server.url("/broken?\($0)")) }
        queue.addOperations(operations, waitUntilFinished: false)
        for count in [3, 4] {
            XCTAssertTrue(wait { operations.count(where: \.isFinished) == count })
            XCTAssertTrue(wait { self.client.activity.restingHosts == 1 && self.clock.sleeperCount == 1 })
            XCTAssertEqual(client.activity.waiting, 20 - count)
            clock.advance(by: .seconds(1))
            if count == 4 { clock.advance(by: .seconds(1)) }
        }
        for operation in operations { end(operation) }
        let errors = operations.compactMap { $0.result?.error }
        XCTAssertEqual(errors.count { $0 == .http(status: 502) }, 5)
        XCTAssertEqual(errors.count { $0 == .hostResting(after: .http(status: 502)) }, 15)
        XCTAssertEqual(server.requestCount("/broken"), 5)
        // It is tried again later, and is then as good as any other.
        clock.advance(by: .seconds(2))
        XCTAssertNil(failure(server.url("/ok")))
        XCTAssertNil(failure(server.url("/ok")))
    }

    func testRequestsASecond() throws {
        use { $0.requestsPerSecond = 2 }
        let operations = (0..<3).map { operation(server.url("/ok?\($0)")) }
        queue.addOperations(operations, waitUntilFinished: false)
        for count in 1...3 {
            XCTAssertTrue(wait { operations.count(where: \.isFinished) == count })
            XCTAssertEqual(server.requestCount("/ok"), count)
            guard count < 3 else { break }
            XCTAssertTrue(wait { self.clock.sleeperCount == 1 })
            clock.advance(by: .milliseconds(500) - .nanoseconds(1))
            XCTAssertEqual(clock.sleeperCount, 1)
            clock.advance(by: .nanoseconds(1))
        }
    }

    func testBytesASecond() throws {
        var configuration = TransferClient.Configuration()
        configuration.bytesPerSecond = 100_000
        useClient(configuration)
        let began = ContinuousClock.now
        let operations = (0..<5).map { operation(server.url("/ok?\($0)")) }
        run(operations)
        for operation in operations { XCTAssertEqual(try operation.result?.get().body, FaultServer.okBody) }
        // A tenth of a second's bytes are free, and the last piece is not waited for.
        XCTAssertGreaterThan(ContinuousClock.now - began, .milliseconds(500))
    }

    /// As long as a name is looked up, nobody else asks for it; then all go on at once.
    func testAHostWithANameIsUsedInItsWholeWidth() throws {
        use { $0.resolvedNames = ["photos.example:\(server.port):127.0.0.1"] }
        let operations = try (0..<8).map {
            operation(try url("http://photos.example:\(server.port)\(Fault.gate.rawValue)?\($0)"))
        }
        queue.addOperations(operations, waitUntilFinished: false)
        XCTAssertTrue(server.waitForRequests(Fault.gate.rawValue, count: 8))
        XCTAssertEqual(client.activity.running, 8)
        server.openGate()
        for operation in operations {
            end(operation)
            XCTAssertNil(operation.result?.error)
        }
    }

    func testTheMostUrgentComesFirstAndSuspensionHoldsAll() throws {
        use { $0.transfersInAll = 1 }
        client.suspend(true)
        let priorities: [Operations.Operation.QueuePriority] = [.low, .normal, .veryHigh, .veryLow]
        let operations = priorities.enumerated().map { number, priority in
            let operation = operation(server.url("/head?\(number)"))
            operation.queuePriority = priority
            return operation
        }
        let order = Lock<[Int]>([])
        for (number, operation) in operations.enumerated() {
            operation.completionBlock = { order.withLock { $0.append(number) } }
        }
        queue.addOperations(operations, waitUntilFinished: false)
        XCTAssertTrue(wait { self.client.activity.waiting == 4 })
        XCTAssertEqual(server.requestCount(), 0)
        operations[3].queuePriority = .high
        client.suspend(false)
        XCTAssertTrue(wait { order.withLock { $0.count } == 4 })
        XCTAssertEqual(order.withLock { $0 }, [2, 3, 1, 0])
    }

    /// Notes the turns that it is given.
    private final class Taker: TurnTaker {
        let turns = Lock<[Int: TransferTurn]>([:])
        let refused = Lock<[Int]>([])
        let rooms = Lock(0)

        func take(_ turn: TransferTurn?, for key: Int) {
            if let turn { turns.withLock { $0[key] = turn } } else { refused.withLock { $0.append(key) } }
        }

        func transfersHaveRoom() { rooms.withLock { $0 += 1 } }
    }

    func testATurnIsAPlaceUntilItIsUsedOrGivenBack() throws {
        use {
            $0.transfersPerHost = 1
            $0.transfersInAll = 2
        }
        let taker = Taker()
        let address = ResourceAddress(server.url("/ok"))
        for key in 0..<4 { XCTAssertNotNil(client.requestTurn(for: address, of: taker, key: key)) }
        XCTAssertTrue(wait { taker.rooms.withLock { $0 } == 1 })
        XCTAssertEqual(taker.turns.withLock { Array($0.keys) }, [0])
        // Whoever has the turn goes before those that wait.
        var request = DownloadRequest(address: address, limits: .test)
        request.turn = taker.turns.withLock { $0.removeValue(forKey: 0) }
        let download = DownloadOperation(request, client: client)
        run([download])
        XCTAssertNil(download.result?.error)
        XCTAssertTrue(wait { taker.turns.withLock { $0[1] != nil } })
        taker.turns.withLock { $0[1] = nil }
        XCTAssertTrue(wait { taker.turns.withLock { $0[2] != nil } })
        client.withdrawTurns(of: taker)
        XCTAssertTrue(wait { taker.refused.withLock { $0 } == [3] })
        taker.turns.withLock { $0[2]?.giveBack() }
        XCTAssertNil(failure(server.url("/ok")))
        XCTAssertTrue(wait { self.client.activity == TransferActivity() })
    }
}
