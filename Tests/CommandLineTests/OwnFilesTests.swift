import Foundation
import TestServers
import XCTest

/// What `develop` and `report` write beside their results, and what they leave alone.
final class OwnFilesTests: DevelopTestCase {
    private let shards = ["--layout", "webdataset", "--rows-per-shard", "1"]

    private func twoRows() throws -> String {
        try catalog([("a", server.url("/a.jpg").absoluteString), ("b", server.url("/a.jpg?2").absoluteString)])
    }

    private func run(_ arguments: [String]) throws -> (status: Int32, error: String) {
        let run = try ProgramRun(arguments)
        return (run.wait(), run.error)
    }

    func testTarFilesOfOthersStay() throws {
        let catalog = try twoRows()
        XCTAssertEqual(try run(["develop", catalog, "-o", output.path] + shards).status, 0)
        let strangers = ["20240131.tar", "00002.tar", "000001.tar", "backup.tar"]
        for name in strangers { try Data("mine".utf8).write(to: output.appending(path: name)) }
        XCTAssertEqual(try run(["develop", catalog, "-o", output.path] + shards).status, 0)
        for name in strangers {
            XCTAssertEqual(try Data(contentsOf: output.appending(path: name)), Data("mine".utf8), name)
        }
    }

    func testNothingIsWrittenInThePlaceOfWhatTheRunKeeps() throws {
        let catalog = try twoRows()
        let journal = output.appending(path: ".classicphotos/run.db").path
        for option in ["--report", "--contact-sheet", "--trace"] {
            for path in [output.path + "/00000.tar", output.path + "/./index.jsonl", journal] {
                let (status, error) = try run(["develop", catalog, "-o", output.path, option, path] + shards)
                XCTAssertEqual(status, 4, "\(option) \(path)")
                XCTAssert(error.contains("a file of the run itself"), error)
            }
        }
        XCTAssertEqual(try run(["develop", catalog, "-o", output.path] + shards).status, 0)
        let whole = try Data(contentsOf: output.appending(path: "00000.tar"))
        for path in [output.path + "/00000.tar", journal] {
            XCTAssertEqual(try run(["report", output.path, "-o", path]).status, 4, path)
        }
        XCTAssertEqual(try Data(contentsOf: output.appending(path: "00000.tar")), whole)
        XCTAssertEqual(try run(["report", output.path]).status, 0)
        // A folder of files has no index of its own.
        let files = folder.appending(path: "files").path
        XCTAssertEqual(try run(["develop", catalog, "-o", files, "--report", files + "/index.jsonl"]).status, 0)
    }

    func testACatalogInThePlaceOfTheIndexIsNotReplaced() throws {
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        let own = output.appending(path: "index.jsonl")
        let text = Data("{\"name\":\"a\",\"url\":\"\(server.url("/a.jpg").absoluteString)\"}\n".utf8)
        try text.write(to: own)
        for more in [[], ["--fresh"]] {
            let (status, error) = try run(["develop", own.path, "-o", output.path] + shards + more)
            XCTAssertEqual(status, 4, error)
            XCTAssert(error.contains("in the place of the catalog"), error)
            XCTAssertEqual(try Data(contentsOf: own), text)
        }
    }

    func testAFreshRunThatCannotBeginForgetsNothing() throws {
        let catalog = try twoRows()
        XCTAssertEqual(try run(["develop", catalog, "-o", output.path] + shards).status, 0)
        let obstacle = output.appending(path: "00007.tar")
        try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
        let (status, error) = try run(["develop", catalog, "-o", output.path, "--fresh"] + shards)
        XCTAssertEqual(status, 4, error)
        for name in ["00000.tar", "00001.tar", "index.jsonl"] {
            XCTAssert(FileManager.default.fileExists(atPath: output.appending(path: name).path), name)
        }
        try FileManager.default.removeItem(at: obstacle)
        let next = try ProgramRun(["develop", catalog, "-o", output.path] + shards)
        XCTAssertEqual(next.wait(), 0, next.error)
        XCTAssert(next.output.contains("2 of 2"), next.output)
    }

    func testOriginalsSayWhatDoesNotGoWithThem() throws {
        let (status, error) = try run(["develop", try twoRows(), "-o", output.path, "--original", "--lossless"])
        XCTAssertEqual(status, 2)
        XCTAssert(error.contains("--original writes photos as they came"), error)
    }
}
