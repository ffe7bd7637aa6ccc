import Foundation
import TestServers
import XCTest

@testable import Transfers

/// The disk cache against a server as the world runs it, whose log counts.
final class NginxCacheTests: CacheTestCase {
    func testNginxConfirmsByTagAndDateAndExpiresAreKept() throws {
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let root = FileManager.default.temporaryDirectory.appending(path: "classicphotos-root-\(UUID())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let log = root.appending(path: "access.log")
        for name in ["tag", "date", "expires", "guess"] {
            let file = root.appending(path: "\(name).png")
            try Self.body(name.count, count: 30_000).write(to: file)
            // Ten hours old, which is worth an hour of guessing.
            let tenHoursAgo = Date(timeIntervalSinceNow: -36_000)
            try FileManager.default.setAttributes([.modificationDate: tenHoursAgo], ofItemAtPath: file.path)
        }
        let nginx = try NginxServer(
            root: root,
            settings: """
                access_log "\(log.path)" combined;
                open_file_cache off;
                location = /tag.png { add_header Cache-Control no-cache; add_header Last-Modified ""; }
                location = /date.png { add_header Cache-Control no-cache; etag off; }
                location = /expires.png { expires 2h; }
                """)
        defer { nginx.stop() }
        let cache = makeCache()
        func sources(_ name: String, after seconds: Int = 0) -> DownloadResponse.Source? {
            pass(seconds: seconds)
            let result = fetch(nginx.url("/\(name).png"), cache)
            XCTAssertEqual(try? result.get().body, Self.body(name.count, count: 30_000), name)
            return try? result.get().source
        }
        for name in ["tag", "date", "expires", "guess"] { XCTAssertEqual(sources(name), .network, name) }
        XCTAssertEqual(sources("tag"), .validated)
        XCTAssertEqual(sources("date"), .validated)
        XCTAssertEqual(sources("expires", after: 3_000), .cache)
        XCTAssertEqual(sources("guess"), .cache)
        XCTAssertEqual(sources("guess", after: 2_000), .validated)
        XCTAssertEqual(sources("expires"), .cache)
        XCTAssertEqual(sources("expires", after: 4_000), .validated)
        let lines = { (try? String(contentsOf: log, encoding: .utf8))?.split(separator: "\n") ?? [] }
        XCTAssert(wait { lines().count == 8 })
        XCTAssertEqual(lines().filter { $0.contains("\" 304 ") }.count, 4)
        XCTAssertEqual(lines().filter { $0.contains("\" 200 ") }.count, 4)
        // A file that changes is fetched anew.
        try Self.body(77, count: 5_000).write(to: root.appending(path: "tag.png"))
        XCTAssertEqual(try fetch(nginx.url("/tag.png"), cache).get().body, Self.body(77, count: 5_000))
    }
}
