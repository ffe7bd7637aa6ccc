import Foundation
import Operations
import OperationsCore
import OperationsTesting
import TestServers
import Transfers
import XCTest

/// Transfers that are tried again, on a clock that the tests move.
final class RetryTests: DownloadTestCase {
    private let clock = ManualClock()

    override func setUpWithError() throws {
        try super.setUpWithError()
        useClient(configuration())
    }

    private func configuration(perHost: Int = 8) -> TransferClient.Configuration {
        var configuration = TransferClient.Configuration(transfersPerHost: perHost)
        configuration.clock = clock
        return configuration
    }

    private func retried(_ path: String, retries: Int = 2, limits: TransferLimits = .test) -> DownloadOperation {
        DownloadOperation(
            DownloadRequest(url: server.url(path), limits: limits, retry: .transfers(retries: retries)), client: client)
    }

    /// Runs an operation to its end, and lets all waits pass.
    private func run(_ operation: DownloadOperation) {
        queue.addOperation(operation)
        let end = Date(timeIntervalSinceNow: 60)
        while !wait(seconds: 0.02, until: { operation.isFinished }) {
            guard Date() < end else { return XCTFail("it does not end") }
            clock.advance(by: .seconds(60))
        }
    }

    private func serve(_ steps: [FaultScript.Step]) {
        server.serve(FaultScript(FaultServer.okBody, steps), at: "/flaky")
    }

    func testFaultsThatPassAreTriedAgain() throws {
        for fault in [FaultScript.Step.status(503), .status(500), .status(429), .cut(after: 5_000), .noAnswer] {
            // On a connection that was used before, libcurl would ask a second time by itself.
            useClient(configuration())
            serve([fault, fault, .answer])
            let before = server.requestCount("/flaky")
            let operation = retried("/flaky")
            run(operation)
            XCTAssertEqual(try operation.result?.get().body, FaultServer.okBody, "\(fault)")
            XCTAssertEqual(server.requestCount("/flaky") - before, 3)
            XCTAssertEqual(operation.failedAttempts.count, 2)
            XCTAssertNil(operation.error)
        }
    }

    func testItEndsWithTheLastFaultAfterAllAttempts() {
        serve([.status(500), .cut(after: 10), .status(503)])
        let operation = retried("/flaky", retries: 2)
        run(operation)
        XCTAssertEqual(operation.result?.error, .http(status: 503))
        XCTAssertEqual(operation.failedAttempts, [.http(status: 500), .truncated, .http(status: 503)])
        XCTAssertEqual(operation.error as? TransferError, .http(status: 503))
        XCTAssertEqual(server.requestCount("/flaky"), 3)
    }

    func testOtherFaultsAreNotTriedAgain() {
        for path in ["/status/404", "/bad-chunk", "/redirect-circle", "/huge-length"] {
            let operation = retried(path)
            run(operation)
            XCTAssertEqual(operation.failedAttempts.count, 1, path)
            XCTAssertNotNil(operation.error)
        }
        XCTAssertEqual(server.requestCount("/status/404"), 1)
    }

    func testSilenceAndClosedPortsAreTriedAgain() throws {
        let silent = retried("/stall", retries: 1, limits: .limits(idle: 0.2))
        run(silent)
        XCTAssertEqual(silent.failedAttempts, [.timeout(.idle, .seconds(0.2)), .timeout(.idle, .seconds(0.2))])
        // The server may hear of the second one after the client has given it up.
        XCTAssertTrue(server.waitForRequests("/stall", count: 2))
        XCTAssertEqual(server.requestCount("/stall"), 2)
        server.stop()
        let nobody = retried("/ok", retries: 1)
        run(nobody)
        XCTAssertEqual(nobody.failedAttempts.map(\.kind), ["unreachable", "unreachable"])
    }

    func testRetryAfterIsWaitedFor() throws {
        serve([.status(503, ["Retry-After": "7"]), .answer])
        let operation = retried("/flaky")
        queue.addOperation(operation)
        XCTAssertTrue(wait { self.clock.sleeperCount == 1 })
        clock.advance(by: .seconds(7) - .nanoseconds(1))
        XCTAssertEqual(clock.sleeperCount, 1)
        clock.advance(by: .nanoseconds(1))
        end(operation)
        XCTAssertNil(operation.result?.error)
    }

