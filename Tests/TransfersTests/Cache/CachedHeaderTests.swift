import Foundation
import TestServers
import XCTest

@testable import Transfers

/// Requests with headers in a disk cache: what they are sent with is part of what is asked for.
final class CachedHeaderTests: CacheTestCase {
    private let fresh = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

    private func fetch(
        _ path: String, _ cache: DiskCache, _ headers: RequestHeaders, _ policy: CachePolicy = .standard
    ) throws -> DownloadResponse {
        let request = DownloadRequest(url: server.url(path), limits: .test, headers: headers)
        let operation = CachedDownloadOperation(request, client: client, cache: cache, policy: policy)
        run([operation])
        flush(cache)
        return try XCTUnwrap(operation.result).get()
    }

    private func bearer(_ token: String) throws -> RequestHeaders { try .authorization(bearer: token) }

    func testTwoUsersDoNotSeeEachOthersAnswers() throws {
        let cache = makeCache()
        for (number, headers) in [
            try bearer("anna"), try bearer("bert"), RequestHeaders(), try RequestHeaders(["Cookie": "anna"]),
        ].enumerated() {
            server.serve(Data("body \(number)".utf8), at: "/a", headers: fresh)
            let response = try fetch("/a", cache, headers)
            XCTAssertEqual(response.source, .network)
            XCTAssertEqual(response.body, Data("body \(number)".utf8))
        }
        XCTAssertEqual(try fetch("/a", cache, try bearer("anna")).body, Data("body 0".utf8))
        XCTAssertEqual(try fetch("/a", makeCache(), try bearer("bert")).body, Data("body 1".utf8))
        XCTAssertEqual(try fetch("/a", makeCache(), RequestHeaders()).body, Data("body 2".utf8))
        XCTAssertEqual(server.requestCount("/a"), 4)
        // Nor by asking the server about another's.
        pass(seconds: 61)
        XCTAssertEqual(try fetch("/a", cache, try bearer("bert")).source, .validated)
        XCTAssertEqual(try fetch("/a", cache, try bearer("carl")).source, .network)
        XCTAssertEqual(
            server.requestHeaders("If-None-Match", at: "/a").map { $0 != nil },
            [
                false, false, false, false, true, false,
            ])
        XCTAssertEqual(server.requestHeaders("Authorization", at: "/a").suffix(2), ["Bearer bert", "Bearer carl"])
        for token in ["dora", "emil"] {
            XCTAssertThrowsError(try fetch("/a", cache, try bearer(token), .onlyIfCached))
        }
    }

    func testWhatTheClientHasForAnOriginCounts() throws {
        let cache = makeCache()
        for (number, token) in ["anna", "bert", "anna"].enumerated() {
            var configuration = TransferClient.Configuration()
            let headers = try bearer(token)
            configuration.requestHeaders = { _ in headers }
            useClient(configuration)
            server.serve(Data("body \(number)".utf8), at: "/a", headers: fresh)
            XCTAssertEqual(try fetch("/a", cache, RequestHeaders()).body, Data("body \(number % 2)".utf8))
        }
        XCTAssertEqual(server.requestCount("/a"), 2)
    }

    func testTheyAreWrittenNowhereAndPasswordsKeepAnswersFromBeingStored() throws {
        server.serve(Data("body".utf8), at: "/a", headers: fresh)
        server.serve(Data("body".utf8), at: "/b", headers: fresh)
        let secret = "5ecre7-70ken"
        for _ in 1...2 {
            XCTAssertEqual(
                try fetch("/a", makeCache(), .authorization(user: "anna", password: secret)).source, .network)
        }
        XCTAssertEqual(try fetch("/b", makeCache(), try bearer(secret)).source, .network)
        XCTAssertEqual(try fetch("/b", makeCache(), try bearer(secret)).source, .cache)
        let hidden = [
            secret, "Bearer", AddressFingerprint.of(secret), Data("anna:\(secret)".utf8).base64EncodedString(),
        ]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            guard let bytes = try? Data(contentsOf: folder.appending(path: name)) else { continue }
            for text in hidden { XCTAssertNil(bytes.range(of: Data(text.utf8)), "\(text) in \(name)") }
        }
    }

    /// What changes an address makes old what anybody has of it (RFC 9111, 4.4).
    func testAnUploadInvalidatesAllOfThem() throws {
        server.serve(Data("body".utf8), at: "/a", headers: fresh)
        server.serve(Data("body".utf8), at: "/ab", headers: fresh)
        let cache = makeCache()
        let all = [try bearer("anna"), try bearer("bert"), RequestHeaders()]
        for headers in all { XCTAssertEqual(try fetch("/a", cache, headers).source, .network) }
        XCTAssertEqual(try fetch("/ab", cache, try bearer("anna")).source, .network)
        let upload = UploadRequest(url: server.url("/a"), source: .data(Data("new".utf8)))
        run([UploadOperation(upload, client: client, cache: cache)])
        flush(cache)
        for headers in all { XCTAssertEqual(try fetch("/a", cache, headers).source, .network) }
        XCTAssertEqual(try fetch("/ab", cache, try bearer("anna")).source, .cache)
    }

    func testAnAnswerThatVariesOnThemIsStored() throws {
        server.serve(Data("body".utf8), at: "/a", headers: fresh.merging(["Vary": "Authorization, Cookie"]) { $1 })
        let cache = makeCache()
        XCTAssertEqual(try fetch("/a", cache, try bearer("anna")).source, .network)
        XCTAssertEqual(try fetch("/a", cache, try bearer("anna")).source, .cache)
        XCTAssertEqual(try fetch("/a", cache, try bearer("bert")).source, .network)
    }

    func testAnAnswerThatVariesOnAnyFieldIsForThoseWhoNameTheSame() throws {
        server.serve(Data("body".utf8), at: "/a", headers: fresh.merging(["Vary": "X-Anything"]) { $1 })
        let cache = makeCache()
        let all = [RequestHeaders(), try RequestHeaders(["X-Anything": "1"]), try RequestHeaders(["x-anything": "2"])]
        for headers in all { XCTAssertEqual(try fetch("/a", cache, headers).source, .network) }
        for headers in all { XCTAssertEqual(try fetch("/a", cache, headers).source, .cache) }
    }
}
