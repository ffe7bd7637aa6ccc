import Foundation
import Operations
import OperationsCore
import OperationsTesting
import TestServers
import XCTest

@testable import Transfers

/// What users give as headers, on its way.
final class HeaderTransferTests: DownloadTestCase {
    private let token = "Bearer 5ecre7"

    private func run(_ url: URL, _ fields: KeyValuePairs<String, String>, retry: RetryPolicy = .once) throws
        -> DownloadOperation
    {
        let request = DownloadRequest(url: url, limits: .test, retry: retry, headers: try RequestHeaders(fields))
        let operation = DownloadOperation(request, client: client)
        run([operation])
        return operation
    }

    func testTheyAreSentWithThisRequestAndNoOther() throws {
        server.serve(Data("a".utf8), at: "/a")
        XCTAssertNil(try run(server.url("/a"), ["Authorization": token, "Accept": "image/webp", "X-Empty": ""]).error)
        XCTAssertNil(try run(server.url("/a"), [:]).error)
        XCTAssertEqual(server.requestHeaders("Authorization", at: "/a"), [token, nil])
        XCTAssertEqual(server.requestHeaders("Accept", at: "/a"), ["image/webp", "*/*"])
        XCTAssertEqual(server.requestHeaders("X-Empty", at: "/a"), ["", nil])
        XCTAssertEqual(server.requestHeaders("Accept-Encoding", at: "/a").map { $0 != nil }, [true, true])
        // Before user and password of the address.
        let own = try url("http://user:password@127.0.0.1:\(server.port)/a")
        XCTAssertNil(try run(own, ["Authorization": token]).error)
        XCTAssertEqual(server.requestHeaders("Authorization", at: "/a").last, token)
    }

    func testARedirectToAnotherOriginTakesNoneAlong() throws {
        let other = try FaultServer()
        defer { other.stop() }
        let fields: KeyValuePairs = [
            "Authorization": token, "Cookie": "a=5ecre7", "X-Api-Key": "5ecre7", "Accept": "5ecre7",
            "Content-Key": "5ecre7",
        ]
        func serve(_ location: String, at path: String, of server: FaultServer) {
            server.serve(Data(), at: path, headers: ["Status": "302", "Location": location])
        }
        // Another port, and another name for the same machine and port.
        let elsewhere = [other.url("/there"), try url("http://localhost:\(server.port)/there")]
        for (server, target) in zip([other, self.server!], elsewhere) {
            server.serve(Data("there".utf8), at: "/there")
            serve(target.absoluteString, at: "/start", of: self.server)
            XCTAssertEqual(try run(self.server.url("/start"), fields).result?.get().url, target)
            XCTAssertEqual(self.server.requestHeaders("Authorization", at: "/start").last, token)
            for (name, _) in fields where name != "Accept" {
                XCTAssertEqual(server.requestHeaders(name, at: "/there"), [nil], "\(name) \(target)")
            }
            XCTAssertEqual(server.requestHeaders("Accept", at: "/there"), ["*/*"])
        }
        // There and back: it is the other one that says what is asked for.
        serve(server.url("/back").absoluteString, at: "/there", of: other)
        serve(other.url("/there").absoluteString, at: "/start", of: server)
        server.serve(Data("back".utf8), at: "/back")
        XCTAssertNil(try run(server.url("/start"), fields).error)
        XCTAssertEqual(server.requestHeaders("Authorization", at: "/back"), [nil])
        // Within the origin all of them.
        serve("/near", at: "/start", of: server)
        server.serve(Data("near".utf8), at: "/near")
        XCTAssertNil(try run(server.url("/start"), fields).error)
        for (name, value) in fields { XCTAssertEqual(server.requestHeaders(name, at: "/near"), [value], name) }
    }

    /// The client has headers by origin; it is asked about the one that was named, and not about where redirects lead.
    func testWhatTheClientHasForAnOrigin() throws {
        let other = try FaultServer()
        defer { other.stop() }
        let asked = Lock<[WebAddress.Origin]>([])
        var configuration = TransferClient.Configuration()
        configuration.requestHeaders = { [token] origin in
            asked.withLock { $0.append(origin) }
            let fields: KeyValuePairs = ["Authorization": "\(token)-\(origin.port)", "X-Key": "own"]
            return (try? RequestHeaders(fields)) ?? RequestHeaders()
        }
        useClient(configuration)
        for server in [server!, other] { server.serve(Data("a".utf8), at: "/a") }
        XCTAssertNil(try run(server.url("/a"), ["x-key": "request's"]).error)
        XCTAssertNil(try run(other.url("/a"), [:]).error)
        XCTAssertEqual(server.requestHeaders("Authorization", at: "/a"), ["\(token)-\(server.port)"])
        XCTAssertEqual(other.requestHeaders("Authorization", at: "/a"), ["\(token)-\(other.port)"])
        XCTAssertEqual(server.requestHeaders("X-Key", at: "/a"), ["request's"])
        XCTAssertEqual(asked.withLock { $0.map(\.port) }, [server.port, other.port])
        server.serve(
            Data(), at: "/start", headers: ["Status": "302", "Location": other.url("/a").absoluteString])
        XCTAssertNil(try run(server.url("/start"), [:]).error)
        XCTAssertEqual(server.requestHeaders("Authorization", at: "/start"), ["\(token)-\(server.port)"])
        XCTAssertEqual(other.requestHeaders("Authorization", at: "/a").last, .some(nil))
        XCTAssertEqual(asked.withLock { $0.count }, 3)
        // An upload has them, too, unless it names the same ones itself.
        var upload = UploadRequest(
            url: server.url("/put-307?\(other.url("/put"))"), source: .data(Data("a".utf8)), limits: .test)
        upload.headers = ["x-key": "upload's"]
        run([UploadOperation(upload, client: client)])
        XCTAssertEqual(server.requestHeaders("Authorization", at: "/put-307"), ["\(token)-\(server.port)"])
        XCTAssertEqual(server.requestHeaders("X-Key", at: "/put-307"), ["upload's"])
        for name in ["Authorization", "X-Key"] { XCTAssertEqual(other.requestHeaders(name, at: "/put"), [nil], name) }
    }

