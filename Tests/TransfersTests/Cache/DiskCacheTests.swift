import Foundation
import Operations
import OperationsCore
import OperationsTesting
import TestServers
import XCTest

@testable import Transfers

/// The disk cache against a server that counts.
final class DiskCacheTests: CacheTestCase {
    func testAPartThatIsTheWholeIsKeptAsTheWhole() throws {
        let cache = makeCache()
        let headers = [
            "Status": "206", "Content-Range": "bytes 0-19999/20000", "Cache-Control": "max-age=6000", "ETag": "\"1\"",
        ]
        server.serve(FaultServer.okBody, at: "/part", headers: headers)
        for source in [DownloadResponse.Source.network, .cache] {
            let response = try fetch(server.url("/part"), cache).get()
            XCTAssertEqual(response.source, source)
            XCTAssertEqual(response.statusCode, 200)
            XCTAssertEqual(response.body, FaultServer.okBody)
        }
    }

    /// What is kept is decoded, and kept only where it is whole.
    func testWhatIsKeptIsDecoded() throws {
        let cache = makeCache()
        let headers = ["Content-Encoding": "gzip", "Cache-Control": "max-age=6000", "ETag": "\"1\""]
        let packed = try Packing.gzip.packed(FaultServer.okBody)
        server.serve(packed.dropLast(), at: "/gzip", headers: headers)
        XCTAssertEqual(fetch(server.url("/gzip"), cache).error, .truncated)
        server.serve(packed, at: "/gzip", headers: headers)
        for source in [DownloadResponse.Source.network, .cache] {
            let response = try fetch(server.url("/gzip"), cache).get()
            XCTAssertEqual(response.source, source)
            XCTAssertEqual(response.body, FaultServer.okBody)
        }
    }

    private let fresh = ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Type": "image/png"]

    func testAFreshAnswerIsFetchedOnceAlsoAfterARestart() throws {
        server.serve(Data("body".utf8), at: "/a", headers: fresh)
        let first = try fetch(server.url("/a"), makeCache()).get()
        XCTAssertEqual(first.source, .network)
        let cache = makeCache()
        let second = try fetch(server.url("/a#fragment"), cache).get()
        XCTAssertEqual(second.source, .cache)
        XCTAssertEqual(second.body, Data("body".utf8))
        XCTAssertEqual(second.contentType, "image/png")
        XCTAssertEqual(second.url, server.url("/a"))
        XCTAssertEqual(server.requestCount("/a"), 1)
        XCTAssertEqual(cache.statistics.bodiesRead, 1)
        XCTAssertEqual(source(server.url("/a?other"), cache), .network)
    }

    func testAStaleAnswerIsConfirmedAndThenFreshAgain() throws {
        server.serve(Data("body".utf8), at: "/a", headers: fresh)
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        pass(seconds: 61)
        let operation = cached(server.url("/a"), cache)
        run([operation])
        let response = try XCTUnwrap(operation.result).get()
        XCTAssertEqual(response.source, .validated)
        XCTAssertEqual(response.statusCode, 200)
        XCTAssertEqual(response.body, Data("body".utf8))
        XCTAssertEqual(operation.receivedByteCount, 0)
        XCTAssertEqual(server.confirmationCount("/a"), 1)
        flush(cache)
        XCTAssertEqual(source(server.url("/a"), cache), .cache)
        XCTAssertEqual(server.requestCount("/a"), 2)
        // Another body under another tag replaces it.
        pass(seconds: 61)
        server.serve(Data("new".utf8), at: "/a", headers: ["Cache-Control": "max-age=60", "ETag": "\"2\""])
        XCTAssertEqual(try fetch(server.url("/a"), cache).get().body, Data("new".utf8))
        XCTAssertEqual(try fetch(server.url("/a"), cache).get().body, Data("new".utf8))
        XCTAssertEqual(server.confirmationCount("/a"), 1)
        XCTAssertEqual(server.requestCount("/a"), 3)
    }

