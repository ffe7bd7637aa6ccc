import Foundation
import ImageCodecs
import TestServers
import XCTest

/// `develop --dry-run`, and `--verbose` on what is left out.
final class DryRunTests: DevelopTestCase {
    func testNothingIsFetchedOrWrittenAndTheFilesAreThoseOfTheRun() throws {
        try Self.image(.jpeg).write(to: folder.appending(path: "here.jpg"))
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("broken", "ftp://h/a"), ("here", "here.jpg"),
            ("gone", "gone.jpg"), ("b", server.url("/b.png").absoluteString),
        ])
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let dry = try ProgramRun(
            [
                "develop", catalog, "-o", "pictures", "--dry-run", "--report", "r.csv", "--trace", "t", "--format",
                "webp",
            ],
            in: folder)
        XCTAssertEqual(dry.wait(), 1, dry.error)
        XCTAssertEqual(server.requestCount(), 0)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted(), before)

        let (status, rows, run) = try develop(catalog, ["--format", "webp"])
        XCTAssertEqual(status, 1, run.error)
        let lines = dry.output.split(separator: "\n").map(String.init)
        XCTAssertEqual(lines.count, rows.count + 1, dry.output)
        for (line, row) in zip(lines, rows) {
            if row[2] == "filtered" {
                XCTAssert(line.hasSuffix(" -> pictures/\(row[5])"), line)
            } else {
                XCTAssert(line.hasPrefix("\(row[0]): "), line)
            }
        }
        XCTAssert(
            lines.last?.hasPrefix("3 of 5 photos would be written to pictures; 2 would fail") ?? false, dry.output)

        try FileManager.default.removeItem(at: journal)
        let again = try ProgramRun(
            ["develop", catalog, "-o", output.path, "--dry-run", "--skip-existing", "--format", "webp"])
        XCTAssertEqual(again.wait(), 1)
        XCTAssertEqual(again.output.components(separatedBy: " is there already").count, 4, again.output)
        XCTAssert(again.output.contains("0 of 5 photos would be written"), again.output)
    }

    func testARowWithoutANameAndAnAddressBeginsWithWhatIsWrong() throws {
        let list = folder.appending(path: "list.json")
        try Data(#"[7, {"name": "a", "url": "ftp://h/a"}]"#.utf8).write(to: list)
        let arguments = ["develop", list.path, "-o", "pictures"]
        for (options, left) in [(["--dry-run"], "Line 1"), ([], "  Line 1"), (["--dry-run"], "entry 1: left")] {
            let run = try ProgramRun(arguments + options, in: folder)
            XCTAssertEqual(run.wait(), 1, run.error)
            XCTAssert(run.output.split(separator: "\n").contains { $0.hasPrefix(left) }, "\(left): \(run.output)")
        }
    }

    func testItsStatusIsThatOfUsageAndCatalogs() throws {
        let good = try catalog([("a", server.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try ProgramRun(["develop", good, "-o", "x", "--dry-run"], in: folder).wait(), 0)
        XCTAssertEqual(try ProgramRun(["develop", good, "--dry-run"], in: folder).wait(), 2)
        XCTAssertEqual(try ProgramRun(["develop", "none", "-o", "x", "--dry-run"], in: folder).wait(), 3)
        let full = try ProgramRun(["develop", good, "-o", "x", "--dry-run"], limits: "exec >/dev/full", in: folder)
        XCTAssertEqual(full.wait(), 4)
        // What a run would refuse.
        let refused = try ProgramRun(["develop", good, "-o", "x", "--dry-run", "--report", good], in: folder)
        XCTAssertEqual(refused.wait(), 4)
    }

    func testWhatIsLeftOutOfAFolderIsCountedAndNamed() throws {
        let images = folder.appending(path: "mine")
        try FileManager.default.createDirectory(
            at: images.appending(path: "album"), withIntermediateDirectories: true)
        try Self.image(.jpeg).write(to: images.appending(path: "one.jpg"))
        // Decoded in a helper, as everything but JPEG.
        try Self.image(.png).write(to: images.appending(path: "two.png"))
        for name in ["notes.txt", "raw.cr2", ".hidden.jpg"] {
            try Data("x".utf8).write(to: images.appending(path: name))
        }
        XCTAssertEqual(symlink("nowhere", images.path + "/link.jpg"), 0)
        XCTAssertEqual(mkfifo(images.path + "/pipe.jpg", 0o600), 0)
        let arguments = ["develop", "mine", "-o", "mine"]
        let plain = try ProgramRun(arguments, in: folder)
        XCTAssertEqual(plain.wait(), 0, plain.error)
        XCTAssert(plain.output.contains("2 files of the folder are no pictures"), plain.output)
        XCTAssertFalse(plain.error.contains("notes.txt"), plain.error)

        let made = try FileManager.default.contentsOfDirectory(atPath: images.path).filter {
            $0.hasPrefix("one.jpg-") || $0.hasPrefix("two.png-")
        }
        XCTAssertEqual(made.count, 2)
        let reasons =
            [
                ("notes.txt", "ending"), ("raw.cr2", "ending"), (".hidden.jpg", "hidden"), ("album", "a folder"),
                ("link.jpg", "leads nowhere"), ("pipe.jpg", "pipe"),
            ] + made.map { ($0, "an earlier run") }
        for options in [[], ["--dry-run"]] {
            let told = try ProgramRun(arguments + ["--verbose"] + options, in: folder)
            XCTAssertEqual(told.wait(), 0, told.error)
            let lines = told.error.split(separator: "\n").filter { $0.hasPrefix("left out: ") }
            XCTAssertEqual(lines.count, reasons.count, told.error)
            // What a helper of this process lacks, one of the program lacks, too.
            let walls = told.error.split(separator: "\n").filter { $0.hasPrefix("confinement: ") }
            _ = try ImageDecoder.decode(Self.image(.png), longestSide: nil)
            let lacking = options.isEmpty ? HelperConfinement.missing : []
            XCTAssertEqual(walls.count, lacking.count, told.error)
            for (line, wall) in zip(walls, lacking) { XCTAssert(line.contains("without \(wall),"), String(line)) }
            for (name, reason) in reasons {
                let line = lines.first { $0.contains("mine/\(name): ") }
                XCTAssert(line?.contains(reason) ?? false, "\(name): \(told.error)")
            }
        }
        XCTAssertEqual(try ProgramRun(arguments + ["--verbose", "--quiet"], in: folder).wait(), 2)
    }
}
