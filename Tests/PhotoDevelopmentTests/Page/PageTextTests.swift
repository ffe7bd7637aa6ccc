import Catalogs
import Foundation
import PhotoPipeline
import Testing

@testable import PhotoDevelopment

/// Text of strangers on a page.
@Suite struct PageTextTests {
    /// What somebody might try, as a name, an address, a detail or an option's value.
    static let attacks = [
        "</script><script>window.hacked = 1</script>", "<!--<script>", "]]><img src=x onerror='window.hacked = 1'>",
        "\" onmouseover=\"window.hacked = 1\" x=\"", "' autofocus onfocus='window.hacked = 1",
        "</title></style></head><body>",
        "\u{2028}window.hacked = 1\u{2029}", "a\0b\u{1}\u{7F}\u{85}\r\n\t", #"\ud800 \udc00 \u003c/script\u003e \\"#,
        String(decoding: [0xED, 0xA0, 0x80, 0x3C, 0xED, 0xB0, 0x80, 0xFF], as: UTF8.self), "javascript:window.hacked=1",
        "\u{202E}gpj.exe\u{202C} \u{2066}x\u{2069} \u{200F}\u{200B}\u{FEFF}", "&lt;b&gt; &amp;quot; &#60;",
        "data:text/html,<script>window.hacked=1</script>", "https://user:secret@example.org/\"><svg onload=hacked()>",
        "https://example.org/</a><iframe srcdoc='<script>hacked()</script>'>", "${hacked()}`'\"", "🏴‍☠️ ünï 한국어",
        "__proto__", "constructor", String(decoding: [0xEF, 0xBF, 0xBE, 0xF4, 0x8F, 0xBF, 0xBF], as: UTF8.self),
    ]

    /// Each attack in each place of a page.
    static func rows(_ texts: [String]) -> [ReportRow] {
        texts.flatMap { text in
            [
                ReportRow(name: text, address: text, outcome: .filtered(files: [text]), bytes: 1, milliseconds: 1),
                ReportRow(name: text, address: text, outcome: .failed(PhotoError(.http, text))),
                ReportRow(name: text, address: "https://" + text, outcome: .failed(PhotoError(.timeout, text))),
                ReportRow(name: text, address: text, outcome: .cancelled),
            ]
        }
    }

    private func page(_ texts: [String]) -> String {
        let rows = Self.rows(texts)
        var run = PageSamples.run(PageSamples.totals(of: rows))
        run.name = texts.joined(separator: " ")
        run.recipe = texts.map { HTMLReport.Setting(name: $0, value: $0) }
        run.results = texts[0]
        run.wholeReport = texts.joined(separator: " ")
        return PageSamples.page(of: rows, run: run)
    }

    @Test("No text makes an element, ends one, or reaches the page with a character that nobody sees")
    func structure() {
        let page = page(Self.attacks)
        let harmless = self.page(Self.attacks.indices.map { "harm/less\($0)" })
        // Elements apart from those that show a character's code, the bars of hosts, and the lists' own lines.
        func tags(_ page: String) -> [Substring: Int] {
            let shown = page.replacing(/<span class="code">U\+[0-9A-F]{4}<\/span>/, with: "")
            let names = shown.split(separator: "<", omittingEmptySubsequences: false).dropFirst().map { tag in
                tag.prefix { !" >\n".contains($0) }
            }
            return Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        }
        let ofHosts: Set<Substring> = [
            "tr", "/tr", "th", "/th", "td", "/td", "a", "/a", "svg", "/svg", "rect", "bdi", "/bdi", "option", "/option",
        ]
        let (attacked, usual) = (tags(page), tags(harmless))
        #expect(Set(attacked.keys) == Set(usual.keys))
        for (name, count) in usual where !ofHosts.contains(name) { #expect(attacked[name] == count, "\(name)") }
        let hidden = page.unicodeScalars.filter { PageText.isHidden($0) && $0 != "\n" }
        #expect(hidden.isEmpty)
    }

    @Test("What the script reads is what was written")
    func roundTrip() throws {
        let found = try PageSamples.rows(in: page(Self.attacks))
        let expected = Self.rows(Self.attacks)
        #expect(found.count == expected.count)
        for (row, expected) in zip(found, expected) {
            #expect((row[1] as? String)?.unicodeScalars.elementsEqual(expected.name.unicodeScalars) == true)
            #expect((row[2] as? String)?.unicodeScalars.elementsEqual(expected.address.unicodeScalars) == true)
        }
    }

    @Test("Hidden characters are shown as their codes")
    func codes() {
        #expect(
            PageText.isolated("a\u{202E}<b\0")
                == "<bdi>a<span class=\"code\">U+202E</span>&lt;b<span class=\"code\">U+0000</span></bdi>")
        #expect(PageText.isolated("👩‍🚀 한 é") == "<bdi>👩‍🚀 한 é</bdi>")
        #expect(PageText.html("\"'&<>\u{7F}") == "&quot;&#39;&amp;&lt;&gt;\u{FFFD}")
    }

    @Test(
        "Long texts are cut between characters", arguments: [("abc", 3, "abc"), ("abcd", 3, "abc…"), ("a한국", 3, "a…")])
    func cut(text: String, longest: Int, result: String) {
        #expect(text.shortened(toBytes: longest) == result)
    }

    @Test("A row cannot fill the page")
    func longRow() {
        let long = String(repeating: "x", count: 1_000_000)
        let row = ReportRow(name: long, address: "https://" + long, outcome: .failed(PhotoError(.http, long)))
        #expect(PageSamples.page(of: [row]).utf8.count < 100_000)
    }
}