    func testAnAnswerThatIsTooLargeToBeStoredEndsTheOneBefore() throws {
        let cache = makeCache(limit: 8_000_000)
        server.serve(Self.body(1, count: 100_000), at: "/a", headers: fresh)
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        XCTAssertEqual(source(server.url("/a"), cache), .cache)
        let large = Self.body(2, count: 600_000)
        server.serve(large, at: "/a", headers: fresh)
        XCTAssertEqual(source(server.url("/a"), cache, .reload), .network)
        let next = try fetch(server.url("/a"), cache).get()
        XCTAssertEqual(next.source, .network)
        XCTAssertEqual(next.body, large)
    }

    func testOfflineAStaleCopyIsUsedUnlessTheServerForbadeIt() throws {
        server.serve(Data("a".utf8), at: "/a", headers: fresh)
        server.serve(Data("b".utf8), at: "/b", headers: ["Cache-Control": "max-age=60, must-revalidate"])
        server.serve(Data("c".utf8), at: "/c")
        let cache = makeCache()
        for path in ["/a", "/b", "/c"] { XCTAssertEqual(source(server.url(path), cache), .network) }
        let urls = ["/a", "/b", "/c", "/d"].map { server.url($0) }
        pass(seconds: 999)
        server.stop()
        XCTAssertEqual(urls.map { source($0, cache) }, [.stale, nil, .stale, nil])
        XCTAssertEqual(urls.map { source($0, cache, .onlyIfCached) }, [.cache, nil, .cache, nil])
        guard case .failure(.unreachable) = fetch(urls[1], cache) else { return XCTFail("must-revalidate") }
    }

    func testAnAnswerThatIsTooLargeForItsRequestIsRefusedAlsoFromTheDisk() {
        server.serve(Data(count: 2_000), at: "/a", headers: ["Cache-Control": "max-age=60", "ETag": "\"1\""])
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        for policy in [CachePolicy.standard, .revalidated, .onlyIfCached] {
            for limit in [1_999, 2_000] {
                let request = DownloadRequest(url: server.url("/a"), limits: .limits(bytes: limit))
                let operation = CachedDownloadOperation(request, client: client, cache: cache, policy: policy)
                run([operation])
                XCTAssertEqual(operation.result?.error, limit < 2_000 ? .tooLarge(limit: limit) : nil)
            }
        }
    }

    func testAServersErrorIsBridgedOnlyAsLongAsItAllows() {
        server.serve(Data("a".utf8), at: "/a", headers: ["Cache-Control": "max-age=60, stale-if-error=60"])
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        server.serve(Data(), at: "/a", headers: ["Status": "503"])
        pass(seconds: 100)
        XCTAssertEqual(source(server.url("/a"), cache), .stale)
        pass(seconds: 100)
        XCTAssertNil(source(server.url("/a"), cache))
        // No failure is remembered: the next time it is there again.
        server.serve(Data("b".utf8), at: "/a")
        XCTAssertEqual(try fetch(server.url("/a"), cache).get().body, Data("b".utf8))
    }

    func testFailuresAreNotStored() throws {
        let cache = makeCache()
        XCTAssertNil(source(server.url("/late"), cache))
        server.serve(Data("late".utf8), at: "/late", headers: fresh)
        XCTAssertEqual(try fetch(server.url("/late"), cache).get().body, Data("late".utf8))
    }

    func testWhatMayNotBeStoredIsNot() throws {
        let cache = makeCache()
        for (index, headers) in [
            ["Cache-Control": "no-store, max-age=60"], ["Cache-Control": "max-age=60", "Vary": "*"],
            ["Cache-Control": "max-age=60", "Vary": "Range"],
        ].enumerated() {
            server.serve(Data("x".utf8), at: "/\(index)", headers: headers)
            XCTAssertEqual(source(server.url("/\(index)"), cache), .network)
            XCTAssertEqual(source(server.url("/\(index)"), cache), .network, "\(headers)")
        }
        XCTAssertEqual(cache.statistics.stored, 0)
    }

    func testAnswersToCredentialsAreNotStored() throws {
        server.serve(Data("secret".utf8), at: "/a", headers: fresh)
        let cache = makeCache()
        let secret = try url("http://me:pass@127.0.0.1:\(server.port)/a")
        XCTAssertEqual(source(secret, cache), .network)
        XCTAssertEqual(source(secret, cache), .network)
        // Nor where a redirect brings them in.
        let redirect = server.url("/redirect-to?\(secret.absoluteString)")
        XCTAssertEqual(source(redirect, cache), .network)
        XCTAssertEqual(cache.statistics.stored, 0)
        XCTAssertEqual(cache.statistics.lookups, 1)
    }

