import Foundation
import ImageCodecs
import TestServers
import XCTest

/// `develop --names plain`.
final class NamesOptionTests: DevelopTestCase {
    private let plain = ["--names", "plain"]

    private func address(_ path: String) -> String { server.url(path).absoluteString }

    func testNamesThatAreTheirOwnAreKept() throws {
        let catalog = try catalog([
            ("Dune", address("/a.jpg")), ("Waves.png", address("/b.png")), ("dune 2", address("/a.jpg?2")),
            ("twice", address("/a.jpg?3")), ("TWICE", address("/b.png?2")), ("con", address("/a.jpg")),
            ("gone", address("/status/404")),
        ])
        let (status, rows, run) = try develop(catalog, plain)
        XCTAssertEqual(status, 1, run.error)
        let names = rows.map { $0[5] }
        XCTAssertEqual(Array(names[..<3]) + names[5...], ["Dune.jpg", "Waves.jpg", "dune 2.jpg", "_con.jpg", ""])
        XCTAssert(names[3].wholeMatch(of: /twice-[0-9a-v]{13}\.jpg/) != nil, names[3])
        XCTAssert(names[4].wholeMatch(of: /TWICE-[0-9a-v]{13}\.jpg/) != nil, names[4])
        XCTAssertEqual(try files(), names.filter { !$0.isEmpty }.sorted())
        let dry = try ProgramRun(["develop", catalog, "-o", folder.path + "/other", "--dry-run"] + plain)
        XCTAssertEqual(dry.wait(), 0, dry.error)
        for name in names where !name.isEmpty { XCTAssert(dry.output.contains("/other/\(name)\n"), dry.output) }
    }

    func testNamesAreTheSameAfterAKillAndWhereFailuresAreTakenAgain() throws {
        server.serve(FaultScript(try Self.image(.jpeg), [.status(500), .answer]), at: "/late.jpg")
        server.serve(FaultScript(try Self.image(.jpeg), [.silence, .answer]), at: "/held.jpg")
        let catalog = try catalog([
            ("a", address("/a.jpg")), ("late", address("/late.jpg")), ("b", address("/b.png")),
            ("b", address("/held.jpg")), ("stall", address("/held.jpg")),
        ])
        let options = plain + ["--retries", "0", "--timeout", "60"]
        let run = try ProgramRun(["develop", catalog, "-o", output.path] + options)
        // Half a second after the last of them comes the batch that marks them.
        try wait("three rows that are marked") { try marked() == 3 }
        run.send(SIGKILL)
        run.wait()
        XCTAssertEqual(try files().filter { !$0.hasPrefix(".") }.count, 2)
        let second = try develop(catalog, options)
        XCTAssertEqual(second.status, 1, second.run.error)
        let third = try develop(catalog, options + ["--only-failed"])
        XCTAssertEqual(third.status, 0, third.run.error)
        XCTAssertEqual([third.rows[0][5], third.rows[1][5], third.rows[4][5]], ["a.jpg", "late.jpg", "stall.jpg"])
        XCTAssertEqual(try files(), third.rows.map { $0[5] }.sorted())
        XCTAssertEqual(try files().count, 5)
        XCTAssertEqual(server.requestCount("/a.jpg"), 1)
    }

    /// How many rows are marked.
    private func marked() throws -> Int {
        let run = try ProgramRun(["report", output.path])
        return run.wait() == 0 ? run.output.split(separator: "\n").count - 1 : 0
    }

    func testAnotherStyleInTheSameFolderIsRefused() throws {
        let catalog = try catalog([("a", address("/a.jpg"))])
        XCTAssertEqual(try develop(catalog).status, 0)
        let (status, _, run) = try develop(catalog, plain)
        XCTAssertEqual(status, 2, run.error)
        XCTAssert(run.error.contains("--names was unique, and is plain now"), run.error)
        XCTAssertEqual(try develop(catalog, plain + ["--fresh"]).status, 0)
        XCTAssert(try files().contains("a.jpg"))
    }

