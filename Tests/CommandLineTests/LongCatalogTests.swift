import Foundation
import TestServers
import XCTest

/// Catalogs whose rows are not in memory: those that are longer than 4 MB.
final class LongCatalogTests: DevelopTestCase {
    /// Rows enough for a temporary file; `good` of them name a photo, all others fail at once.
    private func text(good: Set<Int>, count: Int = 8_000) -> String {
        let caption = String(repeating: "caption ", count: 75)
        var text = "name,url,caption\n"
        for row in 0..<count {
            let address = good.contains(row) ? server.url("/a.jpg?\(row)").absoluteString : "ftp://host.example/\(row)"
            text += "Photo \(row),\(address),\(caption)\n"
        }
        return text
    }

    func testALongCatalogIsDevelopedToItsEnd() throws {
        let good: Set = [0, 3_999, 7_999]
        let text = text(good: good)
        XCTAssertGreaterThan(text.utf8.count, 5_000_000)
        let path = folder.appending(path: "long.csv")
        try Data(text.utf8).write(to: path)
        server.serve(Data(text.utf8), at: "/long.csv")
        // From a file, from standard input, and over the network.
        for (number, source) in [path.path, "-", server.url("/long.csv").absoluteString].enumerated() {
            let output = folder.appending(path: "out-\(number)").path
            let run = try ProgramRun(
                [
                    "develop", source, "--output", output, "--report", report.path, "--names", "plain", "--quiet",
                    "--allow-private",
                ], input: source == "-" ? Data(text.utf8) : Data())
            XCTAssertEqual(run.wait(), 1, run.error)
            let rows = try rows()
            XCTAssertEqual(rows.map { $0[0] }, (0..<8_000).map { "Photo \($0)" }, source)
            XCTAssertEqual(Set(rows.indices.filter { rows[$0][2] == "filtered" }), good, source)
            for row in good { XCTAssertEqual(rows[row][5], "Photo \(row).jpg") }
            XCTAssertEqual(rows[1][3], "forbidden-address")
        }
        // The same catalog again has nothing left to do, and another one is told from it.
        let again = ["develop", path.path, "--output", folder.path + "/out-0", "--names", "plain"]
        let second = try ProgramRun(again)
        XCTAssertEqual(second.wait(), 1, second.error)
        XCTAssertEqual(server.requestCount("/a.jpg"), 9)
        try Data(text.replacing("Photo 7999", with: "Photo 8000").utf8).write(to: path)
        let other = try ProgramRun(again)
        XCTAssertEqual(other.wait(), 2)
        XCTAssert(other.error.contains("was begun with"), other.error)
    }

    /// What can be read again is in memory then. What comes only once is lost.
    func testWithoutAFolderForTheTemporaryFile() throws {
        let path = folder.appending(path: "long.csv").path
        try Data(text(good: [7]).utf8).write(to: URL(filePath: path))
        let nowhere = "export TMPDIR='\(folder.path)/nowhere'"
        let file = try ProgramRun(["catalog", "check", path], limits: nowhere)
        XCTAssertEqual(file.wait(), 1, file.error)
        XCTAssert(file.output.contains("8000 entries"), file.output)
        server.serve(try Data(contentsOf: URL(filePath: path)), at: "/long.csv")
        let remote = try ProgramRun(["catalog", "check", server.url("/long.csv").absoluteString], limits: nowhere)
        XCTAssertEqual(remote.wait(), 1, remote.error)
        XCTAssert(remote.output.contains("8000 entries"), remote.output)
        let pipe = folder.appending(path: "pipe").path
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        let run = try ProgramRun(
            ["develop", pipe, "--output", output.path], limits: "cat '\(path)' >'\(pipe)' & \(nowhere)")
        XCTAssertEqual(run.wait(), 3)
        XCTAssert(run.error.contains("\(folder.path)/nowhere"), run.error)
        XCTAssert(run.error.contains("TMPDIR"), run.error)
        XCTAssertFalse(FileManager.default.fileExists(atPath: output.path))
    }

    /// Whatever is wrong with a catalog is known before anything is fetched or written.
    func testDamageAtTheEndIsFoundBeforeWorkBegins() throws {
        let path = folder.appending(path: "long.csv")
        try Data((text(good: [0]) + "a,\"http://example.org/\n").utf8).write(to: path)
        let run = try ProgramRun(["develop", path.path, "--output", output.path])
        XCTAssertEqual(run.wait(), 3)
        XCTAssert(run.error.contains("line 8002"), run.error)
        XCTAssertEqual(server.requestCount(), 0)
        XCTAssertFalse(FileManager.default.fileExists(atPath: output.path))
    }
}