    func testARetryAfterThatIsLongerThanWeWaitEndsIt() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let date = formatter.string(from: Date(timeIntervalSinceNow: 3_600))
        let waits = [
            (503, "3600", 3_600...3_600), (429, "61", 61...61), (503, date, 3_000...3_600),
            // Newer versions of libcurl say six hours of it.
            (429, "86400", 86_400...86_400),
        ]
        for (status, value, named) in waits {
            useClient(configuration())
            serve([.status(status, ["Retry-After": value]), .answer])
            let operation = retried("/flaky")
            run(operation)
            XCTAssertEqual(server.requestHeaders("Host", at: "/flaky").count, 1, value)
            guard case .retryLater(status, let wait) = operation.result?.error else {
                XCTFail("\(value): \(String(describing: operation.result))")
                continue
            }
            XCTAssertTrue(named.contains(Int(wait.components.seconds)), "\(wait)")
            XCTAssertEqual(operation.failedAttempts, [.retryLater(status: status, after: wait)])
            XCTAssertEqual(operation.retryAfter, wait)
        }
    }

    func testARetryAfterThatNoNumberHoldsIsLongerThanWeWait() {
        for value in ["9223372036854775807", "99999999999999999999", "999999999999"] {
            useClient(configuration())
            serve([.status(503, ["Retry-After": value]), .answer])
            let operation = retried("/flaky")
            run(operation)
            guard case .retryLater(503, let wait) = operation.result?.error else {
                XCTFail("\(value): \(String(describing: operation.result))")
                continue
            }
            XCTAssertEqual(wait, .seconds(10 * 365 * 86_400), value)
            XCTAssertEqual(operation.error.map { "\($0)" }?.contains("3650 days"), true, value)
        }
        for value in ["", "soon", "-5", "0", "000"] {
            useClient(configuration())
            serve([.status(503, ["Retry-After": value]), .answer])
            let operation = retried("/flaky")
            run(operation)
            XCTAssertNil(operation.result?.error, value)
        }
    }

    func testAHostThatAsksForALongerPauseThanWeWaitIsNotAskedAgainBeforeItsEnd() throws {
        useClient(configuration(perHost: 1))
        serve([.status(429, ["Retry-After": "600"]), .answer])
        let first = retried("/flaky")
        let line = (0..<14).map { _ in retried("/flaky") }
        // The clock stands still, so that nobody's wait ends.
        super.run([first] + line)
        for operation in [first] + line {
            XCTAssertEqual(operation.result?.error, .retryLater(status: 429, after: .seconds(600)))
        }
        XCTAssertEqual(server.requestCount("/flaky"), 1)
        let other = try FaultServer()
        defer { other.stop() }
        XCTAssertNil(failure(other.url("/ok")), "another host is not concerned")

        clock.advance(by: .seconds(500))
        let later = retried("/flaky")
        super.run([later])
        XCTAssertEqual(later.result?.error, .retryLater(status: 429, after: .seconds(100)))
        XCTAssertEqual(server.requestCount("/flaky"), 1)

        // The rest is not longer than this one waits.
        clock.advance(by: .seconds(95))
        let patient = retried("/flaky")
        queue.addOperation(patient)
        XCTAssertTrue(wait { self.clock.sleeperCount == 1 })
        clock.advance(by: .seconds(5) - .nanoseconds(1))
        XCTAssertEqual(server.requestCount("/flaky"), 1)
        clock.advance(by: .nanoseconds(1))
        end(patient)
        XCTAssertNil(patient.result?.error)
        XCTAssertEqual(server.requestCount("/flaky"), 2)
    }

    func testAWaitHoldsNoPlace() throws {
        useClient(configuration(perHost: 1))
        serve([.status(503)])
        let waiting = retried("/flaky")
        queue.addOperation(waiting)
        XCTAssertTrue(wait { self.clock.sleeperCount == 1 })
        XCTAssertNil(failure(server.url("/ok")))
        XCTAssertFalse(waiting.isFinished)
        waiting.cancel()
        end(waiting)
        XCTAssertEqual(waiting.result?.error, .cancelled)
        XCTAssertNil(waiting.error)
        XCTAssertTrue(wait { self.clock.sleeperCount == 0 })
        XCTAssertEqual(server.requestCount("/flaky"), 1)
    }

    func testAHostThatSaysTooManyRequestsIsLeftAlone() throws {
        serve([.status(429, ["Retry-After": "5"]), .answer])
        let refused = retried("/flaky")
        queue.addOperation(refused)
        // The operation waits, and so does the host.
        XCTAssertTrue(wait { self.clock.sleeperCount == 1 })
        let other = try FaultServer()
        defer { other.stop() }
        let held = operation(server.url("/ok"))
        queue.addOperation(held)
        XCTAssertNil(failure(other.url("/ok")), "another host is not concerned")
        XCTAssertFalse(held.isFinished)
        XCTAssertEqual(server.requestCount("/ok"), 0)
        clock.advance(by: .seconds(5))
        end(held)
        XCTAssertNil(held.result?.error)
        end(refused)
        XCTAssertNil(refused.result?.error)
    }

    func testWhatWasHeldForABodyIsGivenBackDuringTheWait() throws {
        final class Room: TransferFlow {
            let drops = Lock(0)
            func mayReceive(upTo bytes: Int) -> Bool { true }
            func didDropBody() { drops.withLock { $0 += 1 } }
        }
        let room = Room()
        serve([.cut(after: 5_000), .answer])
        var request = DownloadRequest(url: server.url("/flaky"), limits: .test, flow: room)
        request.retry = .transfers(retries: 1)
        let operation = DownloadOperation(request, client: client)
        run(operation)
        XCTAssertEqual(try operation.result?.get().body, FaultServer.okBody)
        XCTAssertEqual(room.drops.withLock { $0 }, 1)
        XCTAssertEqual(operation.receivedByteCount, FaultServer.okBody.count + 5_000)
    }

    func testStormOfCancelsDuringRetries() {
        serve([.status(500)])
        let seed = UInt64.random(in: 0...9_999)
        print("retry storm, seed \(seed)")
        var generator = SeededRandom(seed: seed)
        let operations = (0..<200).map { _ in retried("/flaky", retries: 5) }
        queue.addOperations(operations, waitUntilFinished: false)
        for operation in operations.shuffled(using: &generator) {
            if Int.random(in: 0..<3, using: &generator) == 0 { clock.advance(by: .seconds(1)) }
            operation.cancel()
        }
        for operation in queue.operations { end(operation) }
        for operation in operations {
            switch operation.result?.error {
            case .cancelled?, .http(500)?: break
            case let other: XCTFail("\(String(describing: other))")
            }
        }
        // The host may rest, for which the client has one.
        XCTAssertTrue(wait { self.clock.sleeperCount <= 1 })
        XCTAssertTrue(wait { self.client.activity.waiting == 0 })
    }
}