    func testFilesOfOthersAreNotReplaced() throws {
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        let own = output.appending(path: "A.JPG")
        try Data("mine".utf8).write(to: own)
        let catalog = try catalog([("b", address("/b.png")), ("a", address("/a.jpg"))])
        let (status, _, run) = try develop(catalog, plain)
        XCTAssertEqual(status, 4, run.error)
        XCTAssert(run.error.contains("A.JPG is there") && run.error.contains("--fresh"), run.error)
        XCTAssertEqual(try Data(contentsOf: own), Data("mine".utf8))
        XCTAssertEqual(try files(), ["A.JPG"])
    }

    func testPicturesThatAreThereAreLeftAlone() throws {
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        let there = try Self.image(.jpeg, width: 10, height: 10)
        try there.write(to: output.appending(path: "a.jpg"))
        try Data().write(to: output.appending(path: "b.jpg"))
        let catalog = try catalog([("a", address("/a.jpg")), ("b", address("/b.png"))])
        let (status, rows, run) = try develop(catalog, plain + ["--skip-existing"])
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(rows.map { $0[5] }, ["a.jpg", "b.jpg"])
        XCTAssertEqual(try Data(contentsOf: output.appending(path: "a.jpg")), there)
        XCTAssertGreaterThan(try Data(contentsOf: output.appending(path: "b.jpg")).count, 100)
        XCTAssertEqual(server.requestCount("/a.jpg"), 0)
    }

    func testPicturesOfTheCatalogAreNeverReplaced() throws {
        try FileManager.default.createDirectory(at: output.appending(path: "in"), withIntermediateDirectories: true)
        let image = try Self.image(.jpeg)
        let places = [output.appending(path: "a.jpg"), output.appending(path: "in/b.jpg")]
        for place in places { try image.write(to: place) }
        let link = folder.appending(path: "c.jpg")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: places[0])
        let table = folder.appending(path: "own.csv")
        try Data("name,url\nx,c.jpg\n".utf8).write(to: table)
        let cases = [
            [output.path], [output.path, "--fresh"], [output.path, "--recursive"], [table.path, "--fresh"],
            [output.path, "--skip-existing"], [output.path, "--dry-run"],
        ]
        for arguments in cases {
            let run = try ProgramRun(["develop"] + arguments + ["-o", output.path] + plain)
            XCTAssertEqual(run.wait(), 4, "\(arguments): \(run.output)")
            XCTAssert(run.error.contains("a picture of the catalog, is there"), run.error)
            for place in places { XCTAssertEqual(try Data(contentsOf: place), image) }
        }
    }

    func testOfAFolderNamesHaveOneEnding() throws {
        let album = folder.appending(path: "album")
        try FileManager.default.createDirectory(at: album.appending(path: "in"), withIntermediateDirectories: true)
        try Self.image(.jpeg).write(to: album.appending(path: "a.jpg"))
        try Self.image(.png).write(to: album.appending(path: "b.png"))
        try Self.image(.png).write(to: album.appending(path: "in/c.png"))
        let (status, _, run) = try develop(album.path, plain + ["--recursive"])
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(try files(), ["a.jpg", "b.jpg", "in_c.jpg"])
    }

    func testNothingBesideHasTheNameOfAResult() throws {
        let catalog = try catalog([("Sheet", address("/a.jpg"))])
        let (status, _, run) = try develop(catalog, plain + ["--contact-sheet", output.path + "/sheet.jpg"])
        XCTAssertEqual(status, 4, run.error)
        XCTAssert(run.error.contains("the name of a result"), run.error)
    }

    func testWrongUsageIsTold() throws {
        for (options, words) in [
            (["--names", "plian"], "did you mean plain?"), (plain + ["--layout", "webdataset"], "rows' numbers"),
        ] {
            let run = try ProgramRun(["develop", "none.csv", "-o", output.path] + options)
            XCTAssertEqual(run.wait(), 2)
            XCTAssert(run.error.contains(words), run.error)
        }
    }
}
