import Foundation
import OperationsCore
import TestServers
import XCTest

@testable import Transfers

/// How much a disk cache keeps, and what is left when it was cleared.
final class CacheClearingTests: CacheTestCase {
    private let body = CacheTestCase.body(1, count: 200_000)

    override func setUpWithError() throws {
        try super.setUpWithError()
        server.serve(body, at: "/a", headers: ["Cache-Control": "max-age=6000"])
    }

    func testToAskMakesNothing() async throws {
        let cache = makeCache()
        let size = await cache.size()
        XCTAssertEqual(size, 0)
        try await cache.clear()
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path))
    }

    func testWhatIsKeptIsCountedAndGoes() throws {
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        let size = try XCTUnwrap(size(cache))
        XCTAssertGreaterThan(size, body.count)
        XCTAssertLessThan(size, body.count + 100_000)
        XCTAssertEqual(self.size(makeCache()), size, "for whoever asks")
        XCTAssertNil(clear(cache))
        XCTAssertEqual(self.size(cache), 0)
        XCTAssertLessThan(bytesOnDisk(), body.count, "the disk has its room again")
        // It goes on at once.
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        XCTAssertEqual(source(server.url("/a"), cache), .cache)
    }

    func testAnotherCacheOfTheFolderBeginsAnewWhenItStores() {
        let (cache, other) = (makeCache(), makeCache())
        XCTAssertEqual(source(server.url("/a"), other), .network)
        XCTAssertNil(clear(cache))
        XCTAssertEqual(size(other), 0)
        server.serve(body, at: "/b", headers: ["Cache-Control": "max-age=6000"])
        XCTAssertEqual(source(server.url("/b"), other), .network)
        XCTAssertEqual(source(server.url("/b"), cache), .cache)
        XCTAssertEqual(other.statistics.damagedDatabases, 0)
    }

    func testWhatCannotBeDeletedIsSaid() throws {
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        let inTheWay = folder.appending(path: "responses-v\(CacheFolder.schema)-2.sqlite")
        try FileManager.default.createDirectory(at: inTheWay, withIntermediateDirectories: false)
        let text = try XCTUnwrap(clear(cache)).text
        XCTAssert(text.hasPrefix(folder.path + ": "), text)
        XCTAssertEqual(size(cache), 0)
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        XCTAssertEqual(source(server.url("/a"), cache), .cache)
    }

    // MARK: Helpers

    private func size(_ cache: DiskCache) -> Int? {
        let size = Lock<Int?>(nil)
        waitFor {
            await cache.size()
        } then: { found in
            size.withLock { $0 = found }
        }
        return size.withLock { $0 }
    }

    private func clear(_ cache: DiskCache) -> DiskCache.ClearingError? {
        let failure = Lock<DiskCache.ClearingError?>(nil)
        waitFor { () async -> DiskCache.ClearingError? in
            do throws(DiskCache.ClearingError) {
                try await cache.clear()
                return nil
            } catch {
                return error
            }
        } then: { found in
            failure.withLock { $0 = found }
        }
        return failure.withLock { $0 }
    }

    private func waitFor<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value, then: @escaping @Sendable (Value) -> Void
    ) {
        let done = expectation(description: "done")
        Task {
            then(await work())
            done.fulfill()
        }
        wait(for: [done], timeout: 60)
    }
}