    /// The public request is the caller's own: what the client had for its origin does not travel with it.
    func testARequestIsUsableAgain() throws {
        let other = try FaultServer()
        defer { other.stop() }
        for server in [server!, other] { server.serve(Data("a".utf8), at: "/a") }
        let (current, origin) = (Lock("old"), try WebAddress(server.url("/a").absoluteString).origin)
        var configuration = TransferClient.Configuration()
        configuration.requestHeaders = { asked in
            let token = current.withLock { $0 }
            return asked == origin ? (try? .authorization(bearer: token)) ?? RequestHeaders() : RequestHeaders()
        }
        useClient(configuration)
        let client = client!
        let plain = { @Sendable (request: DownloadRequest) in DownloadOperation(request, client: client) }
        let cached = { @Sendable (request: DownloadRequest) in
            CachedDownloadOperation(request, client: client, cache: nil)
        }
        let own = try RequestHeaders(["X-Key": "own"])
        let given = DownloadRequest(url: server.url("/a"), limits: .test, headers: own)
        try checkReuse(given, other, current, plain) { $0.request }
        try checkReuse(given, other, current, cached) { $0.request }
        XCTAssertEqual(server.requestHeaders("X-Key", at: "/a"), Array(repeating: "own", count: 4))
    }

    private func checkReuse<Download: Operations.Operation>(
        _ given: DownloadRequest, _ other: FaultServer, _ token: Lock<String>,
        _ make: (DownloadRequest) -> Download, request: (Download) -> DownloadRequest
    ) throws {
        token.withLock { $0 = "old" }
        let first = make(given)
        run([first])
        XCTAssertEqual(request(first).headers, given.headers)
        token.withLock { $0 = "new" }
        let second = make(request(first))
        run([second])
        XCTAssertEqual(server.requestHeaders("Authorization", at: "/a").suffix(2), ["Bearer old", "Bearer new"])
        var elsewhere = request(second)
        elsewhere.url = other.url("/a")
        let third = make(elsewhere)
        run([third])
        for operation in [first, second, third] { XCTAssertNil(operation.error) }
        XCTAssertEqual(other.requestHeaders("Authorization", at: "/a").last, .some(nil))
    }

    func testEachAttemptHasThem() throws {
        server.serve(FaultScript(Data("a".utf8), [.status(503), .answer]), at: "/late")
        XCTAssertNil(
            try run(server.url("/late"), ["Authorization": token], retry: RetryPolicy(attempts: 2)).error)
        XCTAssertEqual(server.requestHeaders("Authorization", at: "/late"), [token, token])
    }

    func testFailuresDoNotNameThem() throws {
        server.serve(Data(), at: "/no", headers: ["Status": "401"])
        for url in [server.url("/no"), server.url(.halfBody), try url("http://127.0.0.1:1/")] {
            let operation = try run(url, ["Authorization": token])
            let error = try XCTUnwrap(operation.error)
            for text in ["\(error)", String(reflecting: error), "\(operation)", operation.name ?? ""] {
                XCTAssertFalse(text.contains("5ecre7"), text)
            }
        }
    }

    /// Bodies of requests with headers are not kept for those without.
    func testWhatWasCutOffIsKeptForNobodyElse() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "partial-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = TransferClient.Configuration()
        configuration.partialDownloads = PartialDownloads(folder: folder.path)
        useClient(configuration)
        let body = SeededRandom.data(400_000)
        let cut = FaultScript(body, headers: ["ETag": "\"1\""], [.cut(after: 200_000), .answer])
        // In memory, and on disk.
        for (path, limit) in [("/a", 8_000_000), ("/b", 1_000)] {
            for headers in [try RequestHeaders(["Authorization": token]), try RequestHeaders(["X-Any": "1"])] {
                server.serve(cut, at: path)
                var request = DownloadRequest(url: server.url(path), limits: .test, headers: headers)
                request.maxBytesInMemory = limit
                let first = DownloadOperation(request, client: client)
                run([first])
                XCTAssertEqual(first.result?.error, .truncated)
                request.headers = RequestHeaders()
                let second = DownloadOperation(request, client: client)
                run([second])
                XCTAssertEqual(try second.result?.get().body, body)
                XCTAssertEqual(server.requestHeaders("Range", at: path), [nil, nil])
            }
        }
        let kept = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        XCTAssertEqual(kept, [])
        // One operation goes on with what it has itself.
        server.serve(cut, at: "/c")
        XCTAssertEqual(
            try run(server.url("/c"), ["Authorization": token], retry: RetryPolicy(attempts: 2)).result?.get().body,
            body)
        XCTAssertEqual(server.requestHeaders("Range", at: "/c"), [nil, "bytes=200000-"])
        XCTAssertEqual(server.requestHeaders("Authorization", at: "/c"), [token, token])
    }
}
