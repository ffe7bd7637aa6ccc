import Foundation
import Operations
import OperationsCore
import TestServers
import XCTest

@testable import Transfers

/// What the disk cache asks servers about the answers that it has, and how their word changes what is stored.
final class CacheRevalidationTests: CacheTestCase {
    private let fresh = ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Type": "image/png"]

    /// The file was replaced by an older one.
    func testAConfirmationOfAnotherVersionIsNone() throws {
        let then = "Tue, 25 Nov 2025 08:12:31 GMT"
        let older = ["Last-Modified": "Sun, 02 Nov 2025 08:12:31 GMT", "ETag": "\"blue\""]
        server.serve(
            FaultScript(
                Data("new".utf8), headers: ["Last-Modified": then, "Cache-Control": "no-cache"],
                [.whole, .status(304, older), .status(200, older)]),
            at: "/val")
        let cache = makeCache()
        XCTAssertEqual(try fetch(server.url("/val"), cache).get().body, Data("new".utf8))
        XCTAssertEqual(try fetch(server.url("/val"), cache).get().body, Data("status".utf8))
        XCTAssertEqual(server.requestCount("/val"), 3)
    }

    /// RFC 9111, 4.1.
    func testAConfirmedAnswerThatIsForOneRequestOnlyIsNotKept() throws {
        let confirmation = FaultScript.Step.status(304, ["ETag": "\"1\"", "Vary": "*"])
        server.serve(FaultScript(Data("a".utf8), headers: fresh, [.whole, confirmation, .whole]), at: "/a")
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        pass(seconds: 90)
        XCTAssertEqual(source(server.url("/a"), cache), .validated)
        XCTAssertNil(source(server.url("/a"), cache, .onlyIfCached))
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        XCTAssertEqual(server.requestCount("/a"), 3)
    }

    /// RFC 9111, 5.2.1.4: a cache on the way would otherwise answer by itself.
    func testCachesOnTheWayAreToAskTheServerToo() throws {
        server.serve(Data("a".utf8), at: "/a", headers: fresh)
        let cache = makeCache()
        let says = { self.server.requestHeaders("Cache-Control", at: "/a") }
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        XCTAssertEqual(source(server.url("/a"), cache, .revalidated), .validated)
        XCTAssertEqual(source(server.url("/a"), cache, .reload), .network)
        XCTAssertEqual(source(server.url("/a"), cache, .ignored), .network)
        XCTAssertEqual(says(), [nil, "max-age=0", "no-cache", nil])
        XCTAssertEqual(server.requestHeaders("If-None-Match", at: "/a"), [nil, "\"1\"", nil, nil])
        // Each address on the way is asked so, and without a cache of one's own it is the same.
        server.serve(Data(), at: "/moved", headers: ["Status": "302", "Location": "/a"])
        XCTAssertEqual(source(server.url("/moved"), cache, .reload), .network)
        let request = DownloadRequest(url: server.url("/a"), limits: .test)
        let uncached = CachedDownloadOperation(request, client: client, cache: nil, policy: .reload)
        run([uncached])
        XCTAssertEqual(says().suffix(2), ["no-cache", "no-cache"])
        XCTAssertEqual(server.requestHeaders("Cache-Control", at: "/moved"), ["no-cache"])
    }

    func testWhileItIsRevalidatedAStaleCopyIsUsed() {
        server.serve(
            Data("a".utf8), at: "/a", headers: ["Cache-Control": "max-age=60, stale-while-revalidate=60", "ETag": "1"])
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        pass(seconds: 90)
        XCTAssertEqual(source(server.url("/a"), cache), .stale)
        XCTAssert(wait { self.source(self.server.url("/a"), cache) == .cache })
        XCTAssertEqual(server.requestCount("/a"), 2)
        XCTAssertEqual(server.confirmationCount("/a"), 1)
    }

