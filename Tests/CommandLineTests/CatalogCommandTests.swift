import Foundation
import ImageCodecs
import TestServers
import XCTest

final class CatalogCommandTests: DevelopTestCase {
    func testCheckNamesEachFlawAndItsPlace() throws {
        let path = folder.appending(path: "catalog.csv")
        try Data("name,url\nA,a.jpg\nB\nC,ftp://h/c.jpg\nD,http://\n".utf8).write(to: path)
        let run = try ProgramRun(["catalog", "check", path.path])
        XCTAssertEqual(run.wait(), 1, run.error)
        let lines = run.output.split(separator: "\n")
        XCTAssertEqual(lines.count, 4, run.output)
        XCTAssert(lines[0].lowercased().contains("line 3"), run.output)
        XCTAssert(lines[1].contains("line 4") && lines[1].contains("ftp"), run.output)
        XCTAssert(lines[2].contains("line 5"), run.output)
        XCTAssert(lines[3].hasPrefix("4 entries") && lines[3].contains("3 of which"), run.output)
    }

    func testCheckCountsInEnglish() throws {
        let cases = [
            ("[]", "0 entries (JSON)"),
            ("[\"http://h/a\"]", "1 entry (JSON), which names a photo"),
            ("[7]", "1 entry (JSON), which names no photo"),
            ("[\"http://h/a\", \"http://h/b\"]", "2 entries (JSON), all of which name photos"),
            ("[\"http://h/a\", 7]", "2 entries (JSON), 1 of which names no photo"),
            ("[\"http://h/a\", 7, 8]", "3 entries (JSON), 2 of which name no photo"),
            ("[7, 8]", "2 entries (JSON), 2 of which name no photo"),
        ]
        for (text, line) in cases {
            let run = try ProgramRun(["catalog", "check", "-"], input: Data(text.utf8))
            run.wait()
            XCTAssertEqual(run.output.split(separator: "\n").last.map(String.init), line)
        }
        let folder = try ProgramRun(["catalog", "check", folder.path])
        XCTAssertEqual(folder.wait(), 0)
        XCTAssertEqual(folder.output, "0 entries (folder)\n")
    }

    func testColumnsByAnyName() throws {
        let path = folder.appending(path: "shop.csv")
        try Data("sku,photo,label\n1,http://h/a.jpg,Chair\n2,http://h/b.jpg,Table\n".utf8).write(to: path)
        let columns = ["--url-column", "Photo", "--name-column", "label"]
        let check = try ProgramRun(["catalog", "check", path.path] + columns)
        XCTAssertEqual(check.wait(), 0)
        XCTAssertEqual(check.output, "2 entries (table), all of which name photos\n")
        let convert = try ProgramRun(["catalog", "convert", path.path, "-", "--format", "csv"] + columns)
        XCTAssertEqual(convert.wait(), 0, convert.error)
        XCTAssertEqual(convert.output, "name,url,sku\nChair,http://h/a.jpg,1\nTable,http://h/b.jpg,2\n")
        let plan = try ProgramRun(["develop", path.path, "-o", output.path, "--dry-run"] + columns)
        XCTAssertEqual(plan.wait(), 0, plan.error)
        XCTAssert(plan.output.contains("http://h/b.jpg -> \(output.path)/Table"), plan.output)
        let missing = try ProgramRun(["catalog", "check", path.path, "--url-column", "image"])
        XCTAssertEqual(missing.wait(), 3)
        XCTAssert(
            missing.error.contains("no column “image”. At line 1 it names “sku”, “photo”, “label”; --url-column"),
            missing.error)
        XCTAssertEqual(try ProgramRun(["catalog", "check", path.path, "--url-column", ""]).wait(), 2)
    }

    /// What Excel saves as plain CSV: the captions of a data set would be spoilt, and nothing said.
    func testTextInAnotherEncodingIsTold() throws {
        server.serve(try Self.image(.jpeg), at: "/a.jpg")
        let path = folder.appending(path: "shop.csv")
        var bytes = Data()
        for (number, caption) in [[0x4D, 0xFC, 0x6E], Array("Hồ".utf8), [0xE9]].enumerated() {
            if number == 0 { bytes += Data("url,caption\n".utf8) }
            bytes += Data("\(server.url("/a.jpg?\(number)")),".utf8) + caption + [0x0A]
        }
        try bytes.write(to: path)
        let check = try ProgramRun(["catalog", "check", path.path])
        XCTAssertEqual(check.wait(), 0)
        let warning = "2 rows have text that is not UTF-8, the first of them at line 2."
        XCTAssert(check.error.contains(warning), check.error)
        let plan = try ProgramRun(["plan", path.path, "-o", folder.path + "/plan", "--tasks", "2"])
        XCTAssertEqual(plan.wait(), 0, plan.error)
        XCTAssert(plan.error.contains(warning), plan.error)
        for layout in ["webdataset", "files"] {
            let develop = try ProgramRun(
                ["develop", path.path, "-o", "\(output.path)-\(layout)", "--layout", layout, "--allow-private"])
            XCTAssertEqual(develop.wait(), 0, develop.error)
            XCTAssertEqual(develop.error.contains(warning), layout == "webdataset", develop.error)
        }
    }