    func testOnlyTheOwnerCanReadTheFiles() throws {
        server.serve(Data("a".utf8), at: "/a", headers: fresh)
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        XCTAssertGreaterThanOrEqual(names.count, 3)
        for name in names + [""] {
            var status = stat()
            XCTAssertEqual(stat(folder.appending(path: name).path, &status), 0)
            XCTAssertEqual(status.st_mode & 0o777, name.isEmpty ? 0o700 : 0o600, name)
        }
        withExtendedLifetime(cache) {}
    }

    func testAGuardedRequestDoesNotSeeWhatAnOpenOneFetched() throws {
        server.serve(Data("internal".utf8), at: "/a", headers: fresh)
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        guard case .failure(.forbiddenAddress) = fetch(server.url("/a"), cache, addressGuard: .closed) else {
            return XCTFail("it was shown")
        }
        // Nor one with a stricter guard what another guarded one fetched.
        let own = AddressGuard(sender: server.url("/catalog"), address: IPAddress("127.0.0.1"))
        XCTAssertEqual(try fetch(server.url("/a"), cache, addressGuard: own).get().source, .network)
        XCTAssertEqual(try fetch(server.url("/a"), cache, addressGuard: own).get().source, .cache)
        guard case .failure(.forbiddenAddress) = fetch(server.url("/a"), cache, addressGuard: .closed) else {
            return XCTFail("it was shown to a stricter guard")
        }
    }

    func testACancelledRequestReadsNothing() {
        server.serve(Data("a".utf8), at: "/a", headers: fresh)
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        let lookups = cache.statistics.lookups
        cache.answers.queue.isSuspended = true
        let operations = (0..<10).map { _ in cached(server.url("/a"), cache) }
        // Half before they were started, half while they wait for the disk.
        for operation in operations[..<5] { operation.cancel() }
        queue.addOperations(operations, waitUntilFinished: false)
        XCTAssert(wait { operations[5...].allSatisfy(\.isExecuting) })
        for operation in operations { operation.cancel() }
        for operation in queue.operations { end(operation) }
        cache.answers.queue.isSuspended = false
        flush(cache)
        XCTAssertEqual(cache.statistics.lookups, lookups)
        XCTAssertEqual(server.requestCount("/a"), 1)
        for operation in operations {
            guard case .failure(.cancelled) = operation.result else { return XCTFail("\(operation)") }
        }
    }

    func testABodyWaitsForRoom() throws {
        server.serve(Data("abc".utf8), at: "/a", headers: fresh)
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        let flow = RoomFlow()
        let operation = cached(server.url("/a"), cache, flow: flow)
        queue.addOperation(operation)
        XCTAssert(wait { flow.asked > 0 })
        flush(cache)
        XCTAssertEqual(cache.statistics.bodiesRead, 0)
        XCTAssertFalse(operation.isFinished)
        flow.open()
        operation.resumeTransfer()
        for operation in queue.operations { end(operation) }
        XCTAssertEqual(try XCTUnwrap(operation.result).get().source, .cache)
        // And one that is cancelled while it waits ends.
        let other = cached(server.url("/a"), cache, flow: RoomFlow())
        queue.addOperation(other)
        XCTAssert(wait { other.isExecuting })
        flush(cache)
        other.cancel()
        for operation in queue.operations { end(operation) }
        guard case .failure(.cancelled) = other.result else { return XCTFail("\(String(describing: other.result))") }
    }

