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
}
