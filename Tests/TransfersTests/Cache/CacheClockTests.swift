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