    func testOnlyOneAsksAboutAStaleCopyAndTheNextTimeAgain() {
        let headers = ["Cache-Control": "max-age=60, stale-while-revalidate=60", "ETag": "1"]
        server.serve(Data("a".utf8), at: "/a", headers: headers)
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        for round in 1...2 {
            pass(seconds: 90)
            cache.answers.queue.isSuspended = true
            // As many as may read from disk at once.
            let operations = (0..<8).map { _ in cached(server.url("/a"), cache) }
            queue.addOperations(operations, waitUntilFinished: false)
            XCTAssert(wait { cache.answers.queue.operationCount == 8 })
            cache.answers.queue.isSuspended = false
            XCTAssert(wait { operations.allSatisfy(\.isFinished) })
            XCTAssert(wait { self.source(self.server.url("/a"), cache, .onlyIfCached) == .cache })
            XCTAssert(wait { self.source(self.server.url("/a"), cache) == .cache })
            XCTAssertEqual(server.requestCount("/a"), 1 + round)
        }
    }

    func testFewAskAHostAboutStaleCopiesAtOnce() throws {
        let headers = ["Cache-Control": "max-age=60, stale-while-revalidate=60", "ETag": "1"]
        for number in 0..<6 { server.serve(Data("a".utf8), at: "/\(number)", headers: headers) }
        let cache = makeCache()
        for number in 0..<6 { XCTAssertEqual(source(server.url("/\(number)"), cache), .network) }
        pass(seconds: 90)
        let origin = try WebAddress(server.url("/").absoluteString).origin
        XCTAssertTrue(cache.beginRevalidation(of: "slow", at: origin))
        XCTAssertTrue(cache.beginRevalidation(of: "too", at: origin))
        XCTAssertFalse(cache.beginRevalidation(of: "too", at: origin))
        for number in 0..<6 { XCTAssertEqual(source(server.url("/\(number)"), cache), .stale) }
        XCTAssertEqual(server.requestCount(), 6)
        // The next use asks again.
        cache.endRevalidation(of: "slow")
        flush(cache)
        XCTAssertEqual(source(server.url("/0"), cache), .stale)
        XCTAssert(wait { self.source(self.server.url("/0"), cache) == .cache })
        let others = try (0..<20).count { number in
            cache.beginRevalidation(of: "\(number)", at: try WebAddress("http://h\(number).example/").origin)
        }
        XCTAssertEqual(others, 7)
    }

    /// The place that was kept for a photo is given back with its stale copy, and is not its revalidation's.
    func testARevalidationDoesNotTakeTheRowsPlace() throws {
        final class Taker: TurnTaker {
            let turn = Lock<TransferTurn?>(nil)
            func take(_ turn: TransferTurn?, for key: Int) { self.turn.withLock { $0 = turn } }
        }
        useClient(.init(transfersPerHost: 1))
        server.serve(
            Data("a".utf8), at: "/a", headers: ["Cache-Control": "max-age=60, stale-while-revalidate=60", "ETag": "1"])
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        pass(seconds: 90)
        var request = DownloadRequest(url: server.url("/a"), limits: .test)
        let taker = Taker()
        client.requestTurn(for: request.address, of: taker, key: 0)
        XCTAssert(wait { taker.turn.withLock { $0 != nil } })
        request.turn = taker.turn.withLock { $0.take() }
        let other = operation(server.url(.gate))
        queue.addOperation(other)
        XCTAssert(wait { other.isExecuting })
        let stale = CachedDownloadOperation(request, client: client, cache: cache)
        queue.addOperation(stale)
        XCTAssert(server.waitForRequests(Fault.gate.rawValue))
        XCTAssertEqual(server.requestCount("/a"), 1)
        end(stale)
        XCTAssertEqual(try stale.result?.get().source, .stale)
        other.cancel()
        XCTAssert(wait { self.server.requestCount("/a") == 2 })
    }

    func testWhatMayNotBeStoredTakesTheFormerAnswerWithIt() {
        server.serve(Data("a".utf8), at: "/a", headers: fresh)
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        pass(seconds: 61)
        server.serve(Data("b".utf8), at: "/a", headers: ["Cache-Control": "no-store"])
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        XCTAssertNil(source(server.url("/a"), cache, .onlyIfCached))
        // The same where the server confirms the copy, but wants it forgotten.
        server.serve(Data("c".utf8), at: "/c", headers: fresh)
        XCTAssertEqual(source(server.url("/c"), cache), .network)
        server.serve(Data("c".utf8), at: "/c", headers: ["Cache-Control": "no-store", "ETag": "\"1\""])
        pass(seconds: 61)
        _ = source(server.url("/c"), cache)
        XCTAssertNil(source(server.url("/c"), cache, .onlyIfCached))
    }

