import Foundation
import Operations
import TestServers
import XCTest

@testable import Transfers

/// How many bytes a second a client receives at most, of all transfers together.
final class ByteRateTests: DownloadTestCase {
    // MARK: The plain value

    func testAPauseSavesUpATenthOfASecond() {
        let start = SteadyTime.now
        var rate = ByteRate(perSecond: 1_000, at: start)
        XCTAssert(rate.mayTake(at: start))
        // A piece comes in whole, and what it took too much is waited for.
        rate.take(2_100)
        XCTAssertFalse(rate.mayTake(at: start))
        XCTAssertFalse(rate.mayTake(at: start.advanced(by: .milliseconds(1_999))))
        XCTAssertEqual(rate.nextTime, start.advanced(by: .milliseconds(2_001)))
        XCTAssert(rate.mayTake(at: rate.nextTime))
        // However long nothing came.
        let later = start.advanced(by: .seconds(3_600))
        XCTAssert(rate.mayTake(at: later))
        rate.take(99)
        XCTAssert(rate.mayTake(at: later))
        rate.take(1)
        XCTAssertFalse(rate.mayTake(at: later))
    }

    // MARK: Transfers

    private func useClient(bytesPerSecond: Int) {
        var configuration = TransferClient.Configuration()
        configuration.bytesPerSecond = bytesPerSecond
        useClient(configuration)
    }

    func testAllTransfersTogetherKeepToTheRate() throws {
        useClient(bytesPerSecond: 400_000)
        let body = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for number in 0..<5 { server.serve(body, at: "/\(number)") }
        let began = ContinuousClock.now
        let operations = (0..<5).map { operation(server.url("/\($0)")) }
        run(operations)
        // The first tenth of a second comes at once, and the last piece need not be waited for.
        XCTAssertGreaterThan(ContinuousClock.now - began, .seconds(2))
        for operation in operations { XCTAssertEqual(try operation.result?.get().body, body) }
    }

    func testACancelledOneDoesNotWaitAndTheOthersGoOn() throws {
        useClient(bytesPerSecond: 50_000)
        let body = Data(repeating: 7, count: 100_000)
        for number in 0..<4 { server.serve(body, at: "/\(number)") }
        let operations = (0..<4).map { operation(server.url("/\($0)")) }
        queue.addOperations(operations, waitUntilFinished: false)
        XCTAssert(wait { server.requestCount() == 4 })
        for operation in operations[..<2] { operation.cancel() }
        for operation in operations[..<2] { end(operation) }
        // It takes eight seconds until all have come.
        XCTAssertFalse(operations[2...].allSatisfy(\.isFinished))
        for operation in operations { end(operation) }
        for operation in operations[2...] { XCTAssertEqual(try operation.result?.get().body, body) }
    }
}