    /// What the guard of addresses refuses whatever happens, no run gets.
    func testCheckTellsAddressesThatNoRunGoesTo() throws {
        let rows = [
            ("metadata", "http://169.254.169.254/a.jpg"), ("own", "http://127.0.0.1/a.jpg"), ("web", "http://h/a.jpg"),
        ]
        let local = try ProgramRun(["catalog", "check", try catalog(rows)])
        XCTAssertEqual(local.wait(), 1, local.error)
        XCTAssert(local.output.contains("metadata: "), local.output)
        XCTAssert(local.output.contains(", 1 of which names no photo"), local.output)
        XCTAssertFalse(local.output.contains("own: "), local.output)
        // A list from the network leads to no machine of this one's but its sender.
        let text =
            "name,url\nown,\(server.url("/a.jpg"))\nnear,http://10.1.2.3/a.jpg\nmetadata,http://169.254.169.254/a.jpg\n"
        server.serve(Data(text.utf8), at: "/list.csv")
        let address = server.url("/list.csv").absoluteString
        let remote = try ProgramRun(["catalog", "check", address])
        XCTAssertEqual(remote.wait(), 1, remote.error)
        XCTAssert(remote.output.contains("near: "), remote.output)
        XCTAssert(remote.output.contains(", 2 of which name no photo"), remote.output)
        let opened = try ProgramRun(["catalog", "check", address, "--allow-private"])
        XCTAssertEqual(opened.wait(), 1, opened.error)
        XCTAssert(opened.output.contains(", 1 of which names no photo"), opened.output)
    }

    func testCheckOfAGoodCatalogAndOfNone() throws {
        let good = try ProgramRun(["catalog", "check", try catalog([("a", "http://h/a.jpg")])])
        XCTAssertEqual(good.wait(), 0, good.error)
        let none = try ProgramRun(["catalog", "check", folder.path + "/none"])
        XCTAssertEqual(none.wait(), 3)
        let damaged = try ProgramRun(["catalog", "check", "-"], input: Data("[\"a\",".utf8))
        XCTAssertEqual(damaged.wait(), 3)
        XCTAssert(damaged.error.contains("line 1"), damaged.error)
    }