    func testWithMuchToStoreTransfersWait() {
        let cache = makeCache(limit: 512_000_000)
        cache.answers.queue.isSuspended = true
        let body = Data(count: 17_000_000)
        let record = CacheRecord(
            address: "http://a/", fingerprint: "", status: 200, fields: HeaderFields(), requestedAt: 0, receivedAt: 0,
            places: [], bodyCount: body.count, bodyChecksum: 0)
        let taken = Lock<[String]>([])
        for key in ["first", "second"] {
            cache.answers.store(record, body, for: key) { taken.withLock { $0.append(key) } }
        }
        XCTAssertEqual(taken.withLock { $0 }, ["first"])
        cache.answers.queue.isSuspended = false
        XCTAssert(wait { taken.withLock { $0 } == ["first", "second"] })
        flush(cache)
        cache.answers.store(record, Data(), for: "third") { taken.withLock { $0.append("third") } }
        XCTAssertEqual(taken.withLock { $0.last }, "third")
    }

    func testARevalidationTakesNoRoomFromAnybody() {
        final class Flow: TransferFlow {
            let most = Lock(0)
            func mayReceive(upTo bytes: Int) -> Bool {
                most.withLock { $0 = max($0, bytes) }
                return true
            }
        }
        server.serve(
            Data("a".utf8), at: "/a", headers: ["Cache-Control": "max-age=60, stale-while-revalidate=60", "ETag": "1"])
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        server.serve(Data(count: 90_000), at: "/a", headers: ["Cache-Control": "max-age=60", "ETag": "2"])
        pass(seconds: 90)
        let flow = Flow()
        let operation = cached(server.url("/a"), cache, flow: flow)
        run([operation])
        XCTAssertEqual(try? operation.result?.get().source, .stale)
        XCTAssert(wait { self.source(self.server.url("/a"), cache) == .cache })
        XCTAssertEqual(flow.most.withLock { $0 }, 1)
    }

    func testWhatWasCutOffIsNotGoneOnWithWhileACopyIsConfirmed() throws {
        var configuration = TransferClient.Configuration()
        let partials = PartialDownloads(folder: folder.path + "-partial")
        defer { try? FileManager.default.removeItem(atPath: partials.folder) }
        configuration.partialDownloads = partials
        useClient(configuration)
        server.serve(Data("body".utf8), at: "/a", headers: fresh)
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        let address = try WebAddress(server.url("/a").absoluteString).text
        do {
            let file = partials.make(address, validator: StrongValidator(kept: "\"1\""), total: 4)
            try Array("bo".utf8).withUnsafeBytes { try XCTUnwrap(file).append($0) }
        }
        pass(seconds: 61)
        XCTAssertEqual(source(server.url("/a"), cache), .validated)
        XCTAssertEqual(server.requestHeaders("Range", at: "/a"), [nil, nil])
    }

    func testAConfirmationOfSomethingElseIsNone() throws {
        server.serve(Data("a".utf8), at: "/a", headers: fresh)
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        server.serve(Data(), at: "/a", headers: ["Status": "304", "ETag": "\"2\""])
        pass(seconds: 61)
        XCTAssertEqual(fetch(server.url("/a"), cache).error, .http(status: 304))
        XCTAssertEqual(server.requestHeaders("If-None-Match", at: "/a"), [nil, "\"1\"", nil])
    }

    func testWhatIsReloadedReplacesTheCopy() throws {
        server.serve(Data("old".utf8), at: "/a", headers: fresh)
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        server.serve(Data("new".utf8), at: "/a", headers: fresh)
        XCTAssertEqual(try fetch(server.url("/a"), cache, .reload).get().body, Data("new".utf8))
        XCTAssertEqual(try fetch(server.url("/a"), cache, .onlyIfCached).get().body, Data("new".utf8))
    }

    func testACancelEndsTheTransferAndDoesNotWaitForItsTimeLimit() {
        var request = DownloadRequest(url: server.url(.stall))
        request.limits = TransferLimits(connectTimeout: .seconds(600), idleTimeout: .seconds(600))
        request.limits.totalTimeout = .seconds(600)
        let operation = CachedDownloadOperation(request, client: client, cache: makeCache())
        queue.addOperation(operation)
        XCTAssert(server.waitForRequests(Fault.stall.rawValue))
        operation.cancel()
        end(operation)
        XCTAssert(server.waitForPeerClose(Fault.stall.rawValue))
    }
}