    func testTheLimitHoldsAtEveryMoment() throws {
        let limit = 6_000_000
        let cache = makeCache(limit: limit)
        for number in 0..<20 {
            server.serve(Self.body(number, count: 10_000 + number * 10_000), at: "/\(number)", headers: fresh)
        }
        let peak = Lock(0)
        let isDone = Lock(false)
        let watcher = Thread { [folder] in
            while !isDone.withLock({ $0 }) {
                let bytes = Self.bytesOnDisk(in: folder)
                peak.withLock { $0 = max($0, bytes) }
            }
        }
        watcher.start()
        // More than ten times the limit.
        for round in 0..<20 {
            let operations = (0..<20).map { cached(server.url("/\($0)?\(round)"), cache) }
            run(operations)
        }
        flush(cache)
        isDone.withLock { $0 = true }
        XCTAssert(wait { watcher.isFinished })
        XCTAssertEqual(cache.condition, .ready)
        XCTAssertGreaterThan(cache.statistics.stored, 350)
        XCTAssertLessThanOrEqual(peak.withLock { $0 }, limit)
        XCTAssertGreaterThan(peak.withLock { $0 }, limit / 2)
        // What is newest is there, and one that is too large for its share is not.
        XCTAssertEqual(source(server.url("/3?19"), cache, .onlyIfCached), .cache)
        XCTAssertNil(source(server.url("/3?0"), cache, .onlyIfCached))
        server.serve(Self.body(99, count: limit / 8), at: "/large", headers: fresh)
        XCTAssertEqual(source(server.url("/large"), cache), .network)
        XCTAssertNil(source(server.url("/large"), cache, .onlyIfCached))
    }

    func testWhatWasUsedLastStays() throws {
        let cache = makeCache(limit: 5_000_000)
        for number in 0..<120 { server.serve(Self.body(number, count: 60_000), at: "/\(number)", headers: fresh) }
        for number in 0..<120 {
            XCTAssertEqual(source(server.url("/\(number)"), cache), .network)
            pass(seconds: 1)
            if number % 5 == 0 { XCTAssertEqual(source(server.url("/0"), cache, .onlyIfCached), .cache) }
        }
        XCTAssertNil(source(server.url("/1"), cache, .onlyIfCached))
    }

    func testADamagedDatabaseIsReplaced() throws {
        server.serve(Data("a".utf8), at: "/a", headers: fresh)
        XCTAssertEqual(source(server.url("/a"), makeCache()), .network)
        // Until its cache is gone, all there is may be in the log.
        XCTAssert(wait { (try? FileManager.default.contentsOfDirectory(atPath: self.folder.path))?.count == 1 })
        let file = try databaseFile()
        for content in [
            Data("no database at all".utf8), Self.body(1, count: 50_000),
            Data(try Data(contentsOf: file).prefix(9_000)),
        ] {
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try content.write(to: file)
            let cache = makeCache()
            XCTAssertEqual(source(server.url("/a"), cache), .network)
            XCTAssertEqual(source(server.url("/a"), cache), .cache)
            XCTAssertEqual(cache.condition, .ready)
            XCTAssertEqual(cache.statistics.damagedDatabases, 1)
        }
    }

    /// Another one that has the damaged database open finds that later, and goes on with the new one.
    func testTheDatabaseThatReplacedADamagedOneIsKept() throws {
        for path in ["/a", "/b"] { server.serve(Data(path.utf8), at: path, headers: fresh) }
        let caches = [makeCache(), makeCache()]
        XCTAssertEqual(caches.map { source(server.url("/a"), $0) }, [.network, .cache])
        let other = try SQLiteConnection(path: databaseFile().path)
        try other.run("PRAGMA writable_schema = ON")
        try other.run("UPDATE sqlite_schema SET sql = 'CREATE nothing' WHERE name = 'entry'")
        let version = try XCTUnwrap(other.number("PRAGMA schema_version"))
        try other.run("PRAGMA schema_version = \(version + 1)")
        XCTAssertEqual(source(server.url("/b"), caches[0]), .network)
        XCTAssertEqual(caches.map { source(server.url("/b"), $0, .onlyIfCached) }, [.cache, .cache])
        for cache in caches {
            XCTAssertEqual(cache.statistics.damagedDatabases, 1)
            let damage = try XCTUnwrap(cache.statistics.lastDamage)
            XCTAssert(damage.contains("malformed") && damage.contains("(11)") && damage.contains("SELECT"), damage)
        }
    }