    func testConvertKeepsRowsAndMakesAddressesAbsoluteElsewhere() throws {
        let source = try catalog([("Một", "http://h/1.jpg"), ("둘", "two.jpg")])
        let beside = folder.appending(path: "catalog.csv")
        XCTAssertEqual(try ProgramRun(["catalog", "convert", source, beside.path]).wait(), 0)
        XCTAssertEqual(
            try String(contentsOf: beside, encoding: .utf8), "name,url\nMột,http://h/1.jpg\n둘,two.jpg\n")

        let other = folder.appending(path: "other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        let away = other.appending(path: "catalog.tsv")
        XCTAssertEqual(try ProgramRun(["catalog", "convert", source, away.path]).wait(), 0)
        XCTAssert(try String(contentsOf: away, encoding: .utf8).contains("file://\(folder.path)/two.jpg"))
    }

    func testConvertKeepsOtherColumnsAndTellsOfThoseThatItCannotSay() throws {
        let path = folder.appending(path: "shop.jsonl").path
        let lines = #"{"url": "http://h/page", "photo": "http://h/a.jpg", "price": 12.50, "tags": ["a", "b"]}"# + "\n"
        try Data(lines.utf8).write(to: URL(filePath: path))
        let table = folder.appending(path: "shop.csv").path
        let convert = try ProgramRun(["catalog", "convert", path, table, "--url-column", "photo"])
        XCTAssertEqual(convert.wait(), 0, convert.error)
        XCTAssertEqual(
            convert.error, "classicphotos: another column “url” is called “url 2” in the result\n")
        XCTAssertEqual(
            try String(contentsOfFile: table, encoding: .utf8),
            "name,url,url 2,price,tags\na.jpg,http://h/a.jpg,http://h/page,12.50,\"[\"\"a\"\", \"\"b\"\"]\"\n")
        for (format, sentence) in [
            ("txt", "only addresses were written, and no other columns"),
            ("plist", "only names and addresses were written, and no other columns"),
        ] {
            let run = try ProgramRun(["catalog", "convert", table, "-", "--format", format])
            XCTAssertEqual(run.wait(), 0)
            XCTAssertEqual(run.error, "classicphotos: \(sentence)\n")
        }
        // Many columns that have other names are not all named.
        let keys = (1...13).map { "\"k\": \($0)" }.joined(separator: ", ")
        let many = try ProgramRun(
            ["catalog", "convert", "-", "-", "--format", "tsv"],
            input: Data("{\"url\": \"http://h/a\", \(keys)}\n".utf8))
        XCTAssertEqual(many.wait(), 0)
        let told = many.error.split(separator: "\n")
        XCTAssertEqual(told.count, 11)
        XCTAssertEqual(told.last, "classicphotos: 2 more columns have other names")
    }

    func testConvertLeavesOutWhatIsBrokenAndSaysSo() throws {
        let path = folder.appending(path: "catalog.json")
        try Data("[\"http://h/a.jpg\", 7]".utf8).write(to: path)
        let out = folder.appending(path: "catalog.plist")
        let run = try ProgramRun(["catalog", "convert", path.path, out.path])
        XCTAssertEqual(run.wait(), 1)
        XCTAssert(run.error.contains("1 broken"), run.error)
        XCTAssertEqual(try ProgramRun(["catalog", "check", out.path]).wait(), 0)
    }

    /// What is written is a local catalog, which may name local files.
    func testConvertLeavesOutTheLocalFilesOfACatalogFromTheNetwork() throws {
        server.serve(Data("name,url\nfile,file:///etc/passwd\na,/a.jpg\nftp,ftp://h/f\n".utf8), at: "/list.csv")
        let run = try ProgramRun(
            ["catalog", "convert", server.url("/list.csv").absoluteString, "-", "--format", "csv"])
        XCTAssertEqual(run.wait(), 1, run.error)
        XCTAssert(run.error.contains("1 broken entry was left out"), run.error)
        XCTAssertEqual(run.output, "name,url\na,\(server.url("/a.jpg").absoluteString)\nftp,ftp://h/f\n")
    }

    func testConvertWritesNothingWhereTheFormatCannotSayARow() throws {
        let source = folder.appending(path: "catalog.json").path
        let cases = [
            (#"["http://h/a.jpg", {"name": "a\u0000b", "url": "http://h/b.jpg"}]"#, "csv", "U+0000"),
            (#"["http://h/a.jpg", {"name": "\u001b[0m", "url": "http://h/b.jpg"}]"#, "plist", "U+001B"),
            (##"["http://h/a.jpg", "#1.jpg"]"##, "txt", "comment"), (#"["[1].jpg"]"#, "txt", "another format"),
            (#"["photo"]"#, "txt", "None of the addresses"),
        ]
        for (text, format, reason) in cases {
            try Data(text.utf8).write(to: URL(filePath: source))
            let out = folder.appending(path: "out.\(format)")
            let run = try ProgramRun(["catalog", "convert", source, out.path])
            XCTAssertEqual(run.wait(), 4, text)
            XCTAssert(run.error.contains(reason), run.error)
            XCTAssertFalse(FileManager.default.fileExists(atPath: out.path), text)
        }
        try Data(cases[0].0.utf8).write(to: URL(filePath: source))
        let run = try ProgramRun(["catalog", "convert", source, "-", "--format", "tsv"])
        XCTAssertEqual(run.wait(), 4)
        XCTAssertEqual(run.output, "")
        XCTAssert(run.error.contains("Line 1 ($[1]): “a\u{FFFD}b” cannot be written as tsv"), run.error)
    }

    func testConvertReplacesTheCatalogItselfOnlyWhenForced() throws {
        let path = folder.appending(path: "catalog.json")
        try Data("[\"http://h/a.jpg\", 7]".utf8).write(to: path)
        let before = try Data(contentsOf: path)
        let run = try ProgramRun(["catalog", "convert", path.path, "./catalog.json"], in: folder)
        XCTAssertEqual(run.wait(), 2)
        XCTAssert(run.error.contains("--force"), run.error)
        XCTAssertEqual(try Data(contentsOf: path), before)
        let forced = try ProgramRun(["catalog", "convert", path.path, "./catalog.json", "--force"], in: folder)
        XCTAssertEqual(forced.wait(), 1)
        XCTAssertEqual(try ProgramRun(["catalog", "check", path.path]).wait(), 0)
    }

    func testAnErrorNamesTheCatalog() throws {
        for (name, content) in [("cut.json", "[\"a\","), ("page.html", "<!doctype html><p>x"), ("long.json", "[[[[[1")]
        {
            try Data(content.utf8).write(to: folder.appending(path: name))
            for command in [["catalog", "check", name], ["develop", name, "-o", "x"]] {
                let run = try ProgramRun(command, in: folder)
                XCTAssertEqual(run.wait(), 3)
                XCTAssert(run.error.hasPrefix("classicphotos: \(name): "), run.error)
            }
        }
        let input = try ProgramRun(["catalog", "check", "-"], input: Data("[\"a\",".utf8))
        XCTAssertEqual(input.wait(), 3)
        XCTAssert(input.error.hasPrefix("classicphotos: standard input: "), input.error)
        let page = server.url("/status/404").absoluteString
        let remote = try ProgramRun(["catalog", "check", page])
        XCTAssertEqual(remote.wait(), 3)
        XCTAssert(remote.error.hasPrefix("classicphotos: \(page): "), remote.error)
        let none = try ProgramRun(["catalog", "check", "none.csv"], in: folder)
        XCTAssertEqual(none.wait(), 3)
        XCTAssertEqual(none.error.components(separatedBy: "none.csv").count, 2, none.error)
    }

    func testACatalogThatDoesNotFitIntoMemoryIsAnErrorAndNoCrash() throws {
        // What the program has reserved when it is about to read.
        let pipe = folder.appending(path: "pipe").path
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        let waiting = try ProgramRun(["catalog", "check", pipe])
        var writer: Int32 = -1
        let deadline = Date(timeIntervalSinceNow: 60)
        while writer < 0, Date() < deadline {
            writer = open(pipe, O_WRONLY | O_NONBLOCK)
            usleep(10_000)
        }
        let reserved = waiting.reservedMegabytes
        close(writer)
        XCTAssertEqual(waiting.wait(), 0)
        try XCTSkipIf(reserved > 100_000, "under a sanitizer")

        // Enough for the threads that are still to be made, whose stacks count too.
        let limit = "ulimit -v \((reserved + 60) << 10)"
        let large = folder.appending(path: "large")
        let address = "http://h/" + String(repeating: "a", count: 990)
        try Data(("[" + String(repeating: "\"\(address)\",\n", count: 70_000) + "\"\"]").utf8).write(to: large)
        let run = try ProgramRun(["catalog", "check", large.path], limits: limit)
        XCTAssertEqual(run.wait(), 3, "60 MB more than \(reserved): \(run.error)")
        XCTAssert(run.error.hasSuffix("There is not enough memory for the catalog.\n"), run.error)
    }

    func testWhatARunRemembersIsNotReplaced() throws {
        let source = try catalog([("a", server.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try develop(source).status, 0)
        let journal = output.appending(path: ".classicphotos/run.db")
        let before = try Data(contentsOf: journal)
        let link = folder.appending(path: "link.csv")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: journal)
        let picture = folder.appending(path: "a.png").path
        try Self.image(.png).write(to: URL(filePath: picture))
        let places = [journal.path, output.path + "/.classicphotos/./new.csv", link.path]
        for place in places {
            for words in [
                ["catalog", "convert", source, place, "--format", "csv"],
                ["catalog", "convert", source, place, "--format", "csv", "--force"],
                ["filter", picture, place, "--format", "png"],
            ] {
                let run = try ProgramRun(words)
                XCTAssertEqual(run.wait(), 2, run.error)
                XCTAssert(run.error.contains("is where a run keeps what it remembers"), run.error)
            }
        }
        // Also not by another run.
        let other = folder.appending(path: "other").path
        for place in places {
            let run = try ProgramRun(["develop", source, "-o", other, "--report", place])
            XCTAssertEqual(run.wait(), 4, run.error)
            XCTAssert(run.error.contains("a file of the run itself"), run.error)
        }
        XCTAssertEqual(try Data(contentsOf: journal), before)
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: journal.deletingLastPathComponent().path)
                .filter { $0.hasPrefix("new") }, [])
    }

    func testConvertThatCannotBeWritten() throws {
        let source = try catalog([("a", "http://h/1.jpg")])
        XCTAssertEqual(try ProgramRun(["catalog", "convert", source, folder.path + "/no/such/x.csv"]).wait(), 4)
        XCTAssertEqual(try ProgramRun(["catalog", "convert", source, folder.path + "/x.doc"]).wait(), 2)
        XCTAssertEqual(try ProgramRun(["catalog", "convert", source]).wait(), 2)
        XCTAssertEqual(try ProgramRun(["catalog"]).wait(), 2)
    }
}
