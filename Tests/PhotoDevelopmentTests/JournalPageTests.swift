import Foundation
import ImageCodecs
import PhotoPipeline
import Transfers
import XCTest

@testable import PhotoDevelopment

/// The page of a run, from its journal.
final class JournalPageTests: JournalTestCase {
    private func page(_ name: String) throws -> String {
        let path = folder + "/" + name
        try DevelopmentReport(of: output).write(.html, to: path)
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    func testARunHasAPageWithItsPictures() async throws {
        let catalog = try await catalog(["a.jpg", "gone.jpg", "b.jpg", "c.jpg"])
        let development = try Development(of: catalog, options: options)
        let summary = await development.run()
        XCTAssertEqual([summary.progress.filtered, summary.progress.failed], [3, 1])
        let page = try page("report.html")
        let rows = try PageSamples.rows(in: page)
        XCTAssertEqual(rows.map { $0[0] as? Int }, [1, 2, 3, 4])
        XCTAssertEqual(rows.map { $0[4] as? String }, ["filtered", "not-found", "filtered", "filtered"])
        XCTAssertEqual(rows.map(\.count), [10, 8, 10, 10])
        for image in [rows[0][8], rows[0][9]] {
            let bytes = try XCTUnwrap(Data(base64Encoded: image as? String ?? ""))
            XCTAssertEqual(try ImageDecoder.decode(bytes, longestSide: nil).size, PixelSize(width: 16, height: 9))
        }
        XCTAssertNotEqual(rows[0][8] as? String, rows[0][9] as? String)
        let file = try XCTUnwrap(rows[0][5] as? String)
        XCTAssert(FileManager.default.fileExists(atPath: output + "/" + file))
        XCTAssert(page.contains("{\"results\":\"./pictures/\","))
        XCTAssert(page.contains("<dt><bdi>format</bdi></dt><dd><bdi>jpeg</bdi></dd>"))
        XCTAssert(
            page.contains("<h1><bdi>catalog.csv</bdi></h1>") && !page.contains(folder + "/catalog.csv"))
        XCTAssert(page.contains("started <time") && page.contains("ended <time"))
        XCTAssert(page.contains("<code><bdi>classicphotos report "))
    }

    func testAPageOfARunThatIsNotOverNumbersItsRowsAsTheCatalogDoes() throws {
        let journal = try journal(rows: 50)
        let pair = ReportImages.Pair(original: Data([1]), result: Data([2]))
        try journal.record(
            [Journal.Entry(number: 7, row: row(7)), Journal.Entry(number: 30, row: row(30))], images: [30: pair])
        let page = try page("pictures/report.html")
        let rows = try PageSamples.rows(in: page)
        XCTAssertEqual(rows.map { $0[0] as? Int }, [8, 31])
        XCTAssertEqual(rows.map(\.count), [8, 10])
        XCTAssert(page.contains("{\"results\":\"./\","))
        XCTAssert(page.contains("running, or stopped before its end"))
        XCTAssert(page.contains("The list is without the 48 photos that are not done."))
    }

    func testRowsTakeNoMemory() throws {
        let count = 40_000
        let report = HTMLReport(run: PageSamples.run(HTMLReport.Totals(filtered: count)))
        func write(_ count: Int) -> Int {
            var bytes = 0
            report.write(PageSamples.numbered((0..<count).lazy.map(PageSamples.row))) { bytes += $0.count }
            return bytes
        }
        _ = write(5_000)
        let before = Self.residentMegabytes
        XCTAssertGreaterThan(write(count), 6_000_000)
        XCTAssertLessThan(Self.residentMegabytes - before, 4)
    }

    func testWhatADamagedJournalSaysEndsNothing() throws {
        let journal = try journal(rows: 3)
        let odd = ReportRow(
            name: "", address: "", outcome: .filtered(files: ["../../x"]), bytes: .max / 4, milliseconds: .max)
        try journal.record([0, 1, .max].map { Journal.Entry(number: $0, row: odd) })
        var page = Data()
        HTMLReport(run: PageSamples.run(HTMLReport.Totals(filtered: 3))).write(JournalRows(of: journal).numbered) {
            page.append($0)
        }
        let rows = try PageSamples.rows(in: String(decoding: page, as: UTF8.self))
        XCTAssertEqual(rows.count, 3)

        let connection = try SQLiteConnection(path: place.database)
        for time in ["1e300", "-1e18", "nan", "inf", "9e15", "x", ""] {
            try connection.run("UPDATE run SET value = ? WHERE key IN ('started', 'latest', 'rows')", [.text(time)])
            XCTAssert(try self.page("report.html").hasSuffix("</html>\n"), time)
        }
    }

    func testAPageInPieces() throws {
        let journal = try journal(rows: 1)
        try journal.record([Journal.Entry(number: 0, row: row(0))])
        var text = ""
        try DevelopmentReport(of: output).write(.html) {
            text += String(decoding: $0, as: UTF8.self)
            return true
        }
        XCTAssert(text.hasPrefix("<!DOCTYPE html>") && text.hasSuffix("</html>\n"))
        XCTAssert(text.contains("{\"results\":\"/"), "Nobody knows where it will be.")
    }
}
