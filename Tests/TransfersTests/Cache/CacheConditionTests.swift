import FailingDisk
import Foundation
import Operations
import OperationsCore
import Synchronization
import TestServers
import XCTest

@testable import Transfers

/// What a disk cache does on a disk that is full, or that cannot be written.
final class CacheConditionTests: CacheTestCase {
    private let fresh = ["Cache-Control": "max-age=6000"]
    private let conditions = Lock<[DiskCache.Condition]>([])

    override func setUpWithError() throws {
        try super.setUpWithError()
        XCTAssert(FailingDisk.install())
        for path in ["/a", "/b"] { server.serve(Data(path.utf8), at: path, headers: fresh) }
    }

    override func tearDown() {
        FailingDisk.uninstall()
        super.tearDown()
    }

    private func makeObservedCache() -> DiskCache {
        DiskCache(folder: folder.path, limit: 5_000_000, clock: WallClock { [time] in time.withLock { $0 } }) {
            [conditions] condition in conditions.withLock { $0.append(condition) }
        }
    }

    private func get(_ path: String, _ cache: DiskCache) -> DownloadResponse.Source? { source(server.url(path), cache) }

    func testOnAFullDiskWhatIsThereIsReadAndNothingIsStored() {
        let cache = makeObservedCache()
        XCTAssertEqual(get("/a", cache), .network)
        FailingDisk.isFull.store(true, ordering: .relaxed)
        XCTAssertEqual(get("/b", cache), .network)
        XCTAssertEqual(cache.condition, .diskFull)
        XCTAssertEqual(get("/a", cache), .cache)
        XCTAssertEqual(get("/b", cache), .network)
        XCTAssertEqual(cache.condition, .diskFull)
        XCTAssertEqual(cache.statistics.stored, 1)
        // There is room again, and after half a minute it is tried.
        FailingDisk.isFull.store(false, ordering: .relaxed)
        pass(seconds: 29)
        XCTAssertEqual(get("/b", cache), .network)
        XCTAssertEqual(cache.statistics.stored, 1)
        pass(seconds: 1)
        XCTAssertEqual(get("/b", cache), .network)
        XCTAssertEqual(get("/b", cache), .cache)
        XCTAssertEqual(cache.condition, .ready)
        XCTAssertEqual(conditions.withLock { $0 }, [.diskFull, .ready])
        XCTAssertEqual(cache.statistics.damagedDatabases, 0)
    }

    func testADiskThatIsFullFromTheBeginning() {
        FailingDisk.isFull.store(true, ordering: .relaxed)
        let cache = makeObservedCache()
        XCTAssertEqual(get("/a", cache), .network)
        XCTAssertEqual(cache.condition, .diskFull)
        FailingDisk.isFull.store(false, ordering: .relaxed)
        pass(seconds: 30)
        XCTAssertEqual(get("/a", cache), .network)
        XCTAssertEqual(get("/a", cache), .cache)
        XCTAssertEqual(conditions.withLock { $0 }, [.diskFull, .ready])
    }

    /// The log cannot begin anew while somebody reads what is in it.
    func testAReaderThatTakesItsTimeDoesNotMakeTheLogExceedTheLimit() throws {
        let cache = makeObservedCache()
        XCTAssertEqual(get("/a", cache), .network)
        let file = try databaseFile()
        let reader = try SQLiteConnection(path: file.path)
        try reader.run("BEGIN")
        XCTAssertEqual(try reader.number("SELECT count(*) FROM entry"), 1)
        let limits = CacheLimits(total: cache.limit)
        server.serve(Self.body(1, count: limits.bodyBytes), at: "/large", headers: fresh)
        for number in 0..<5 {
            XCTAssertEqual(get("/large?\(number)", cache), .network)
            var status = stat()
            XCTAssertEqual(stat(file.path + "-wal", &status), 0)
            XCTAssertLessThanOrEqual(Int(status.st_size), limits.logBytes)
        }
        XCTAssertLessThan(cache.statistics.stored, 6)
        XCTAssertEqual(cache.condition, .ready)
        // What does not fit is not stored, until the reader is done.
        try reader.run("COMMIT")
        pass(seconds: 10)
        XCTAssertEqual(get("/b", cache), .network)
        XCTAssertEqual(get("/b", cache), .cache)
    }

    func testWhatCanOnlyBeReadIsRead() throws {
        let cache = makeObservedCache()
        do {
            let writer = makeCache(limit: 5_000_000)
            XCTAssertEqual(get("/a", writer), .network)
            // As a process leaves them that is killed: with the log, without which SQLite does not read.
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                try FileManager.default.copyItem(
                    at: folder.appending(path: name), to: folder.appending(path: name + ".kept"))
            }
        }
        XCTAssert(
            wait { [folder] in
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
                return names.count { !$0.hasSuffix(".kept") } == 1
            })
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".kept") {
            let own = folder.appending(path: String(name.dropLast(5)))
            try? FileManager.default.removeItem(at: own)
            try FileManager.default.moveItem(at: folder.appending(path: name), to: own)
        }
        FailingDisk.isReadOnly.store(true, ordering: .relaxed)
        XCTAssertEqual(get("/a", cache), .cache)
        guard case .readOnly(let text) = cache.condition else { return XCTFail("\(cache.condition)") }
        XCTAssert(text.contains(folder.path), text)
        XCTAssertEqual(get("/b", cache), .network)
        XCTAssertEqual(get("/b", cache), .network)
        XCTAssertEqual(cache.statistics.stored, 0)
        XCTAssertEqual(conditions.withLock { $0.count }, 1)
        // It can be written again, and after half a minute it is.
        FailingDisk.isReadOnly.store(false, ordering: .relaxed)
        pass(seconds: 30)
        XCTAssertEqual(get("/b", cache), .network)
        XCTAssertEqual(get("/b", cache), .cache)
        XCTAssertEqual(conditions.withLock { $0.last }, .ready)
    }
}
