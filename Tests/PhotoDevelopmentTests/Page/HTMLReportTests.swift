import Foundation
import PhotoPipeline
import Testing

@testable import PhotoDevelopment

/// What stands on the page of a run, and what reaches the script.
@Suite struct HTMLReportTests {
    private let rows = [
        ReportRow(
            name: "Sunset", address: "https://a.example/1.jpg", outcome: .filtered(files: ["Sunset-1.jpg"]),
            bytes: 1_200,
            milliseconds: 34),
        ReportRow(
            name: "Gone", address: "https://B.example/2.jpg", outcome: .failed(PhotoError(.http, "404: Not there.")),
            milliseconds: 12),
        ReportRow(
            name: "Gone too", address: "https://b.example/3.jpg", outcome: .failed(PhotoError(.http, "410: Gone."))),
        ReportRow(name: "Slow", address: "https://c.example/4.jpg", outcome: .failed(PhotoError(.timeout, "Slow."))),
        ReportRow(name: "Left", address: "pictures/5.jpg", outcome: .cancelled),
    ]

    @Test("The rows reach the script as they are, numbered from 1")
    func fields() throws {
        let found = try PageSamples.rows(in: PageSamples.page(of: rows))
        let texts = found.map { row in row.map { "\($0)" }.joined(separator: "|") }
        #expect(
            texts == [
                "1|Sunset|https://a.example/1.jpg|a.example|filtered|Sunset-1.jpg|1200|34",
                "2|Gone|https://B.example/2.jpg|b.example|http|404: Not there.|0|12",
                "3|Gone too|https://b.example/3.jpg|b.example|http|410: Gone.|0|0",
                "4|Slow|https://c.example/4.jpg|c.example|timeout|Slow.|0|0",
                "5|Left|pictures/5.jpg|(no host)|cancelled|0|0|0",
            ])
    }

    @Test("Totals, recipe, reasons, statuses and hosts are there without scripting")
    func sections() {
        let page = PageSamples.page(of: rows)
        let parts = [
            "<h1><bdi>photos.csv</bdi></h1>", "2023-11-14 22:13:20 UTC", "2023-11-14 23:25:21 UTC",
            "<dt><bdi>Filter</bdi></dt><dd><bdi>sepia(0.8) contrast(1.1)</bdi></dd>",
            "<span class=\"label\">Failed</span> <b>3</b> <span class=\"share\">60 %</span>",
            "<a href=\"#reason=http\">http</a> <span class=\"meaning\">The server answered with an error.",
            "<a href=\"#reason=http-404\">404</a>&nbsp;×&nbsp;1, <a href=\"#reason=http-410\">410</a>",
            "<a href=\"#host=b.example&amp;outcome=failed\"><bdi>b.example</bdi></a>",
            "<option value=\"timeout\">timeout (1)</option>", "<option value=\"c.example\">c.example</option>",
        ]
        for part in parts { #expect(page.contains(part), "\(part)") }
        #expect(!page.contains("left-out\">"), "Nothing is left out.")
        #expect(!page.contains("id=\"pictures\""), "There are no pictures.")
    }

    @Test("What is wrong with a picture that was kept stands beside its files")
    func damage() throws {
        let row = ReportRow(
            name: "Cut", address: "", outcome: .filtered(files: ["a.jpg"], damage: "It is \"cut\" off."))
        let page = PageSamples.page(of: [row])
        #expect(page.contains(#"0,{"files":"a.jpg","damage":1},"#), "the place of the text, behind that of the host")
        #expect(page.contains(#"{"texts":["(no host)","It is \"cut\" off."],"#))
    }

    @Test("A run without rows, and one that has not ended")
    func empty() throws {
        var run = PageSamples.run(HTMLReport.Totals())
        run.ended = nil
        let page = PageSamples.page(of: [], run: run)
        #expect(try PageSamples.rows(in: page).isEmpty)
        #expect(
            page.contains("running, or stopped before its end") && !page.contains("id=\"failures\"")
                && page.hasSuffix("</html>\n"))
    }

    @Test("Pictures are data, only of filtered rows, and of the first ones")
    func images() throws {
        let pair = ReportImages.Pair(original: Data([0xFF, 0xD8, 1]), result: Data([0xFF, 0xD8, 2]))
        let found = try PageSamples.rows(in: PageSamples.page(of: rows) { _ in pair })
        #expect(found.map(\.count) == [10, 8, 8, 8, 8])
        #expect(found[0].suffix(2).map { $0 as? String } == ["/9gB", "/9gC"])

        var asked: [Int] = []
        let many = (0..<400).map { ReportRow(name: "\($0)", address: "", outcome: .filtered(files: ["\($0).jpg"])) }
        let page = PageSamples.page(of: many) { index in
            asked.append(index)
            return index % 4 == 0 ? nil : pair
        }
        #expect(try PageSamples.rows(in: page).count { $0.count == 10 } == ReportImages.mostRows * 3 / 4)
        #expect(asked == Array(0..<ReportImages.mostRows))
    }

    @Test("Where there are more rows than the table holds, the page says what is left out")
    func leftOut() throws {
        let all = (0..<3_000).map(PageSamples.row)
        let totals = PageSamples.totals(of: all)
        let page = PageSamples.page(of: all, limit: 300)
        let found = try PageSamples.rows(in: page)
        #expect(found.count == 300)
        #expect(found.count { $0[4] as? String == "filtered" } == 60)
        let numbers = found.compactMap { $0[0] as? Int }
        #expect(numbers == numbers.sorted(), "The order of the catalog stays.")
        let note =
            "the first 240 of \(totals.failed) failed, the first 60 of \(PageFigures.count(totals.filtered)) done"
        #expect(page.contains(note))
        #expect(page.contains("<code><bdi>classicphotos report pictures --format csv</bdi></code>"))
        let counted = "<b>\(PageFigures.count(totals.failed))</b>"
        #expect(page.contains(counted), "Totals count all.")
    }

    @Test(
        "A fifth of the table is for rows that were filtered",
        arguments: [
            (100, [40, 50, 0], [40, 50, 0]), (100, [500, 500, 9], [20, 80, 0]), (100, [5, 500, 9], [5, 95, 0]),
            (100, [500, 10, 9], [90, 10, 0]), (100, [500, 0, 0], [100, 0, 0]), (100, [10, 20, 500], [10, 20, 70]),
            (0, [5, 5, 5], [0, 0, 0]), (3, [5, 5, 5], [0, 3, 0]),
        ])
    func selection(limit: Int, rows: [Int], taken: [Int]) {
        let totals = HTMLReport.Totals(filtered: rows[0], failed: rows[1], cancelled: rows[2])
        var selection = TableSelection(limit: limit, of: totals)
        let kinds: [WritableKeyPath<HTMLReport.Totals, Int>] = [\.filtered, \.failed, \.cancelled]
        let counts = zip(kinds, rows).map { kind, rows in (0..<rows).count { _ in selection.take(kind) } }
        #expect(counts == taken)
    }

    @Test("Rows that have not come to their end may be missing: numbers stay, and the page says how many there are")
    func unfinished() throws {
        let report = HTMLReport(run: PageSamples.run(HTMLReport.Totals(filtered: 1, failed: 3, cancelled: 1_234)))
        var page = Data()
        report.write([(number: 4, row: rows[0]), (number: 1_000, row: rows[1])]) { page.append($0) }
        let text = String(decoding: page, as: UTF8.self)
        #expect(try PageSamples.rows(in: text).map { $0[0] as? Int } == [5, 1_001])
        #expect(text.contains("The list is without the 1,234 photos that are not done."))
    }

    @Test(
        "The folder of the results, seen from the page",
        arguments: [
            ("", "./"), ("pictures", "./pictures/"), ("../out dir/", "./../out%20dir/"), ("/a//b", "/a/b/"),
            ("//host/x", "/host/x/"), ("javascript:alert(1)", "./javascript%3Aalert%281%29/"), ("./x", "./x/"),
        ])
    func results(folder: String, prefix: String) {
        var run = PageSamples.run(HTMLReport.Totals())
        run.results = folder
        #expect(HTMLReport(run: run).resultsPrefix == prefix)
    }

    @Test("The way from a page to the results")
    func way() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "way-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["out/a", "pages"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "out/a")
        func way(_ results: String, _ page: String?) -> String {
            HTMLReport.Run.way(to: folder + results, fromPage: page.map { folder + $0 })
        }
        #expect(way("/out", "/out/report.html") == "")
        #expect(way("/out", "/report.html") == "out")
        #expect(way("/out/a/", "/pages/report.html") == "../out/a")
        #expect(way("/link", "/pages/report.html") == "../out/a")
        #expect(way("/out", nil).hasPrefix("/") && way("/out", nil).hasSuffix("/out"))
        #expect(way("/nowhere", "/report.html") == folder + "/nowhere")
    }

    @Test("A failure to write ends the writing")
    func failure() {
        struct Full: Error {}
        var pieces = 0
        #expect(throws: Full.self) {
            let rows = (0..<20_000).lazy.map(PageSamples.row)
            try HTMLReport(run: PageSamples.run(HTMLReport.Totals(filtered: 20_000))).write(PageSamples.numbered(rows))
            {
                (_: Data) throws(Full) in
                pieces += 1
                if pieces == 2 { throw Full() }
            }
        }
        #expect(pieces == 2)
    }

    @Test("Pieces stay small, however many rows there are")
    func pieces() {
        var largest = 0
        var sum = 0
        let rows = (0..<30_000).lazy.map(PageSamples.row)
        var report = HTMLReport(run: PageSamples.run(PageSamples.totals(of: rows)))
        report.rowLimit = 10_000
        report.write(PageSamples.numbered(rows)) { piece in
            largest = max(largest, piece.count)
            sum += piece.count
        }
        #expect(largest < 600_000)
        #expect(sum > 1_500_000 && sum < 4_000_000)
    }

    @Test("Figures as people read them")
    func figures() {
        #expect([0, 999, 1_000, 1_234_567].map(PageFigures.count) == ["0", "999", "1,000", "1,234,567"])
        #expect(
            [0, 999, 1_200, 12_345, 9_960_000, 999_600].map(DecimalUnits.bytes) == [
                "0 B", "999 B", "1.2 kB", "12 kB", "10 MB", "1.0 MB",
            ])
        #expect([0.7, 12.4, 243, 4_321].map(PageFigures.duration) == ["0.70 s", "12 s", "4 min 3 s", "1 h 12 min"])
        let shares = [(0, 5), (1, 3), (1, 2), (5, 5), (1, 100_000), (99_999, 100_000), (1, 40)]
        #expect(
            shares.map { PageFigures.share($0, of: $1) }
                == ["0 %", "33 %", "50 %", "100 %", "under 0.1 %", "over 99.9 %", "2.5 %"])
    }
}