    /// Bytes anywhere in the file are changed, a bit or a page at a time: never a crash, never a wrong body.
    func testRottenBitsNeverMakeAWrongPicture() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        for number in 0..<12 {
            server.serve(Self.body(number, count: 9_000 * number), at: "/\(number)", headers: fresh)
        }
        do {
            let cache = makeCache()
            for number in 0..<12 { XCTAssertEqual(source(server.url("/\(number)"), cache), .network) }
        }
        XCTAssert(wait { (try? FileManager.default.contentsOfDirectory(atPath: self.folder.path))?.count == 1 })
        let file = try databaseFile()
        let intact = try Data(contentsOf: file)
        var found = 0
        for _ in 0..<60 {
            var bytes = intact
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            if Bool.random(using: &random) {
                let page = Int.random(in: 0..<bytes.count / 8_192, using: &random) * 8_192
                bytes.replaceSubrange(page..<page + 8_192, with: Self.body(page, count: 8_192))
            }
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try bytes.write(to: file)
            let cache = makeCache()
            for number in 0..<12 {
                guard case .success(let response) = fetch(server.url("/\(number)"), cache, .onlyIfCached) else {
                    continue
                }
                XCTAssertEqual(response.body, Self.body(number, count: 9_000 * number))
                found += 1
            }
        }
        XCTAssertGreaterThan(found, 60)
    }

    func testNoRecordIsTakenForAnothers() throws {
        let cache = makeCache()
        for path in ["/a", "/b"] {
            server.serve(Data(path.utf8), at: path, headers: fresh)
            XCTAssertEqual(source(server.url(path), cache), .network)
        }
        let connection = try SQLiteConnection(path: databaseFile().path)
        let keys = try ["/a", "/b"].map {
            try CacheKey.text(WebAddress(server.url($0).absoluteString), .open, RequestHeaders())
        }
        try connection.run("UPDATE entry SET key = 'kept' WHERE key = ?", [.text(keys[0])])
        try connection.run("UPDATE entry SET key = ? WHERE key = ?", [.text(keys[0]), .text(keys[1])])
        XCTAssertEqual(try connection.number("SELECT count(*) FROM entry WHERE key = 'kept'"), 1)
        XCTAssertNil(source(server.url("/a"), cache, .onlyIfCached))
        XCTAssertEqual(try fetch(server.url("/a"), cache).get().body, Data("/a".utf8))
    }

    func testTheFolderMayGoAtAnyTime() throws {
        server.serve(Data("a".utf8), at: "/a", headers: fresh)
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        try FileManager.default.removeItem(at: folder)
        pass(seconds: 61)
        XCTAssertNotNil(source(server.url("/a"), cache))
        pass(seconds: 61)
        XCTAssertNotNil(source(server.url("/a"), cache))
        XCTAssertEqual(source(server.url("/a"), makeCache()), .cache)
    }

    func testWithoutAPlaceTheCacheStepsBackAndTransfersGoOn() throws {
        server.serve(Data("a".utf8), at: "/a", headers: fresh)
        try Data().write(to: folder)
        let conditions = Lock<[DiskCache.Condition]>([])
        let cache = DiskCache(
            folder: folder.path + "/inside", limit: 5_000_000, clock: WallClock { [time] in time.withLock { $0 } }
        ) {
            condition in conditions.withLock { $0.append(condition) }
        }
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        guard case .unavailable(let text) = cache.condition else { return XCTFail("\(cache.condition)") }
        XCTAssert(text.contains("inside"), text)
        XCTAssertEqual(conditions.withLock { $0.count }, 1)
        // It works again once it can, and is not tried all the time.
        try FileManager.default.removeItem(at: folder)
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path))
        pass(seconds: 31)
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        XCTAssertEqual(source(server.url("/a"), cache), .cache)
        XCTAssertEqual(conditions.withLock { $0.last }, .ready)
    }
}

/// Room for bodies that a test gives.
private final class RoomFlow: TransferFlow {
    private let state = Lock((isOpen: false, asked: 0))

    var asked: Int { state.withLock { $0.asked } }

    func open() { state.withLock { $0.isOpen = true } }

    func mayReceive(upTo bytes: Int) -> Bool {
        state.withLock { state in
            state.asked += 1
            return state.isOpen
        }
    }
}
