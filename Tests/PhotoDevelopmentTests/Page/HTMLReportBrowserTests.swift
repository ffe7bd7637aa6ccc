import Foundation
import PhotoPipeline
import XCTest

@testable import PhotoDevelopment

/// The page in headless Chromium: typed into, clicked, attacked.
final class HTMLReportBrowserTests: XCTestCase {
    // XCTest runs the tests of a class one after the other, on one thread.
    private nonisolated(unsafe) static var browser: ChromiumPage?
    private let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID())")

    override func setUpWithError() throws {
        if Self.browser == nil { Self.browser = try ChromiumPage() }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try browser.resize(width: 1_280, height: 900)
    }

    override func tearDown() {
        try? FileManager.default.removeItem(at: folder)
    }

    override class func tearDown() {
        browser?.close()
        browser = nil
    }

    private var browser: ChromiumPage { get throws { try XCTUnwrap(Self.browser) } }

    /// Opens a page of rows.
    private func open(
        _ page: String, fragment: String = "", file: StaticString = #filePath, line: UInt = #line
    ) throws -> ChromiumPage {
        let path = folder.appending(path: "report.html")
        try Data(page.utf8).write(to: path)
        let browser = try browser
        try browser.open(path.absoluteString + fragment)
        XCTAssertEqual(browser.problems, [], file: file, line: line)
        XCTAssertEqual(browser.requests, [path.absoluteString], "The page loads nothing.", file: file, line: line)
        return browser
    }

    private func names(in browser: ChromiumPage) throws -> [String] {
        let names = "[...document.querySelectorAll('.photos .name')].map(name => name.textContent)"
        return try XCTUnwrap(browser.evaluate(names) as? [String])
    }

    func testAPictureInsideATarFileIsNamedAndItsFileLinked() throws {
        let row = ReportRow(
            name: "Tar", address: "https://a.example/1.jpg", outcome: .filtered(files: ["00012.tar/120001.jpg"]))
        let folders = ReportRow(name: "Folder", address: "x", outcome: .filtered(files: ["00001/a b.jpg"]))
        let browser = try open(PageSamples.page(of: [row, folders]))
        let texts = try browser.evaluate(
            "[...document.querySelectorAll('.photos td.outcome')].map(cell => cell.textContent)")
        XCTAssertEqual(texts as? [String], ["done in 00012.tar as 120001.jpg", "done"])
        let links = try browser.evaluate(
            "[...document.querySelectorAll('.photos a:not(.address)')].map(link => link.getAttribute('href').split('/').slice(-2).join('/'))"
        )
        XCTAssertEqual(
            (links as? [String])?.map { $0.hasSuffix("00012.tar") ? "00012.tar" : $0 },
            ["00012.tar", "00001/a%20b.jpg"])
    }

    func testADamagedPictureThatWasKeptSaysWhatIsWrong() throws {
        let files = [["a.jpg"], ["b-1.jpg", "b-2.jpg"]]
        let rows = files.map {
            ReportRow(name: "Cut", address: "x", outcome: .filtered(files: $0, damage: "The file is <cut> off."))
        }
        let browser = try open(PageSamples.page(of: rows))
        let texts = "[...document.querySelectorAll('.photos td.outcome')].map(cell => cell.textContent)"
        XCTAssertEqual(
            try browser.evaluate(texts) as? [String], Array(repeating: "done The file is <cut> off.", count: 2))
        let links = "[...document.querySelectorAll('.photos a.name')].map(link => link.getAttribute('href'))"
        XCTAssertEqual(
            (try browser.evaluate(links) as? [String])?.map { $0.split(separator: "/").last }, ["a.jpg", "b-1.jpg"])
    }

    private let rows =
        [
            ReportRow(
                name: "Hoàng hôn Đà Nẵng", address: "https://a.example/1.jpg",
                outcome: .filtered(files: ["Hoàng hôn #1.jpg"]),
                bytes: 1_234_567, milliseconds: 340),
            ReportRow(
                name: "강릉의 아침", address: "https://b.example/2.jpg",
                outcome: .failed(PhotoError(.http, "404: Not there.")), bytes: 120, milliseconds: 12),
            ReportRow(
                name: "Rain", address: "https://b.example/3.jpg", outcome: .failed(PhotoError(.http, "503: Busy.")),
                milliseconds: 99),
            ReportRow(name: "Rainbow", address: "pictures/4.jpg", outcome: .cancelled),
        ]
        + (5...250).map {
            ReportRow(
                name: "Photo \($0)", address: "https://c.example/\($0).jpg", outcome: .filtered(files: ["\($0).jpg"]),
                bytes: $0, milliseconds: 1)
        }

    func testWhatIsTypedIsFound() throws {
        let browser = try open(PageSamples.page(of: rows))
        XCTAssertEqual(try names(in: browser).count, 100)
        XCTAssertEqual(try browser.evaluate("document.getElementById('status').textContent") as? String, "250 photos")
        try browser.press("/", code: 191)
        try browser.type("da nang HOANG")
        try browser.wait(until: "document.querySelectorAll('.photos tbody tr').length === 1")
        XCTAssertEqual(try names(in: browser), ["Hoàng hôn Đà Nẵng"])
        XCTAssertEqual(
            try browser.evaluate("document.getElementById('status').textContent") as? String, "1 of 250 photos")
        XCTAssertEqual(
            try browser.evaluate("document.querySelector('.photos a.name').getAttribute('href')") as? String,
            "./Ho%C3%A0ng%20h%C3%B4n%20%231.jpg")
        try browser.wait(until: "location.hash === '#q=da+nang+HOANG'")
        try browser.evaluate("document.getElementById('clear').click()")
        try browser.type("강")
        try browser.wait(until: "document.querySelectorAll('.photos tbody tr').length === 1")
        XCTAssertEqual(try names(in: browser), ["강릉의 아침"])
        try browser.type("zzz")
        try browser.wait(until: "document.querySelector('.photos .none') !== null")
        XCTAssertEqual(browser.problems, [])
    }

    func testVariantsAreLinkedAndFound() throws {
        var run = PageSamples.run(HTMLReport.Totals(filtered: 2))
        run.variants = ["thumb", "large"]
        let rows = ["one", "two"].map { name in
            ReportRow(name: name, address: "", outcome: .filtered(files: ["thumb/\(name).jpg", "large/\(name).webp"]))
        }
        var page = Data()
        HTMLReport(run: run).write(rows.enumerated().map { (number: $0, row: $1) }) { page.append($0) }
        let browser = try open(String(decoding: page, as: UTF8.self))
        let links = "[...document.querySelectorAll('.photos a')].map(a => a.textContent + ' ' + a.getAttribute('href'))"
        XCTAssertEqual(
            try browser.evaluate(links) as? [String],
            ["one", "two"].flatMap {
                ["\($0) ./thumb/\($0).jpg", "thumb ./thumb/\($0).jpg", "large ./large/\($0).webp"]
            })
        try browser.press("/", code: 191)
        try browser.type("large/two")
        try browser.wait(until: "document.querySelectorAll('.photos tbody tr').length === 1")
        XCTAssertEqual(try names(in: browser), ["two"])
        XCTAssertEqual(browser.problems, [])
    }

    func testAFragmentIsASearch() throws {
        let page = PageSamples.page(of: rows)
        let wanted = [
            "#q=rain": ["Rain", "Rainbow"], "#outcome=cancelled": ["Rainbow"], "#reason=http": ["강릉의 아침", "Rain"],
            "#reason=http-503": ["Rain"], "#host=b.example&q=404": ["강릉의 아침"], "#host=(no+host)": ["Rainbow"],
            "#host=nobody.example": [], "#q=%E0%A4%A": [], "#sort=-name&host=b.example": ["Rain", "강릉의 아침"],
            "#page=3&q=photo&sort=number": (205...250).map { "Photo \($0)" },
            "#q=rain&page=99999": ["Rain", "Rainbow"],
        ]
        for (fragment, names) in wanted {
            let browser = try open(page, fragment: fragment)
            XCTAssertEqual(try Set(self.names(in: browser)), Set(names), fragment)
        }
    }

    func testASearchScrollsToItsList() throws {
        let page = PageSamples.page(of: rows)
        for width in [1_280, 390] {
            try browser.resize(width: width, height: 600)
            let browser = try open(page, fragment: "#outcome=filtered")
            let top = try XCTUnwrap(
                browser.evaluate("document.getElementById('all').getBoundingClientRect().top") as? Double)
            XCTAssert((0..<100).contains(top), "\(top) at \(width)")
        }
    }

    func testReasonsHostsHeadsAndPagesAreReachedByKeyboard() throws {
        let browser = try open(PageSamples.page(of: rows))
        try browser.evaluate("document.querySelector('.reasons a').focus()")
        try browser.press("Enter", code: 13)
        try browser.wait(until: "document.querySelectorAll('.photos tbody tr').length === 2")
        XCTAssertEqual(try browser.evaluate("document.getElementById('reason').value") as? String, "http")
        try browser.evaluate("location.hash = '#q='")
        try browser.wait(until: "document.querySelectorAll('.photos tbody tr').length === 100")
        try browser.evaluate("document.querySelector('[data-sort=bytes]').focus()")
        try browser.press("Enter", code: 13)
        try browser.wait(until: "document.querySelector('[aria-sort=descending]') !== null")
        XCTAssertEqual(try names(in: browser).first, "Hoàng hôn Đà Nẵng")
        try browser.evaluate("document.getElementById('last').focus()")
        try browser.press("Enter", code: 13)
        try browser.wait(until: "document.querySelectorAll('.photos tbody tr').length === 50")
        XCTAssertEqual(try browser.evaluate("document.getElementById('page').textContent") as? String, "Page 3 of 3")
        XCTAssertEqual(browser.problems, [])
    }

    func testEverythingHasItsRoleAndNameForScreenReaders() throws {
        let elements = try open(PageSamples.page(of: rows)).accessibleElements()
        func names(_ role: String) -> [String] { elements.filter { $0.role == role }.map(\.name) }
        XCTAssertEqual(names("searchbox"), ["Search"])
        XCTAssertEqual(names("combobox"), ["Outcome", "Reason", "Host"])
        XCTAssertEqual(names("columnheader").suffix(5), ["No.", "Photo", "Outcome", "Received", "Time"])
        XCTAssertEqual(names("region").filter { $0.hasPrefix("Most") }, ["Most failures", "Most photos"])
        XCTAssertEqual(names("rowheader").filter { $0.contains("Rainbow") }.count, 1)
        XCTAssertEqual(names("navigation"), ["Pages of the list"])
        XCTAssertEqual(names("main").count + names("banner").count + names("contentinfo").count, 3)
        for role in ["link", "button", "table", "image", "heading"] {
            XCTAssertFalse(names(role).contains { $0.isEmpty }, role)
        }
        try XCTAssertEqual(browser.evaluate("document.activeElement.tagName") as? String, "BODY")
    }

    func testPicturesShowAndNothingIsWiderThanAPhone() throws {
        let pair = try ReportImagesTests.pair()
        let page = PageSamples.page(of: (0..<2_000).map(PageSamples.row)) { $0 < 40 ? pair : nil }
        let browser = try open(page)
        try browser.wait(
            until: "document.querySelector('.gallery').querySelectorAll('img').length === 24 "
                + "&& [...document.querySelectorAll('.gallery img')].every(i => i.complete && i.naturalWidth === 192)")
        try browser.evaluate("document.querySelector('.more').click()")
        let shown = "document.querySelectorAll('.gallery li').length"
        XCTAssertGreaterThan(try browser.evaluate(shown) as? Int ?? 0, 24)
        for width in [1_280, 700, 320] {
            try browser.resize(width: width, height: 800, isDark: width == 700)
            XCTAssertEqual(try browser.evaluate("document.documentElement.scrollWidth") as? Int, width)
        }
        XCTAssertEqual(browser.problems, [])
    }

    /// Names and addresses that are markup, scripts and links stay text.
    func testNothingOfAStrangerRuns() throws {
        let rows = PageTextTests.rows(PageTextTests.attacks)
        var run = PageSamples.run(PageSamples.totals(of: rows))
        run.name = PageTextTests.attacks.joined(separator: " ")
        run.recipe = PageTextTests.attacks.map { HTMLReport.Setting(name: $0, value: $0) }
        let browser = try open(PageSamples.page(of: rows, run: run))
        XCTAssertEqual(try browser.evaluate("typeof window.hacked") as? String, "undefined")
        let strange =
            "document.querySelectorAll('iframe, object, embed, body script:not(#config):not(:last-child), body svg "
            + ":not(rect), [style], [onerror], [onload], [onfocus], [onmouseover], body img').length"
        XCTAssertEqual(try browser.evaluate(strange) as? Int, 0)
        let all = "[...document.querySelectorAll('a')].map(link => link.href)"
        let links = try XCTUnwrap(browser.evaluate(all) as? [String])
        XCTAssertTrue(links.allSatisfy { $0.hasPrefix("file://") || $0.hasPrefix("https://") }, "\(links)")
        let passwords = "[...document.querySelectorAll('a')].filter(link => link.username || link.password).length"
        XCTAssertEqual(try browser.evaluate(passwords) as? Int, 0, "An address with a password is no link.")
        // Text is shown as it is, but for the codes of what nobody would see.
        let shown = try names(in: browser)
        XCTAssertEqual(shown.count, rows.count)
        XCTAssertTrue(shown.contains("</script><script>window.hacked = 1</script>"))
        XCTAssertTrue(shown.contains("aU+0000bU+0001U+007FU+0085U+000DU+000AU+0009"))
        XCTAssertTrue(shown.contains(#"\ud800 \udc00 \u003c/script\u003e \\"#))
        let text = try XCTUnwrap(browser.evaluate("document.body.innerText") as? String)
        XCTAssertFalse(text.unicodeScalars.contains { PageText.isHidden($0) && !"\n\t".unicodeScalars.contains($0) })
        // What is in the address is a stranger's text, too.
        let again = try open(
            PageSamples.page(of: rows), fragment: "#q=%3Cimg+src=x+onerror=hacked()%3E&host=%22%3E%3Cscript%3E")
        XCTAssertEqual(try again.evaluate("document.querySelectorAll('body img').length") as? Int, 0)
        XCTAssertEqual(try again.evaluate("document.getElementById('host').value") as? String, "\"><script>")
        // And where a way to markup were left, the policy would stand in it.
        let forbidden = """
            (() => { try { document.body.innerHTML = '<b>'; return 'allowed' } catch (error) { return error.name } })()
            """
        XCTAssertEqual(try again.evaluate(forbidden) as? String, "TypeError")
    }
}
