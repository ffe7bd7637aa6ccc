import Foundation
import Operations
import TestServers
import XCTest

@testable import Transfers

/// Failures that are stored, whom a stored answer is for, and what uploads do to it.
final class CachedFailureTests: CacheTestCase {
    func testAFailureThatMayBeKeptIsAskedForOnce() {
        for status in [404, 410] {
            let path = "/\(status)"
            server.serve(
                Data("no".utf8), at: path, headers: ["Status": "\(status)", "Cache-Control": "max-age=60"])
            let cache = makeCache()
            for _ in 1...3 { XCTAssertEqual(fetch(server.url(path), cache).error, .http(status: status)) }
            XCTAssertEqual(server.requestCount(path), 1)
            XCTAssertEqual(fetch(server.url(path), cache, .onlyIfCached).error, .http(status: status))
            // Whoever asks again by hand is told what the server says now.
            server.serve(Data("yes".utf8), at: path, headers: ["Cache-Control": "max-age=60"])
            XCTAssertEqual(source(server.url(path), cache, .revalidated), .network)
            XCTAssertEqual(source(server.url(path), cache), .cache)
        }
    }

    func testAFailureIsForgottenAfterAWhile() {
        server.serve(Data(), at: "/a", headers: ["Status": "404", "Cache-Control": "max-age=99999"])
        let cache = makeCache()
        XCTAssertEqual(fetch(server.url("/a"), cache).error, .http(status: 404))
        server.serve(Data("a".utf8), at: "/a", headers: [:])
        pass(seconds: 299)
        XCTAssertEqual(fetch(server.url("/a"), cache).error, .http(status: 404))
        pass(seconds: 1)
        XCTAssertEqual(source(server.url("/a"), cache), .network)
    }

    func testFaultsThatPassAreNotKept() {
        let cache = makeCache()
        for status in [429, 500, 503, 401] {
            let path = "/\(status)"
            server.serve(Data(), at: path, headers: ["Status": "\(status)", "Cache-Control": "max-age=60"])
            for _ in 1...2 {
                // By a client of its own: one client leaves a host alone for longer and longer.
                let operation = CachedDownloadOperation(
                    DownloadRequest(url: server.url(path), limits: .test), client: TransferClient(), cache: cache)
                run([operation])
                flush(cache)
                XCTAssertEqual(operation.result?.error, .http(status: status))
            }
            XCTAssertEqual(server.requestCount(path), 2, path)
        }
        // Nor is one that nobody says anything about, or that is for this person.
        server.serve(Data(), at: "/plain", headers: ["Status": "404"])
        for _ in 1...2 { XCTAssertEqual(fetch(server.url("/plain"), cache).error, .http(status: 404)) }
        XCTAssertEqual(server.requestCount("/plain"), 2)
    }

    func testAnswersForAUserAgentAreForThatOne() {
        server.serve(
            Data("a".utf8), at: "/a", headers: ["Cache-Control": "max-age=60", "Vary": "User-Agent, Accept"])
        let cache = makeCache()
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        XCTAssertEqual(source(server.url("/a"), cache), .cache)
        useClient(.init(userAgent: "Somebody else"))
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        XCTAssertEqual(source(server.url("/a"), cache), .cache)
    }

    func testAnUploadForgetsWhatWasStoredForItsAddress() throws {
        let cache = makeCache()
        func upload(_ path: String) -> Result<UploadResponse, TransferError>? {
            let upload = UploadOperation(
                UploadRequest(url: server.url(path), source: .data(Data("b".utf8)), limits: .test), client: client,
                cache: cache)
            run([upload])
            return upload.result
        }
        for path in ["/a", "/other"] {
            server.serve(Data("a".utf8), at: path, headers: ["Cache-Control": "max-age=60"])
            XCTAssertEqual(source(server.url(path), cache), .network)
        }
        let named = { self.fetch(self.server.url("/a"), cache, addressGuard: .named) }
        XCTAssertEqual(try named().get().source, .network)
        XCTAssertNotNil(try upload("/a")?.get())
        XCTAssertEqual(try named().get().source, .network, "whoever may see it")
        XCTAssertEqual(source(server.url("/a"), cache), .network)
        XCTAssertEqual(source(server.url("/other"), cache), .cache)
        // What the server does not take changes nothing.
        server.serve(Data("a".utf8), at: "/put-403", headers: ["Cache-Control": "max-age=60"])
        XCTAssertEqual(source(server.url("/put-403"), cache), .network)
        XCTAssertEqual(upload("/put-403")?.error, .http(status: 403))
        XCTAssertEqual(source(server.url("/put-403"), cache), .cache)
    }
}
