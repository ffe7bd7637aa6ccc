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
            // On a busy machine the last of the 20 operations may begin after the third has failed.
            XCTAssertTrue(wait { self.client.activity.waiting == 20 - count })
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

    /// Whatever a request is sent for and by whom, the host's own log has no more of them than its rate.
    func testRequestsThatAreSentAgainCount() throws {
        use { $0.requestsPerSecond = 2 }
        let (ok, tag) = (FaultServer.okBody, ["ETag": "\"1\""])
        server.serve(FaultScript(ok, headers: tag, [.cut(after: 9_000), .answer]), at: "/rest")
        server.serve(FaultScript(ok, headers: tag, [.cut(after: 9_000), .status(416), .answer]), at: "/restart")
        // The first one comes over a connection that was kept, and is lost; libcurl sends it again by itself.
        server.serve(FaultScript(ok, [.noAnswer, .answer]), at: "/lost")
        let cases = [
            ("/ok", 1), ("/lost", 2), ("/redirect-to?/ok", 2), ("/redirect/3", 4), ("/rest", 2), ("/restart", 3),
        ]
        for (path, requests) in cases {
            let before = server.requestCount()
            let retry = RetryPolicy(attempts: 2) { ($0 as? TransferError)?.isTransient ?? false }
            let download = DownloadOperation(
                DownloadRequest(url: server.url(path), limits: .test, retry: retry), client: client)
            queue.addOperation(download)
            for count in 1...requests {
                let isNext = wait(seconds: 10) {
                    guard self.server.requestCount() - before == count else { return false }
                    if count == requests { return download.isFinished }
                    return self.client.activity.waiting == 1 && self.clock.sleeperCount == 1
                }
                XCTAssertTrue(isNext, "\(path): \(server.requestCount() - before) requests where \(count) may be")
                clock.advance(by: .milliseconds(500))
            }
            end(download)
            XCTAssertEqual(try download.result?.get().body, ok, path)
            XCTAssertEqual(server.requestCount() - before, requests, path)
        }
    }

    /// What is read from disk asks nobody.
    func testTheDiskHasNoRate() throws {
        use { $0.requestsPerSecond = 0.01 }
        let file = FileManager.default.temporaryDirectory.appending(path: "rate-\(UUID().uuidString)")
        try FaultServer.okBody.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let taker = Taker()
        for key in 0..<3 { client.requestTurn(for: ResourceAddress(file), of: taker, key: key) }
        XCTAssertTrue(wait { taker.turns.withLock { $0.count } == 3 })
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

    /// A piece of a body that finds no room is shown again, and comes in once.
    func testWhatIsHeldBackHasNoPartInTheBytesASecond() {
        final class Valve: TransferFlow {
            let asked = Lock(0)
            func mayReceive(upTo bytes: Int) -> Bool {
                asked.withLock { $0 += 1 }
                return false
            }
        }
        use { $0.bytesPerSecond = 1_000 }
        let valve = Valve()
        let operation = operation(server.url("/ok"), flow: valve)
        queue.addOperation(operation)
        for count in 1...4 {
            // The whole body would have to be waited for.
            XCTAssertTrue(wait(seconds: 10) { valve.asked.withLock { $0 } >= count })
            operation.resumeTransfer()
        }
        operation.cancel()
        end(operation)
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

    /// A download that waits for its host does not look as one that transfers.
    func testATraceTellsWaitingFromTransferring() throws {
        use { $0.transfersPerHost = 1 }
        let trace = OperationTrace(of: [queue])
        let paths = [Fault.gate.rawValue + "?1", Fault.gate.rawValue + "?2", "/redirect/1"]
        let downloads = paths.map { path in
            let request = DownloadRequest(url: server.url(path), limits: .test)
            let download = CachedDownloadOperation(request, client: client, cache: nil)
            download.name = path
            return download
        }
        for download in downloads {
            queue.addOperation(download)
            XCTAssertTrue(
                wait { self.client.activity.running + self.client.activity.waiting == self.queue.operationCount })
        }
        XCTAssertTrue(server.waitForRequests(Fault.gate.rawValue))
        server.openGate()
        for download in downloads { end(download) }
        queue.waitUntilAllOperationsAreFinished()
        trace.stop()
        struct File: Decodable {
            struct Event: Decodable {
                var name: String
                var ph: String
                var id: Int
            }
            var traceEvents: [Event]
        }
        let events = try JSONDecoder().decode(File.self, from: trace.chromeTrace()).traceEvents.filter { $0.ph == "b" }
        for (path, turns) in zip(paths, [1, 1, 2]) {
            let own = try XCTUnwrap(events.first { $0.name == path }).id
            let names = events.filter { $0.id == own && $0.name != path }.map(\.name)
            XCTAssertEqual(
                names, Array(repeating: ["waiting for a turn", "transferring"], count: turns).flatMap(\.self))
        }
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

    /// Several runs share a client, as those of a task's shards do.
    func testAllWhoWantManyTurnsAreToldOfRoom() throws {
        use {
            $0.transfersPerHost = 1
            $0.transfersInAll = 1
        }
        let (first, second) = (Taker(), Taker())
        let address = ResourceAddress(server.url("/ok"))
        XCTAssertNotNil(client.requestTurn(for: address, of: first, key: 0))
        XCTAssertTrue(wait { first.turns.withLock { $0[0] != nil } })
        let before = first.rooms.withLock { $0 }
        XCTAssertNotNil(client.requestTurn(for: address, of: first, key: 1))
        XCTAssertNotNil(client.requestTurn(for: address, of: second, key: 0))
        XCTAssertTrue(wait { self.client.activity.waiting == 2 })
        for (taker, key) in [(first, 0), (first, 1), (second, 0)] {
            XCTAssertTrue(wait { taker.turns.withLock { $0[key] != nil } })
            taker.turns.withLock { $0.removeValue(forKey: key) }?.giveBack()
        }
        XCTAssertTrue(wait { second.rooms.withLock { $0 } > 0 })
        XCTAssertTrue(wait { first.rooms.withLock { $0 } > before })
    }

    func testATurnIsAPlaceUntilItIsUsedOrGivenBack() throws {
        use {
            $0.transfersPerHost = 1
            $0.transfersInAll = 2
        }
        let taker = Taker()
        let address = ResourceAddress(server.url("/ok"))
        for key in 0..<4 { XCTAssertNotNil(client.requestTurn(for: address, of: taker, key: key)) }
        // Once, or oftener where the client does not take all of the requests at once.
        XCTAssertTrue(wait { taker.rooms.withLock { $0 } > 0 && self.client.activity.waiting == 3 })
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
