import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// `--keep-damaged`.
final class KeepDamagedTests: DevelopTestCase {
    func testADamagedPhotoIsKeptWhereThatIsWantedAndTheReportSaysSo() throws {
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("cut", server.url("/cut.jpg").absoluteString),
            ("again", server.url("/cut.jpg").absoluteString),
        ])
        let (status, rows, run) = try develop(catalog)
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(rows.map { $0[3] }, ["", "damaged-image", "damaged-image"])
        let (second, kept, again) = try develop(
            catalog, ["--only-failed=damaged-image", "--keep-damaged", "--progress=json"])
        XCTAssertEqual(second, 0, again.error)
        XCTAssert(again.error.contains(#""filtered": 2, "damaged": 2,"#), again.error)
        XCTAssert(again.output.contains("\n2 are damaged and kept as far as they go\n"), again.output)
        XCTAssertEqual(kept.map { $0[2] }, ["filtered", "filtered", "filtered"])
        XCTAssertEqual(kept[0][4], "")
        for row in kept[1...] {
            XCTAssert(row[4].contains("cut off") || row[4].contains("ends"), row[4])
            XCTAssertEqual(
                try ImageDecoder.probe(Data(contentsOf: output.appending(path: row[5]))).size,
                PixelSize(width: 320, height: 200))
        }
        let report = try ProgramRun(["report", output.path, "--format", "json"])
        XCTAssertEqual(report.wait(), 0, report.error)
        let lines = report.output.split(separator: "\n")
        let page = folder.appending(path: "page.html")
        let asPage = try ProgramRun(["report", output.path, "-o", page.path])
        XCTAssertEqual(asPage.wait(), 0, asPage.error)
        XCTAssert(try String(contentsOf: page, encoding: .utf8).contains("100 %, 2 damaged</span>"))
        XCTAssertEqual(lines.map { $0.contains(#""error":null,"detail":null"#) }, [true, false, false])
    }

    func testFilterKeepsADamagedPictureAndSaysWhatIsWrong() throws {
        try Self.image(.jpeg).dropLast(600).write(to: folder.appending(path: "cut.jpg"))
        let refused = try ProgramRun(["filter", "cut.jpg", "out.png"], in: folder)
        XCTAssertEqual(refused.wait(), 1)
        let result = folder.appending(path: "out.png")
        XCTAssertFalse(FileManager.default.fileExists(atPath: result.path))
        let kept = try ProgramRun(["filter", "cut.jpg", "out.png", "--keep-damaged"], in: folder)
        XCTAssertEqual(kept.wait(), 0, kept.error)
        XCTAssert(kept.error.contains("cut.jpg: The picture is damaged, and kept: "), kept.error)
        XCTAssertEqual(try ImageDecoder.probe(Data(contentsOf: result)).size, PixelSize(width: 320, height: 200))
        try Self.image(.jpeg).write(to: folder.appending(path: "sound.jpg"))
        let sound = try ProgramRun(["filter", "sound.jpg", "out.png", "--keep-damaged"], in: folder)
        XCTAssertEqual(sound.wait(), 0)
        XCTAssertEqual(sound.error, "")
    }
}
