import Foundation
import OperationsCore
import TestServers
import XCTest

@testable import Transfers

/// A limit of a disk cache that is changed while it works.
final class CacheLimitTests: CacheTestCase {
    private static let count = 60
    private let fresh = ["Cache-Control": "max-age=6000"]

    override func setUpWithError() throws {
        try super.setUpWithError()
        for number in 0..<Self.count {
            server.serve(Self.body(number, count: 200_000), at: "/\(number)", headers: fresh)
        }
    }

    func testALowerLimitKeepsWhatWasUsedLast() throws {
        let cache = makeCache()
        fill(cache)
        XCTAssertGreaterThan(bytesOnDisk(), 12_000_000)
        let file = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sqlite") }
        setLimit(6_000_000, cache)
        XCTAssertEqual(cache.limit, 6_000_000)
        XCTAssertLessThanOrEqual(bytesOnDisk(), 6_000_000)
        XCTAssertGreaterThan(bytesOnDisk(), 3_000_000)
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sqlite") }, file)
        for number in Self.count - 10..<Self.count { try expectKept(number, cache) }
        XCTAssertNil(source(server.url("/0"), cache, .onlyIfCached))
        // It goes on under the new limit, and so does the next one.
        XCTAssertEqual(source(server.url("/0"), cache), .network)
        try expectKept(0, cache)
        XCTAssertLessThanOrEqual(bytesOnDisk(), 6_000_000)
        let next = makeCache(limit: 6_000_000)
        try expectKept(Self.count - 1, next)
        for cache in [cache, next] {
            XCTAssertEqual(cache.condition, .ready)
            XCTAssertEqual(cache.statistics.damagedDatabases, 0, cache.statistics.lastDamage ?? "")
            XCTAssertEqual(cache.statistics.damagedBodies, 0)
        }
    }

    func testAHigherLimitMakesRoom() throws {
        let cache = makeCache(limit: 6_000_000)
        fill(cache)
        XCTAssertNil(source(server.url("/0"), cache, .onlyIfCached))
        setLimit(64_000_000, cache)
        fill(cache)
        for number in 0..<Self.count { try expectKept(number, cache) }
        XCTAssertGreaterThan(bytesOnDisk(), 12_000_000)
    }

    func testTheLowestLimitIsLargeEnoughToWork() throws {
        let cache = makeCache()
        fill(cache)
        setLimit(0, cache)
        XCTAssertEqual(cache.limit, 4 << 20)
        XCTAssertLessThanOrEqual(bytesOnDisk(), 4 << 20)
        try expectKept(Self.count - 1, cache)
    }

