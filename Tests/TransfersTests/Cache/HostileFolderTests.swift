import Foundation
import TestServers
import XCTest

@testable import Transfers

/// What lies in the cache's folder that the cache has not put there: it is neither followed nor waited for, nothing of it is taken
/// for an answer, and the cache works all the same.
final class HostileFolderTests: CacheTestCase {
    private let fresh = ["Cache-Control": "max-age=6000"]

    override func setUpWithError() throws {
        try super.setUpWithError()
        server.serve(Data("a picture".utf8), at: "/a", headers: fresh)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private var database: URL { folder.appending(path: "responses-v\(CacheFolder.schema)-1.sqlite") }

    private func expectThatItWorks(_ what: String, limit: Int = 5_000_000, line: UInt = #line) throws {
        let cache = makeCache(limit: limit)
        XCTAssertEqual(source(server.url("/a"), cache, .reload), .network, what, line: line)
        XCTAssertEqual(source(server.url("/a"), cache, .onlyIfCached), .cache, what, line: line)
        XCTAssertEqual(cache.condition, .ready, what, line: line)
    }

    private func eachFile(_ work: (URL, String) throws -> Void) throws {
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try work(URL(filePath: database.path + ending), "the file of the cache, \(ending)")
        }
    }

    func testLinksAreNotFollowed() throws {
        let outside = FileManager.default.temporaryDirectory.appending(path: "classicphotos-victim-\(UUID())")
        defer { try? FileManager.default.removeItem(at: outside) }
        for content in [nil, Data(), Data("somebody's letter\n".utf8)] {
            try eachFile { file, name in
                try? FileManager.default.removeItem(at: outside)
                try content?.write(to: outside)
                try FileManager.default.createSymbolicLink(at: file, withDestinationURL: outside)
                try expectThatItWorks("\(name) is a link")
                XCTAssertEqual(try? Data(contentsOf: outside), content, name)
            }
        }
    }

    func testALinkToAnotherDatabaseChangesNothingThere() throws {
        let outside = FileManager.default.temporaryDirectory.appending(path: "classicphotos-victim-\(UUID())")
        defer { try? FileManager.default.removeItem(at: outside) }
        do {
            let victim = try SQLiteConnection(path: outside.path)
            try victim.run("CREATE TABLE letter (text TEXT)")
        }
        let before = try Data(contentsOf: outside)
        try FileManager.default.createSymbolicLink(at: database, withDestinationURL: outside)
        try expectThatItWorks("a link to a database")
        XCTAssertEqual(try Data(contentsOf: outside), before)
    }

    func testWhatIsNoFileIsPassedOver() throws {
        try eachFile { file, name in
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            try Data("letter".utf8).write(to: file.appending(path: "letter"))
            try expectThatItWorks("\(name) is a folder")
        }
        try eachFile { file, name in
            XCTAssertEqual(mkfifo(file.path, 0o600), 0)
            try expectThatItWorks("\(name) is a pipe")
        }
    }

    func testAFileBeyondTheLimitGoes() throws {
        XCTAssert(FileManager.default.createFile(atPath: database.path, contents: Data("SQLite format 3\0".utf8)))
        XCTAssertEqual(truncate(database.path, 1 << 40), 0)
        try expectThatItWorks("a terabyte of nothing")
        XCTAssertLessThanOrEqual(bytesOnDisk(), 5_000_000)
    }

    /// As after the limit was lowered: nothing is stored until it is small enough.
    func testAnOldDatabaseBeyondTheLimitShrinks() throws {
        server.serve(Self.body(1, count: 1_000_000), at: "/large", headers: fresh)
        do {
            let large = makeCache(limit: 64_000_000)
            for number in 0..<40 { XCTAssertEqual(source(server.url("/large?\(number)"), large), .network) }
            XCTAssertGreaterThan(bytesOnDisk(), 30_000_000)
        }
        let small = makeCache(limit: 5_000_000)
        XCTAssertEqual(source(server.url("/large?39"), small, .onlyIfCached), .cache)
        XCTAssert(wait { bytesOnDisk() <= 5_000_000 })
        // Until it has emptied the log, there is no room in that for others.
        flush(small)
        try expectThatItWorks("a smaller limit")
        XCTAssertLessThanOrEqual(bytesOnDisk(), 5_000_000)
    }

    func testNumbersThatNobodyGaveAreNoDatabases() throws {
        for number in ["9223372036854775807", "99999999999999999999", "-1", "0", "x"] {
            let name = "responses-v\(CacheFolder.schema)-\(number).sqlite"
            try Data("nothing".utf8).write(to: folder.appending(path: name))
        }
        try expectThatItWorks("numbers that nobody gave")
    }
}
