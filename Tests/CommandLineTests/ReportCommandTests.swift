import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// `classicphotos report`: of runs that are over, under way, and were killed.
final class ReportCommandTests: DevelopTestCase {
    /// Run by somebody who may not write there: root without the right to write everywhere, where that is who runs the tests.
    private func reportByAReader() throws -> ProgramRun {
        let run = try ProgramRun(
            ["report", output.path],
            limits: "[ $(id -u) -ne 0 ] || exec setpriv --bounding-set=-all --inh-caps=-all \"$@\"")
        // Root of a container may not be able to give up anything.
        if run.wait() == 127 { throw XCTSkip(run.error) }
        return run
    }

    func testAFolderThatCanOnlyBeReadIsReportedOn() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try develop(catalog).status, 0)
        let whole = try ProgramRun(["report", output.path])
        XCTAssertEqual(whole.wait(), 0)
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: journal.appending(path: "run.db").path)
        try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: journal.path)
        defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: journal.path) }
        let run = try reportByAReader()
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssertEqual(run.output, whole.output)
        // What a killed run has left has to be written into the database first.
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: journal.path)
        try Data(count: 4_096).write(to: journal.appending(path: "run.db-wal"))
        try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: journal.path)
        let refused = try reportByAReader()
        XCTAssertEqual(refused.wait(), 4, refused.output)
        XCTAssert(refused.error.contains("copy the output folder"), refused.error)
    }

    func testAContactSheetHasTheRowsOfEarlierRuns() throws {
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("late", server.url("/late.jpg").absoluteString),
            ("b", server.url("/b.png").absoluteString),
        ])
        let sheet = folder.appending(path: "sheet.jpg")
        XCTAssertEqual(try develop(catalog).status, 1)
        server.serve(try Self.image(.jpeg), at: "/late.jpg")
        XCTAssertEqual(try develop(catalog, ["--only-failed", "--contact-sheet", sheet.path]).status, 0)
        // Three pairs in a row.
        let size = try ImageDecoder.probe(Data(contentsOf: sheet)).size
        XCTAssertEqual(size.width, 3 * (2 * 240 + 4) + 4 * 16)
        XCTAssertEqual(server.requestCount("/a.jpg"), 1)
    }

    func testAReportReplacesNeitherResultsNorPhotos() throws {
        let photos = folder.appending(path: "photos")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        let photo = photos.appending(path: "one.jpg")
        try Self.image(.jpeg).write(to: photo)
        XCTAssertEqual(try develop(photos.path).status, 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: output.path).filter { $0.hasSuffix(".jpg") }
        let result = output.appending(path: try XCTUnwrap(names.first))
        for (path, reason) in [(photo, "one of the catalog's pictures"), (result, "a result of the run")] {
            let before = try Data(contentsOf: path)
            let run = try ProgramRun(["report", output.path, "-o", path.path])
            XCTAssertEqual(run.wait(), 4, run.error)
            XCTAssert(run.error.contains(reason), run.error)
            XCTAssertEqual(try Data(contentsOf: path), before)
        }
    }

    func testAReportDoesNotReplaceTheCatalog() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try develop(catalog).status, 0)
        let before = try Data(contentsOf: URL(filePath: catalog))
        for format in ["csv", "html"] {
            let run = try ProgramRun(["report", output.path, "--format", format, "-o", catalog])
            XCTAssertEqual(run.wait(), 4, run.error)
            XCTAssert(run.error.contains("it is the catalog"), run.error)
        }
        XCTAssertEqual(try Data(contentsOf: URL(filePath: catalog)), before)
    }

    private func report(_ options: [String] = []) throws -> ProgramRun {
        let run = try ProgramRun(["report", output.path] + options, in: folder)
        XCTAssertEqual(run.wait(), 0, run.error)
        return run
    }

    func testItIsTheReportOfTheRun() throws {
        let rows = [
            ("=sum(\"é\u{301}\")\n\u{1}", server.url("/a.jpg").absoluteString),
            ("gone", server.url("/status/404").absoluteString), ("broken", "ftp://h/a"),
        ]
        XCTAssertEqual(try develop(try catalog(rows)).status, 1)
        let told = try report()
        XCTAssertEqual(told.output, try String(contentsOf: self.report, encoding: .utf8))
        XCTAssertEqual(told.error, "")

        let lines = try report(["--format", "json"]).output.split(separator: "\n")
        let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        XCTAssertEqual(objects.map { $0?["name"] as? String }, rows.map(\.0))
        XCTAssertEqual(objects.map { $0?["url"] as? String }, rows.map(\.1))
        XCTAssertEqual(objects.map { $0?["status"] as? String }, ["filtered", "failed", "failed"])
        XCTAssertEqual(objects.map { $0?["error"] as? String }, [nil, "http", "forbidden-address"])
        XCTAssertEqual(objects.map { $0?["file"] as? String }, [try files().first, nil, nil])
        XCTAssertEqual(objects.first??["bytes"] as? Int, try Self.image(.jpeg).count)
        for object in objects { XCTAssertEqual(object?.count, 8) }

        for (file, isJSON) in [("r.csv", false), ("r.json", true), ("r.jsonl", true), ("r", false)] {
            XCTAssertEqual(try report(["-o", file]).output, "")
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            XCTAssertEqual(text.hasPrefix("{"), isJSON, file)
        }
    }

    func testItIsAPageThatSaysWhatItLacks() throws {
        let rows = [
            ("<b>first</b>", server.url("/a.jpg").absoluteString), ("gone", server.url("/status/404").absoluteString),
        ]
        XCTAssertEqual(try develop(try catalog(rows)).status, 1)
        XCTAssertEqual(try report(["-o", "page.HTML"]).output, "")
        let page = try String(contentsOf: folder.appending(path: "page.HTML"), encoding: .utf8)
        XCTAssert(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
        XCTAssert(page.contains(#"\u003Cb\u003Efirst"#) && !page.contains("<b>first"))
        XCTAssert(page.contains("\"\(try XCTUnwrap(try files().first))\""), "The result's file is there.")
        XCTAssert(page.contains("404</a>&nbsp;×&nbsp;1"))
        XCTAssert(page.contains("{\"results\":\"./\(output.lastPathComponent)/\","))
        // The pictures of the one photo, before and after.
        XCTAssertEqual(page.components(separatedBy: "\"/9j/").count, 3)
        let piped = try report(["--format", "html"]).output
        XCTAssert(piped.contains("{\"results\":\"/"), "Nobody knows where that will be.")
    }

    func testItCanBeHadWhileARunGoesOnAndAfterItWasKilled() throws {
        var rows = (0..<20).map { ("\($0)", server.url("/a.jpg?\($0)").absoluteString) }
        rows.insert(("held", server.url(.gate).absoluteString), at: 3)
        let catalog = try catalog(rows)
        let run = try ProgramRun(["develop", catalog, "--output", output.path])
        XCTAssert(server.waitForRequests(Fault.gate.rawValue, seconds: 60))
        func wait(for names: [String]) throws {
            var said = ""
            let end = Date(timeIntervalSinceNow: 60)
            while Date() < end {
                let told = try ProgramRun(["report", output.path])
                if told.wait() == 0 {
                    said = told.output
                    let told = said.split(separator: "\n").dropFirst().compactMap { $0.split(separator: ",").first }
                    if told.map(String.init) == names { return }
                }
                usleep(10_000)
            }
            XCTFail(said)
        }
        let done = (0..<20).map(String.init)
        try wait(for: done)
        XCTAssert(run.isRunning)
        let told = try report()
        XCTAssert(told.error.contains("1 of 21 photos"), told.error)
        run.send(SIGKILL)
        run.wait()
        try wait(for: done)
    }

    func testWhereNoRunHasBegunOrTheReportCannotBeWritten() throws {
        for (arguments, status, words) in [
            (["report"], 2, "DIR"), (["report", "a", "b"], 2, "b"), (["report", folder.path], 2, folder.path),
            (["report", folder.path, "--format", "jsno"], 2, "did you mean json"), (["report", "none"], 2, "none"),
        ] as [([String], Int32, String)] {
            let run = try ProgramRun(arguments, in: folder)
            XCTAssertEqual(run.wait(), status, run.error)
            XCTAssert(run.error.contains(words), run.error)
            XCTAssertEqual(run.output, "")
        }
        // A run was killed before it could write down what it is about.
        try FileManager.default.createDirectory(at: journal, withIntermediateDirectories: true)
        try Data().write(to: journal.appending(path: "run.db"))
        let blank = try ProgramRun(["report", output.path])
        XCTAssertEqual(blank.wait(), 2, blank.error)
        XCTAssert(blank.error.contains("there is no journal in it"), blank.error)
        XCTAssertEqual(blank.output, "")
        _ = try develop(try catalog([("a", "ftp://h/a")]))
        let run = try ProgramRun(["report", output.path, "-o", folder.path + "/no/such/file"])
        XCTAssertEqual(run.wait(), 4)
        XCTAssert(run.error.contains("no/such/file"), run.error)
    }
}