    func testToChangeItMakesNothing() {
        setLimit(6_000_000, makeCache())
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path))
    }

    /// What is there was not read by this cache yet.
    func testALowerLimitHoldsForWhatOthersHaveStored() throws {
        fill(makeCache())
        let cache = makeCache()
        setLimit(6_000_000, cache)
        XCTAssertLessThanOrEqual(bytesOnDisk(), 6_000_000)
        try expectKept(Self.count - 1, cache)
    }

    /// As in the next start of a program whose limit was lowered, or in another program with a lower one.
    func testFilesThatAreOpenedUnderALowerLimitKeepWhatWasUsedLast() throws {
        do {
            let large = makeCache()
            fill(large)
            flush(large)
        }
        let cache = makeCache(limit: 6_000_000)
        try expectKept(Self.count - 1, cache)
        XCTAssert(wait { bytesOnDisk() <= 6_000_000 })
        try expectKept(Self.count - 2, cache)
        XCTAssertNil(source(server.url("/0"), cache, .onlyIfCached))
        XCTAssertEqual(source(server.url("/0"), cache), .network)
        flush(cache)
        try expectKept(0, cache)
        XCTAssertLessThanOrEqual(bytesOnDisk(), 6_000_000)
        XCTAssertEqual(cache.statistics.damagedDatabases, 0, cache.statistics.lastDamage ?? "")
    }

    /// As beside a program with a higher limit, which makes the files larger than this one wants them.
    func testFilesThatOthersMakeLargerFollowTheLowerLimitAgain() throws {
        let cache = makeCache(limit: 6_000_000)
        XCTAssertEqual(source(server.url("/0"), cache), .network)
        let large = makeCache()
        fill(large)
        XCTAssertGreaterThan(bytesOnDisk(), 12_000_000)
        // Now there is no room for what replaces this, which goes all the same.
        let (path, body) = ("/\(Self.count - 1)", Self.body(99, count: 200_000))
        server.serve(body, at: path, headers: fresh)
        XCTAssertEqual(source(server.url(path), cache, .reload), .network)
        XCTAssertEqual(try fetch(server.url(path), cache).get().body, body)
        XCTAssert(wait { bytesOnDisk() <= 6_000_000 })
        XCTAssertEqual(source(server.url("/1"), cache), .network)
        try expectKept(1, cache)
        XCTAssertEqual(cache.condition, .ready)
    }

    /// A program that was told no limit takes nothing away from one that was.
    func testAProgramThatWasToldNoLimitKeepsWhatIsThere() throws {
        XCTAssertEqual(DiskCache.limit(keepingWhatIsIn: folder.path, usual: 5_000_000), 5_000_000)
        do {
            let large = makeCache()
            fill(large)
            flush(large)
        }
        let limit = DiskCache.limit(keepingWhatIsIn: folder.path, usual: 5_000_000)
        XCTAssertGreaterThan(limit, 12_000_000)
        XCTAssertLessThan(limit, 64_000_000)
        XCTAssertEqual(DiskCache.limit(keepingWhatIsIn: folder.path, usual: 64_000_000), 64_000_000)
        let cache = makeCache(limit: limit)
        for number in 0..<Self.count { try expectKept(number, cache) }
        // Nor does it make the files larger than that program wants them.
        let before = DiskCache.limit(keepingWhatIsIn: folder.path, usual: 0)
        fill(cache)
        flush(cache)
        XCTAssertLessThanOrEqual(DiskCache.limit(keepingWhatIsIn: folder.path, usual: 0), before)
    }

    /// A part of it is in the log alone then.
    func testAProgramThatWasToldNoLimitKeepsWhatAnotherOneStoresNow() throws {
        let large = makeCache()
        fill(large)
        flush(large)
        let cache = makeCache(limit: DiskCache.limit(keepingWhatIsIn: folder.path, usual: 5_000_000))
        for number in 0..<Self.count { try expectKept(number, cache) }
        flush(cache)
        for number in 0..<Self.count { try expectKept(number, large) }
    }

    func testFilesOfAnEarlierVersionAreBegunAnew() throws {
        let old = folder.appending(path: "responses-v\(CacheFolder.schema)-1.sqlite")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            let connection = try SQLiteConnection(path: old.path)
            try connection.run("PRAGMA page_size = \(CacheLimits.pageSize)")
            try connection.run("PRAGMA journal_mode = WAL")
        }
        let cache = makeCache()
        fill(cache)
        XCTAssertGreaterThan(bytesOnDisk(), 12_000_000)
        setLimit(6_000_000, cache)
        XCTAssertLessThanOrEqual(bytesOnDisk(), 6_000_000)
        XCTAssertEqual(source(server.url("/1"), cache), .network)
        try expectKept(1, cache)
        XCTAssertEqual(cache.statistics.damagedDatabases, 0)
    }

    func testTheLimitHoldsWhileItChangesAndAnswersAreStored() throws {
        let cache = makeCache(limit: 20_000_000)
        fill(cache)
        let most = Lock(0)
        let isDone = Lock(false)
        let watcher = Thread { [folder] in
            while !isDone.withLock({ $0 }) {
                let bytes = Self.bytesOnDisk(in: folder)
                most.withLock { $0 = max($0, bytes) }
            }
        }
        watcher.start()
        for (round, limit) in [5_000_000, 20_000_000, 9_000_000, 4_500_000, 12_000_000, 5_000_000].enumerated() {
            let changed = expectation(description: "the limit \(limit)")
            let operations = (0..<Self.count).map { cached(server.url("/\($0)?\(round)"), cache) }
            queue.addOperations(operations, waitUntilFinished: false)
            Task {
                await cache.setLimit(limit)
                changed.fulfill()
            }
            wait(for: [changed], timeout: 60)
            for operation in operations { end(operation) }
            flush(cache)
            XCTAssertLessThanOrEqual(bytesOnDisk(), limit, "round \(round)")
            for (number, operation) in operations.enumerated() {
                XCTAssertEqual(try XCTUnwrap(operation.result).get().body, Self.body(number, count: 200_000))
            }
        }
        isDone.withLock { $0 = true }
        XCTAssert(wait { watcher.isFinished })
        XCTAssertLessThanOrEqual(most.withLock { $0 }, 20_000_000)
        XCTAssertEqual(cache.condition, .ready)
        XCTAssertEqual(cache.statistics.damagedDatabases, 0, cache.statistics.lastDamage ?? "")
    }

    // MARK: Helpers

    /// Stores all of them, each at a time of its own.
    private func fill(_ cache: DiskCache, line: UInt = #line) {
        for number in 0..<Self.count {
            XCTAssertNotNil(source(server.url("/\(number)"), cache), line: line)
            pass(seconds: 1)
        }
    }

    private func expectKept(_ number: Int, _ cache: DiskCache, line: UInt = #line) throws {
        let response = try fetch(server.url("/\(number)"), cache, .onlyIfCached).get()
        XCTAssertEqual(response.body, Self.body(number, count: 200_000), "\(number)", line: line)
    }

    private func setLimit(_ limit: Int, _ cache: DiskCache) {
        let changed = expectation(description: "changed")
        Task {
            await cache.setLimit(limit)
            changed.fulfill()
        }
        wait(for: [changed], timeout: 60)
    }
}
