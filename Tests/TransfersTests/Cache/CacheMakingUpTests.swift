import Foundation
import OperationsCore
import TestServers
import XCTest

@testable import Transfers

/// A cache that could not be written or read for a while, and what it does afterwards.
final class CacheMakingUpTests: CacheTestCase {
    private let fresh = ["Cache-Control": "max-age=6000", "ETag": "\"1\""]
    private var other: SQLiteConnection?

    override func tearDown() {
        other = nil
        super.tearDown()
    }

    private func lock() throws {
        other = try SQLiteConnection(path: databaseFile().path)
        try other?.run("BEGIN IMMEDIATE")
    }

    private func makeStore(_ clock: WallClock? = nil) -> DiskStore<CacheRecord> {
        let clock = clock ?? WallClock { [time] in time.withLock { $0 } }
        return DiskStore(folder: folder.path, limit: 8_000_000, clock: clock, onCondition: { _ in })
    }

    private func record(_ body: Data = Data()) -> CacheRecord {
        CacheRecord(status: 200, body, CacheExchange.Answer(), userAgent: "", requestedAt: 0, receivedAt: 0)
    }

    /// A run ends when it has nothing to do, and not when a pause does.
    func testTheEndOfARunDoesNotWaitForThePause() throws {
        let cache = makeCache()
        server.serve(Data("old".utf8), at: "/a", headers: fresh)
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        try lock()
        server.serve(Data("new".utf8), at: "/a", headers: fresh)
        XCTAssertEqual(source(server.url("/a"), cache, .reload), .network)
        try other?.run("ROLLBACK")
        flush(cache)
        XCTAssertEqual(try fetch(server.url("/a"), makeCache()).get().body, Data("new".utf8))
    }

    func testWhatOthersHaveFoundOutSinceStays() throws {
        let cache = makeCache()
        server.serve(Data("body".utf8), at: "/a", headers: fresh)
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        pass(seconds: 6_001)
        try lock()
        XCTAssertEqual(source(server.url("/a"), cache), .validated)
        try other?.run("ROLLBACK")
        pass(seconds: 5_990)
        XCTAssertEqual(source(server.url("/a"), makeCache()), .validated)
        flush(cache)
        pass(seconds: 20)
        XCTAssertEqual(source(server.url("/a"), makeCache()), .cache)
    }

    /// The time of day was set back: what is known now counts.
    func testARecordOfTheFutureIsNoLaterOne() throws {
        server.serve(Data("body".utf8), at: "/a", headers: fresh)
        XCTAssertEqual(source(server.url("/a"), makeCache()), .network)
        pass(seconds: -100)
        XCTAssertEqual(source(server.url("/a"), makeCache()), .validated)
        XCTAssertEqual(source(server.url("/a"), makeCache()), .cache)
    }

    /// Somebody reads, so that the log can only grow, and has no room for the largest bodies first.
    func testABodyThatTheLogHasNoRoomForKeepsNoOthersAway() throws {
        let cache = makeCache(limit: 4 << 20)
        server.serve(Self.body(0, count: 250_000), at: "/large", headers: fresh)
        XCTAssertEqual(source(server.url("/large"), cache), .network)
        other = try SQLiteConnection(path: databaseFile().path)
        try other?.run("BEGIN")
        _ = try other?.number("SELECT count(*) FROM entry")
        let log = try databaseFile().path + "-wal"
        var number = 0
        while let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int, size < 500_000 {
            number += 1
            server.serve(Self.body(number, count: 30_000), at: "/\(number)", headers: fresh)
            XCTAssertEqual(source(server.url("/\(number)"), cache), .network)
        }
        XCTAssertEqual(source(server.url("/large"), cache, .reload), .network)
        XCTAssertNil(source(server.url("/large"), cache, .onlyIfCached))
        server.serve(Data("small".utf8), at: "/small", headers: fresh)
        XCTAssertEqual(source(server.url("/small"), cache), .network)
        XCTAssertEqual(source(server.url("/small"), cache), .cache)
    }

    /// Somebody has the file for himself while the body is looked for, and not any more when its record is.
    func testABodyBehindALockIsNotTakenForADamagedOne() async throws {
        let (body, record) = (Data("body".utf8), record(Data("body".utf8)))
        func fill() async {
            let store = makeStore()
            store.store(record, body, for: "key")
            await store.flush()
        }
        await fill()
        let other = Lock(SQLiteConnection?.none)
        let asked = Lock(0)
        let clock = WallClock({ 1_000 }) {
            // First before the file is opened, and then when that has failed.
            if asked.withLock({
                $0 += 1; return $0 > 1
            }) {
                other.withLock { $0 = nil }
            }
            return .zero
        }
        let path = try databaseFile().path
        try other.withLock { other in
            let connection = try SQLiteConnection(path: path)
            connection.setPatience(milliseconds: 20_000)
            try connection.run("PRAGMA locking_mode = EXCLUSIVE")
            try connection.run("UPDATE entry SET used = used")
            other = connection
        }
        let store = makeStore(clock)
        func read() async -> Data? {
            await withCheckedContinuation { continuation in
                let operation = store.readBody(of: record, for: "key") { continuation.resume(returning: $0) }
                withExtendedLifetime(operation) {}
            }
        }
        let first = await read()
        XCTAssertNil(first)
        XCTAssertEqual(store.statistics.damagedBodies, 0)
        let second = await read()
        XCTAssertEqual(second, body)
    }

    /// Nobody knows whether they replace anything.
    func testWhatIsNewWhileNothingCanBeReadEmptiesNothing() throws {
        let first = makeStore()
        first.store(record(), Data(), for: "key")
        first.queue.waitUntilAllOperationsAreFinished()
        let aside = folder.path + "-aside"
        defer { try? FileManager.default.removeItem(atPath: aside) }
        try FileManager.default.moveItem(atPath: folder.path, toPath: aside)
        try Data().write(to: folder)
        let store = makeStore()
        for number in 0..<33_000 { store.store(record(), Data(), for: "\(number)") }
        store.queue.waitUntilAllOperationsAreFinished()
        try FileManager.default.removeItem(at: folder)
        try FileManager.default.moveItem(atPath: aside, toPath: folder.path)
        pass(seconds: 30)
        store.store(record(), Data(), for: "one more")
        store.queue.waitUntilAllOperationsAreFinished()
        let found = Lock(CacheRecord?.none)
        let operation = store.lookUp("key") { record in found.withLock { $0 = record } }
        withExtendedLifetime(operation) { store.queue.waitUntilAllOperationsAreFinished() }
        XCTAssertEqual(found.withLock { $0 }, record())
    }

    /// The log has room for few pages, and each of these is on its own.
    func testManyUsesAreWrittenWithinTheLimit() throws {
        let limits = CacheLimits(total: CacheLimits.smallest)
        let folder = CacheFolder(path: folder.path, kind: CacheRecord.kind)
        XCTAssert(folder.make())
        let store = try CacheStore<CacheRecord>(folder, number: 1, limits: limits, patience: 0)
        var record = record()
        record.userAgent = String(repeating: "a", count: 5_000)
        for number in 0..<180 { _ = try store.store(record, Data(), for: "\(number)", now: 1) }
        for number in 0..<180 { XCTAssertNotNil(try store.body(of: record, for: "\(number)", now: 2)) }
        try store.flushUses(now: 2)
        XCTAssertLessThanOrEqual(folder.logBytes(1), limits.logBytes)
        let written = try SQLiteConnection(path: folder.database(1)).number("SELECT count(*) FROM entry WHERE used = 2")
        XCTAssertEqual(written, 180)
    }
}
