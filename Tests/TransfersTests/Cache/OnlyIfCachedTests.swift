import Foundation
import Operations
import TestServers
import XCTest

@testable import Transfers

/// Requests that are to go over no network.
final class OnlyIfCachedTests: CacheTestCase {
    func testOnlyIfCachedTouchesNoNetwork() {
        server.serve(Data("a".utf8), at: "/a", headers: ["Cache-Control": "max-age=60"])
        let cache = makeCache()
        XCTAssertNil(source(server.url("/a"), cache, .onlyIfCached))
        XCTAssertEqual(server.requestCount(), 0)
    }

    /// What is kept nowhere is not in the cache either.
    func testOnlyIfCachedTouchesNoNetworkWhereNothingIsKept() throws {
        server.serve(Data("a".utf8), at: "/a", headers: ["Cache-Control": "max-age=60"])
        let url = server.url("/a")
        var named = try XCTUnwrap(URLComponents(url: url, resolvingAgainstBaseURL: false))
        (named.user, named.password) = ("anna", "5ecre7")
        let password = try RequestHeaders.authorization(user: "anna", password: "5ecre7")
        let cache = makeCache()
        for (request, cache) in [
            (DownloadRequest(url: url), nil),
            (DownloadRequest(url: url, headers: password), cache),
            (DownloadRequest(url: try XCTUnwrap(named.url)), cache),
        ] {
            let operation = CachedDownloadOperation(request, client: client, cache: cache, policy: .onlyIfCached)
            run([operation])
            XCTAssertEqual(
                operation.result?.error,
                .unreachable("it is not in the cache, and the network is not to be used"))
        }
        XCTAssertEqual(server.requestCount(), 0)
        // A file needs no network.
        let file = FileManager.default.temporaryDirectory.appending(path: "classicphotos-\(UUID())")
        try Data("file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let local = CachedDownloadOperation(
            DownloadRequest(url: file, allowsLocalFiles: true), client: client, cache: nil, policy: .onlyIfCached)
        run([local])
        XCTAssertEqual(try local.result?.get().body, Data("file".utf8))
    }
}
