import Foundation
import TestServers
import XCTest

@testable import Transfers

/// A cache that somebody else writes to, and does not come to an end: a process that was stopped, or a shell of SQLite's.
final class CacheLockTests: CacheTestCase {
    private let fresh = ["Cache-Control": "max-age=6000", "ETag": "\"1\""]
    private var other: SQLiteConnection?

    override func tearDown() {
        other = nil
        super.tearDown()
    }

    /// A cache with an answer, and somebody who keeps others from writing there.
    private func makeLockedCache() throws -> DiskCache {
        let cache = makeCache()
        server.serve(Data("old".utf8), at: "/a", headers: fresh)
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        other = try SQLiteConnection(path: databaseFile().path)
        try other?.run("BEGIN IMMEDIATE")
        return cache
    }

    /// Lets others write, and lets the time pass until they try.
    private func unlock() throws {
        try other?.run("ROLLBACK")
        pass(seconds: 10)
    }

    /// Each of them would wait for two seconds, and so would all lookups behind it.
    func testOneWaitsForTheOtherAndTheRestGoOn() throws {
        let cache = try makeLockedCache()
        for number in 0..<10 { server.serve(Data("new".utf8), at: "/\(number)", headers: fresh) }
        let began = ContinuousClock.now
        for number in 0..<10 { XCTAssertEqual(source(server.url("/\(number)"), cache), .network) }
        XCTAssertEqual(source(server.url("/a"), cache), .cache)
        XCTAssertLessThan(ContinuousClock.now - began, .seconds(20))
        XCTAssertEqual(cache.condition, .ready)
        // That it goes on is said.
        pass(seconds: 10)
        XCTAssertEqual(source(server.url("/0"), cache), .network)
        guard case .readOnly(let text) = cache.condition else { return XCTFail("\(cache.condition)") }
        XCTAssert(text.contains("locked"), text)
        try unlock()
        XCTAssertEqual(source(server.url("/0"), cache), .network)
        XCTAssertEqual(source(server.url("/0"), cache), .cache)
        XCTAssertEqual(cache.condition, .ready)
    }

    func testItIsOpenedAndReadMeanwhile() throws {
        let cache = try makeLockedCache()
        XCTAssertEqual(source(server.url("/a"), makeCache(), .onlyIfCached), .cache)
        withExtendedLifetime(cache) {}
    }

    /// To note when answers were used is no reason not to use them.
    func testManyUsesAreNoReasonNotToRead() throws {
        let cache = makeCache()
        for number in 0..<140 {
            server.serve(Data("\(number)".utf8), at: "/\(number)", headers: fresh)
            XCTAssertEqual(source(server.url("/\(number)"), cache), .network)
        }
        other = try SQLiteConnection(path: databaseFile().path)
        try other?.run("BEGIN IMMEDIATE")
        // At once, as each flush would write the uses down.
        let operations = (0..<140).map { cached(server.url("/\($0)"), cache) }
        run(operations)
        XCTAssertEqual(operations.count { (try? $0.result?.get().source) == .cache }, operations.count)
    }

    /// What cannot be written is known all the same.
    func testWhatWasReplacedOrTakenBackIsNotUsed() throws {
        let changes: [(name: String, change: (DiskCache) -> Void)] = [
            ("replaced", { XCTAssertEqual(self.source(self.server.url("/a"), $0, .reload), .network) }),
            (
                "not to be stored",
                {
                    self.server.serve(Data("new".utf8), at: "/a", headers: ["Cache-Control": "no-store"])
                    XCTAssertEqual(self.source(self.server.url("/a"), $0, .reload), .network)
                }
            ),
            (
                "sent to",
                {
                    guard let address = try? WebAddress(self.server.url("/a").absoluteString) else { return }
                    $0.invalidate([address]) {}
                    self.flush($0)
                }
            ),
        ]
        for (name, change) in changes {
            try? FileManager.default.removeItem(at: folder)
            let cache = try makeLockedCache()
            server.serve(Data("new".utf8), at: "/a", headers: fresh)
            change(cache)
            XCTAssertEqual(try fetch(server.url("/a"), cache).get().body, Data("new".utf8), name)
            try unlock()
            flush(cache)
            server.serve(Data("newer".utf8), at: "/a", headers: fresh)
            XCTAssertEqual(try fetch(server.url("/a"), makeCache()).get().body, Data("newer".utf8), name)
            other = nil
        }
    }

    /// So much was taken back that nobody notes it: then nothing is used, and the cache begins anew.
    func testAfterVeryManyChangesNothingIsUsed() throws {
        let cache = try makeLockedCache()
        let areNoted = expectation(description: "noted")
        cache.answers.remove((0..<40_000).map { "\($0)" }) { areNoted.fulfill() }
        wait(for: [areNoted], timeout: 60)
        XCTAssertNil(source(server.url("/a"), cache, .onlyIfCached))
        try unlock()
        flush(cache)
        XCTAssertNil(source(server.url("/a"), makeCache(), .onlyIfCached))
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        XCTAssertEqual(source(server.url("/a"), cache), .cache)
    }

    func testWhatWasConfirmedIsFreshAlthoughThatCannotBeWritten() throws {
        let cache = try makeLockedCache()
        pass(seconds: 6_001)
        XCTAssertEqual(source(server.url("/a"), cache), .validated)
        XCTAssertEqual(source(server.url("/a"), cache), .cache)
        try unlock()
        flush(cache)
        XCTAssertEqual(source(server.url("/a"), makeCache()), .cache)
    }
}
