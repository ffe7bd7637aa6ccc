import Foundation
import TestServers
import XCTest

@testable import Transfers

/// Addresses that let whoever has them in, in a disk cache.
final class CacheSecretTests: CacheTestCase {
    private let secret = "5ecre7-s1gna7ure"
    private let fresh = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

    /// Whether a text is in one of the cache's files.
    private func isWritten(_ text: String) throws -> Bool {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        XCTAssertFalse(names.isEmpty)
        do {
            return try names.contains { name in
                try Data(contentsOf: folder.appending(path: name)).range(of: Data(text.utf8)) != nil
            }
        } catch CocoaError.fileReadNoSuchFile {
            // A cache that is being closed has taken its log away.
            return try isWritten(text)
        }
    }

    func testAnswersOfSignedAddressesAreStoredWithoutThem() throws {
        let queries = ["X-Amz-Date=1&X-Amz-Signature=", "sv=2&sig=", "access_token=", "password="]
        for (number, query) in queries.enumerated() {
            server.serve(Data("body \(number)".utf8), at: "/\(number)", headers: fresh)
            let address = server.url("/\(number)?\(query)\(secret)")
            XCTAssertEqual(source(address, makeCache()), .network)
            let response = try fetch(address, makeCache()).get()
            XCTAssertEqual(response.source, .cache)
            XCTAssertEqual(response.body, Data("body \(number)".utf8))
            XCTAssertEqual(response.url, address)
            XCTAssertEqual(source(server.url("/\(number)?\(query)other"), makeCache()), .network)
            pass(seconds: 61)
            XCTAssertEqual(source(address, makeCache()), .validated)
            XCTAssertEqual(server.requestCount("/\(number)"), 3)
        }
        XCTAssertFalse(try isWritten(secret))
    }

    /// An address that is stable redirects to one that is signed, as at services that keep files in object stores.
    func testARedirectToASignedAddressIsStoredWithoutIt() throws {
        server.serve(Data("body".utf8), at: "/signed", headers: fresh)
        server.serve(
            Data(), at: "/stable",
            headers: ["Status": "302", "Location": "/signed?sig=\(secret)", "Cache-Control": "max-age=60"])
        XCTAssertEqual(
            try fetch(server.url("/stable"), makeCache()).get().url, server.url("/signed?sig=\(secret)"))
        let response = try fetch(server.url("/stable"), makeCache()).get()
        XCTAssertEqual(response.source, .cache)
        XCTAssertEqual(response.url, server.url("/signed"))
        // The server is asked about it by the tag only where the same address answers.
        pass(seconds: 61)
        XCTAssertEqual(source(server.url("/stable"), makeCache()), .validated)
        server.serve(
            Data(), at: "/stable",
            headers: ["Status": "302", "Location": "/signed?sig=other", "Cache-Control": "max-age=60"])
        pass(seconds: 61)
        XCTAssertEqual(source(server.url("/stable"), makeCache()), .network)
        XCTAssertFalse(try isWritten(secret))
    }

    func testAnUploadInvalidatesASignedAddress() throws {
        server.serve(Data("body".utf8), at: "/a", headers: fresh)
        let cache = makeCache()
        let address = server.url("/a?sig=\(secret)")
        XCTAssertEqual(source(address, cache), .network)
        let upload = UploadOperation(
            UploadRequest(url: address, source: .data(Data("new".utf8))), client: client, cache: cache)
        run([upload])
        flush(cache)
        XCTAssertEqual(source(address, cache), .network)
    }

    /// The first version wrote addresses in clear.
    func testADatabaseOfTheFirstVersionIsDeleted() throws {
        server.serve(Data("body".utf8), at: "/a", headers: fresh)
        XCTAssertEqual(source(server.url("/a"), makeCache()), .network)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let file = folder.appending(path: try XCTUnwrap(names.first { $0.hasSuffix(".sqlite") }))
        do {
            let connection = try SQLiteConnection(path: file.path)
            connection.setPatience(milliseconds: 10_000)
            try connection.run("UPDATE entry SET key = ?", [.text("open http://host/a?sig=\(secret)")])
            try connection.run("PRAGMA user_version = 1")
        }
        XCTAssertTrue(try isWritten(secret))
        XCTAssertEqual(source(server.url("/a"), makeCache()), .network)
        XCTAssertEqual(source(server.url("/a"), makeCache()), .cache)
        XCTAssertFalse(try isWritten(secret))
    }
}
