import Foundation
import OperationsCore
import TestServers
import XCTest

@testable import Transfers

/// A time of day that somebody sets back.
final class CacheClockTests: CacheTestCase {
    private let fresh = ["Cache-Control": "max-age=60000"]

    func testAPauseEndsAllTheSame() throws {
        server.serve(Data("a".utf8), at: "/a", headers: fresh)
        try Data().write(to: folder)
        let steady = Lock(Duration.seconds(7))
        let clock = WallClock({ [time] in time.withLock { $0 } }, steady: { steady.withLock { $0 } })
        let cache = DiskCache(folder: folder.path + "/inside", clock: clock)
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        guard case .unavailable = cache.condition else { return XCTFail("\(cache.condition)") }
        try FileManager.default.removeItem(at: folder)
        pass(seconds: -86_400)
        steady.withLock { $0 += .seconds(31) }
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        XCTAssertEqual(source(server.url("/a"), cache), .cache)
    }

    /// Has something wait in line at the host, and time pass meanwhile.
    private func wait(behindAnotherFor seconds: Int, _ begin: () -> Void) {
        useClient(.init(transfersPerHost: 1))
        server.closeGate()
        let number = server.requestCount(Fault.gate.rawValue)
        let first = operation(server.url(.gate))
        queue.addOperation(first)
        XCTAssertTrue(server.waitForRequests(Fault.gate.rawValue, count: number + 1))
        begin()
        XCTAssertTrue(wait { self.client.activity.waiting == 1 })
        pass(seconds: seconds)
        server.openGate()
        end(first)
    }

    /// RFC 9111, 4.2.3: an answer is as old as the request that was sent.
    func testAnAnswerIsNotOlderForTheWaitBeforeItsRequest() {
        server.serve(Data("a".utf8), at: "/a", headers: ["Cache-Control": "max-age=60", "ETag": "\"1\""])
        let cache = makeCache()
        for round in 1...2 {
            // The second time it is confirmed.
            let operation = Lock<CachedDownloadOperation?>(nil)
            wait(behindAnotherFor: 1_000) {
                let download = cached(server.url("/a"), cache)
                operation.withLock { $0 = download }
                queue.addOperation(download)
            }
            guard let download = operation.withLock({ $0 }) else { return }
            end(download)
            flush(cache)
            XCTAssertEqual(try download.result?.get().source, round == 1 ? .network : .validated)
            XCTAssertEqual(source(server.url("/a"), cache), .cache)
            pass(seconds: 90)
        }
    }

    func testARevalidationThatWaitsDoesNotMakeAnAnswerOlder() throws {
        let headers = ["Cache-Control": "max-age=60, stale-while-revalidate=60", "ETag": "\"1\""]
        server.serve(Data("a".utf8), at: "/a", headers: headers)
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        pass(seconds: 90)
        wait(behindAnotherFor: 1_000) { XCTAssertEqual(source(server.url("/a"), cache), .stale) }
        let address = try WebAddress(server.url("/a").absoluteString)
        let key = CacheKey.text(address, .open, RequestHeaders())
        // When nobody asks the server any more.
        XCTAssertTrue(wait { cache.beginRevalidation(of: key, at: address.origin) })
        XCTAssertEqual(source(server.url("/a"), cache), .cache)
        XCTAssertEqual(server.confirmationCount("/a"), 1)
    }

    /// What was stored before seems to have been used last, as it was used in the future.
    func testWhatIsNewStays() throws {
        let cache = makeCache(limit: 5_000_000)
        for number in 0..<120 { server.serve(Self.body(number, count: 60_000), at: "/\(number)", headers: fresh) }
        pass(seconds: 365 * 86_400)
        for number in 0..<60 {
            XCTAssertEqual(source(server.url("/\(number)"), cache), .network)
            pass(seconds: 1)
        }
        pass(seconds: -365 * 86_400 - 60)
        for number in 100..<110 {
            XCTAssertEqual(source(server.url("/\(number)"), cache), .network)
            pass(seconds: 1)
            // What is used is as if it were new.
            XCTAssertEqual(source(server.url("/100"), cache, .onlyIfCached), .cache)
        }
        for number in 100..<110 {
            XCTAssertEqual(source(server.url("/\(number)"), cache, .onlyIfCached), .cache, "\(number)")
        }
        // In the end no time is in the future.
        for number in 60..<90 { XCTAssertEqual(source(server.url("/\(number)"), cache), .network) }
        let connection = try SQLiteConnection(path: databaseFile().path)
        let now = time.withLock { $0 }
        XCTAssertGreaterThan(try XCTUnwrap(connection.number("SELECT count(*) FROM entry")), 30)
        XCTAssertEqual(try connection.number("SELECT count(*) FROM entry WHERE used > ?", [.integer(now)]), 0)
    }
}
