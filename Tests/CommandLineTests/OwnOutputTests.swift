import Foundation
import Glibc
import ImageCodecs
import TestServers
import XCTest

/// `develop` on a folder whose pictures, or some, are its own.
final class OwnOutputTests: DevelopTestCase {
    private var images: URL { folder.appending(path: "mine") }

    override func setUpWithError() throws {
        try super.setUpWithError()
        try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
        try Self.image(.jpeg).write(to: images.appending(path: "one.jpg"))
        try Self.image(.png).write(to: images.appending(path: "two:2.png"))
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: images.path).filter { $0 != ".classicphotos" }
            .sorted()
    }

    private func run(_ output: String, _ options: [String] = []) throws -> ProgramRun {
        let run = try ProgramRun(
            ["develop", images.path, "--output", output, "--report", report.path] + options, in: folder)
        run.wait()
        return run
    }

    func testASecondRunIntoTheFolderOfThePicturesTakesNoneOfItsOwn() throws {
        let first = try run(images.path)
        XCTAssert(first.output.contains("2 of 2 photos written"), first.output + first.error)
        let made = try names()
        XCTAssertEqual(made.count, 4)
        let link = folder.appending(path: "link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: images.path)
        for (output, options) in [
            (images.path, []), ("mine/../mine/", []), (link, []), ("mine", ["--format", "png", "--fresh"]),
        ] {
            let next = try run(output, options)
            XCTAssertEqual(try rows().map { $0[0] }, ["one.jpg", "two:2.png"], "\(output) \(next.error)")
            XCTAssert(next.output.contains("left out"), next.output)
        }
        XCTAssertEqual(try names().count, 6)
    }

    func testWhatIsMadeOfAPictureThatIsGoneIsStillKnown() throws {
        _ = try run(images.path)
        try FileManager.default.removeItem(at: images.appending(path: "one.jpg"))
        _ = try run(images.path, ["--fresh"])
        XCTAssertEqual(try rows().map { $0[0] }, ["two:2.png"])
    }

    func testAContactSheetAmongThePicturesIsNotOneOfThem() throws {
        let sheet = images.appending(path: "sheet.jpg").path
        _ = try run(output.path, ["--contact-sheet", sheet])
        XCTAssert(FileManager.default.fileExists(atPath: sheet))
        let next = try run(output.path, ["--contact-sheet", images.path + "/./sheet.jpg"])
        XCTAssertEqual(try rows().map { $0[0] }, ["one.jpg", "two:2.png"], next.error)
    }

    func testWhatIsWrittenBesideThePicturesReplacesNoneOfThem() throws {
        let before = try Data(contentsOf: images.appending(path: "one.jpg"))
        for option in ["--contact-sheet", "--report", "--trace"] {
            let run = try ProgramRun(["develop", "mine", "-o", "out", option, "mine/./one.jpg"], in: folder)
            XCTAssertEqual(run.wait(), 4, option)
            XCTAssert(run.error.contains("mine/./one.jpg") && run.error.contains("catalog's pictures"), run.error)
            XCTAssertEqual(try Data(contentsOf: images.appending(path: "one.jpg")), before)
        }
    }

    func testWhatIsWrittenBesideThePicturesReplacesNoneInAFolderInsideOrOfACatalog() throws {
        let inner = images.appending(path: "2020")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        let beach = inner.appending(path: "beach.jpg")
        try Self.image(.jpeg).write(to: beach)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.jpg", withDestinationPath: beach.path)
        let list = try catalog([
            ("web", server.url("/a.jpg").absoluteString), ("beach", "mine/2020/beach.jpg"), ("none", "none.jpg"),
        ])
        let before = try Data(contentsOf: beach)
        for catalog in [["mine", "-r"], [list]] {
            for option in ["--contact-sheet", "--report", "--trace", "--metrics"] {
                for path in ["mine/2020/beach.jpg", "mine/2020/.././2020/beach.jpg", "link.jpg"] {
                    let run = try ProgramRun(["develop"] + catalog + ["-o", "out", option, path], in: folder)
                    XCTAssertEqual(run.wait(), 4, "\(catalog) \(option) \(path)")
                    XCTAssert(run.error.contains(path) && run.error.contains("catalog's pictures"), run.error)
                    XCTAssertEqual(try Data(contentsOf: beach), before)
                }
            }
            let preview = try ProgramRun(
                ["develop"] + catalog + ["-o", "out", "--dry-run", "--contact-sheet", beach.path], in: folder)
            XCTAssertEqual(preview.wait(), 4, preview.error)
        }
        XCTAssertEqual(server.requestCount(), 0)
    }

    func testAContactSheetInAFolderInsideIsNotOneOfThePictures() throws {
        let sheets = images.appending(path: "sheets")
        try FileManager.default.createDirectory(at: sheets, withIntermediateDirectories: true)
        for path in ["mine/sheets/sheet.jpg", "mine/sheets/../sheets/sheet.jpg", "mine/sheets/sheet.jpg"] {
            let run = try run(output.path, ["-r", "--contact-sheet", path])
            XCTAssertEqual(run.wait(), 0, run.error)
            XCTAssertEqual(try rows().map { $0[0] }, ["one.jpg", "two:2.png"])
        }
        XCTAssert(FileManager.default.fileExists(atPath: sheets.path + "/sheet.jpg"))
    }

    func testWhatRunsMadeBesideThePicturesIsNoneOfThemForAnotherFolder() throws {
        _ = try run(images.path)
        _ = try run(images.path, ["--format", "png", "--fresh", "--shard-folders"])
        for options in [[], ["--recursive", "--fresh"]] {
            let next = try run(output.path, options)
            XCTAssertEqual(try rows().map { $0[0] }, ["one.jpg", "two:2.png"], next.error)
            XCTAssert(next.output.contains("left out, which earlier runs made"), next.output)
        }
    }

    func testWhatARunOfAnotherCatalogMadeIsAPicture() throws {
        let list = try catalog([("web", server.url("/a.jpg").absoluteString)])
        let first = try ProgramRun(["develop", list, "-o", images.path])
        XCTAssertEqual(first.wait(), 0, first.error)
        _ = try run(output.path)
        XCTAssertEqual(try rows().count, 3)
    }

    /// Into another folder, what an earlier run made is a picture as any other.
    func testResultsCanBeDevelopedAgainIntoAnotherFolder() throws {
        _ = try run(output.path)
        let again = try ProgramRun(
            ["develop", output.path, "--output", folder.path + "/again", "--report", report.path])
        XCTAssertEqual(again.wait(), 0, again.error)
        XCTAssertEqual(try rows().count, 2)
    }

    func testAFolderInsideTheCatalogsFolderIsNotTakenIn() throws {
        for _ in 0..<2 {
            let run = try run(images.path + "/small")
            XCTAssert(run.output.contains("2 of 2 photos written"), run.output)
        }
    }
}
