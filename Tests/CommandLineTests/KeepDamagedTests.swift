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

    func testPhotosThatShareADamagedPictureSayWhatIsWrongWithIt() throws {
        // More than are shown in the report, so that most come when the first has come to its end.
        let several = try catalog((0..<80).map { ("\($0)", server.url("/cut.jpg?\($0)").absoluteString) })
        let dedupe = ["--dedupe", "content", "--jobs", "1", "--connections", "1"]
        let (status, rows, run) = try develop(several, dedupe + ["--keep-damaged"])
        XCTAssertEqual(status, 0, run.error)
        XCTAssert(run.output.contains("\n80 are damaged and kept as far as they go\n"), run.output)
        XCTAssertEqual(Set(rows.map { $0[4] }).count, 1)
        XCTAssert(rows[0][4].contains("cut off") || rows[0][4].contains("ends"), rows[0][4])
        // One is made again, and shares the picture of an earlier run; without the option it fails as it would alone.
        func remove(_ row: Int) throws { try FileManager.default.removeItem(at: output.appending(path: rows[row][5])) }
        try remove(70)
        let (_, again, _) = try develop(several, dedupe + ["--keep-damaged"])
        XCTAssertEqual(again.map { $0[4] }, rows.map { $0[4] })
        try remove(70)
        let (without, strict, _) = try develop(several, dedupe)
        XCTAssertEqual(without, 1)
        XCTAssertEqual(strict.map { $0[3] }.filter { !$0.isEmpty }, ["damaged-image"])
    }

    func testPhotosOfOneAddressSayWhatIsWrongWithTheirPicture() throws {
        let address = server.url("/cut.jpg").absoluteString
        let twice = try catalog([("one", address), ("two", address)])
        let (status, rows, run) = try develop(twice, ["--keep-damaged"])
        XCTAssertEqual(status, 0, run.error)
        XCTAssertNotEqual(rows[0][4], "")
        func remove() throws { try FileManager.default.removeItem(at: output.appending(path: rows[1][5])) }
        try remove()
        let (_, again, _) = try develop(twice, ["--keep-damaged"])
        XCTAssertEqual(again.map { $0[4] }, rows.map { $0[4] })
        XCTAssertEqual(server.requestCount(), 1)
        try remove()
        let (without, strict, _) = try develop(twice)
        XCTAssertEqual(without, 1)
        XCTAssertEqual(strict.map { $0[3] }, ["", "damaged-image"])
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
