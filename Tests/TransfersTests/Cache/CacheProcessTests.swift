import Foundation
import OperationsCore
import OperationsTesting
import TestServers
import XCTest

@testable import Transfers

/// Processes that share a cache, and processes that are killed while they write to it.
final class CacheProcessTests: CacheTestCase {
    private static let paths = 60
    /// More than the limit together.
    private static let bodies = (0..<paths).map { CacheTestCase.body($0, count: $0 * 5_000) }

    override func setUpWithError() throws {
        try super.setUpWithError()
        for number in 0..<Self.paths {
            let headers = ["Cache-Control": "max-age=600", "ETag": "\"\(number)\""]
            server.serve(Self.bodies[number], at: "/\(number)", headers: headers)
        }
    }

    func testAProcessThatIsKilledLeavesOnlyWhatIsRight() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        var found = 0
        for _ in 0..<8 {
            let child = try startChild(seed: .random(in: 0...UInt64.max, using: &random))
            XCTAssert(child.waitForLine(), "the child stores nothing")
            usleep(.random(in: 0...30_000, using: &random))
            child.kill()
            found += try verify()
        }
        XCTAssertGreaterThan(found, 60)
    }

    func testTwoProcessesAtOnce() throws {
        let children = try [startChild(seed: 1), startChild(seed: 2)]
        let cache = makeCache(limit: Self.limit)
        for child in children { XCTAssert(child.waitForLine(), "a child stores nothing") }
        for _ in 0..<4 {
            let operations = (0..<Self.paths).map { cached(server.url("/\($0)"), cache) }
            run(operations)
            for (number, operation) in operations.enumerated() {
                let body = try XCTUnwrap(operation.result).get().body
                XCTAssertEqual(body, Self.bodies[number])
            }
            XCTAssertLessThanOrEqual(bytesOnDisk(), Self.limit)
        }
        for child in children { child.kill() }
        XCTAssertEqual(cache.statistics.damagedDatabases, 0, cache.statistics.lastDamage ?? "")
        XCTAssertEqual(cache.statistics.damagedBodies, 0)
        XCTAssertGreaterThan(try verify(), 0)
    }

    private static let limit = 5_000_000

    private func startChild(seed: UInt64) throws -> ChildProcess {
        try ChildProcess(
            "cache-child", [folder.path, "\(Self.limit)", server.url("").absoluteString, "\(Self.paths)", "\(seed)"])
    }

    /// Reads all that is there; how many that were.
    private func verify() throws -> Int {
        let cache = makeCache(limit: Self.limit)
        var found = 0
        for number in 0..<Self.paths {
            guard case .success(let response) = fetch(server.url("/\(number)"), cache, .onlyIfCached) else { continue }
            XCTAssertEqual(response.body, Self.bodies[number])
            found += 1
        }
        XCTAssertEqual(cache.statistics.damagedDatabases, 0, cache.statistics.lastDamage ?? "")
        XCTAssertEqual(cache.statistics.damagedBodies, 0)
        XCTAssertLessThanOrEqual(bytesOnDisk(), Self.limit)
        return found
    }
}
