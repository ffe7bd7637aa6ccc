import CAtspi
import Foundation
import ImageCodecs
import XCTest

/// Every text of the app is there in every language, and desktops understand what is said about the app.
final class TranslationTests: GtkTestCase {
    private static let root = Translations.root

    func testEveryTextIsTranslated() throws {
        let reasons = try Self.catalogReasons()
        XCTAssertGreaterThan(reasons.count, 40)
        let sentences = try Self.filterSentences()
        XCTAssertGreaterThan(sentences.count, 25)
        let texts = try Self.texts().union(reasons).union(sentences)
        XCTAssertGreaterThan(texts.count, 150)
        for language in try Self.languages() {
            let translations = try Translations.read(language)
            for text in texts.sorted() {
                guard let translated = translations[text], !translated.isEmpty else {
                    XCTFail("“\(text)” is not translated in po/\(language).po")
                    continue
                }
                XCTAssertEqual(Self.places(in: translated), Self.places(in: text), "“\(text)” in po/\(language).po")
            }
            let left = Set(translations.keys).subtracting(texts).subtracting([""])
            XCTAssertEqual(left, [], "po/\(language).po translates what the app does not say")
        }
    }

    /// Somebody who reads that a photo is damaged looks for another file, and one that failed may come the next time.
    func testVietnameseTellsWhatFailedFromWhatIsDamaged() throws {
        for file in ["vi", "command-line/vi"] {
            for (text, translated) in try Translations.read(file) where text.lowercased().contains("fail") {
                let words = translated.lowercased().split { !$0.isLetter }
                XCTAssertFalse(words.contains("hỏng") || words.contains("hư"), "“\(translated)” in po/\(file).po")
            }
        }
    }

    /// A number before the word alone is an amount.
    func testKoreanCountsThePlacesOfBytes() throws {
        for (file, text) in [("ko", "byte {number}"), ("command-line/ko", "byte {1}")] {
            let translated = try XCTUnwrap(Translations.read(file)[text])
            XCTAssertTrue(translated.hasSuffix("}번째 바이트"), "“\(translated)” in po/\(file).po")
        }
    }

    func testTheAppSpeaksKorean() throws {
        try MainActor.assumeIsolated {
            let reader = try Reader(program: "classicphotos-app")
            let app = try AppRun([], isReadable: true, language: "ko")
            let person = Person(reader: reader, app: app)
            try person.wait("the sample's button in Korean") { person.sees("예제 보기(S)") }
            try Screen.focus("Classic Photos")
            try Screen.key("ctrl+q")
            Self.wait("end of the program", seconds: 60) { !app.isRunning }
            XCTAssertEqual(app.output, "")
        }
    }

    func testDesktopsUnderstandTheApp() throws {
        let data = Self.root.appending(path: "data")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "desktop-file-validate", data.appending(path: "org.classicphotos.ClassicPhotos.desktop").path,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if process.terminationStatus == 127 { throw XCTSkip("desktop-file-validate is not installed") }
        XCTAssertEqual(process.terminationStatus, 0, text)
    }

    func testDesktopsOfferTheAppForEveryPictureThatItReads() throws {
        let data = Self.root.appending(path: "data")
        let name = "org.classicphotos.ClassicPhotos"
        let entry = try String(contentsOf: data.appending(path: name + ".desktop"), encoding: .utf8)
        let line = try XCTUnwrap(entry.split(separator: "\n").first { $0.hasPrefix("MimeType=") })
        let types = Set(line.dropFirst("MimeType=".count).split(separator: ";").map(String.init))
        let images = Set(ImageFormat.allCases.flatMap(\.mediaTypes))
        XCTAssertEqual(types.filter { $0.hasPrefix("image/") }, images, "GIO knows no image/*")
        XCTAssertTrue(types.isSuperset(of: ["inode/directory", "text/csv", "application/json"]))
        XCTAssertTrue(entry.contains("Exec=classicphotos-app %U\n"), "several files at once, also from other places")
        let component = try String(contentsOf: data.appending(path: name + ".metainfo.xml.in"), encoding: .utf8)
        let provided = component.matches(of: /<mediatype>(.*)<\/mediatype>/).map { String($0.1) }
        XCTAssertEqual(Set(provided), types)
    }

    // MARK: Helpers

    /// What the app gives to gettext; of two forms the first one.
    private static func texts() throws -> Set<String> {
        let sources = root.appending(path: "Sources/PhotoApp")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var texts: Set<String> = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let source = try String(contentsOf: file, encoding: .utf8)
            // A search of the whole file by such an expression takes half a minute.
            let parts = source.components(separatedBy: "tr(")
            for (before, part) in zip(parts, parts.dropFirst()) {
                if let last = before.last, last.isLetter || last.isNumber || last == "_" { continue }
                guard let match = part.prefixMatch(of: /\s*"((?:[^"\\]|\\.)*)"/) else { continue }
                texts.insert(String(match.1))
            }
        }
        return texts
    }

    /// Why the library reads no catalog of a file: what is given as a reason anywhere in its sources.
    private static func catalogReasons() throws -> Set<String> {
        let sources = root.appending(path: "Sources/Catalogs")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var reasons: Set<String> = []
        while let file = files?.nextObject() as? URL {
            // What is wrong with one address is that row's detail, not a catalog's reason.
            guard file.pathExtension == "swift", !file.path.contains("/Addresses/") else { continue }
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                // What a file is instead stands behind its first bytes.
                guard let start = line.firstMatch(of: /reason: |damage\(|^ +\(.*, (?="it is )/) else { continue }
                for literal in line[start.range.upperBound...].matches(of: /"((?:[^"\\]|\\.)*)"/) {
                    reasons.insert(String(literal.1).replacing(/\\\(.*\)/, with: "{name}"))
                }
            }
        }
        return reasons
    }

    /// What the library says is wrong with filters.
    private static func filterSentences() throws -> Set<String> {
        let file = root.appending(path: "Sources/Pixels/Filters/FilterSyntaxError.swift")
        let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.contains("///") }
        return Set(code.compactMap { $0.firstMatch(of: /"(.*\.)"$/).map { String($0.1) } })
    }

    private static func languages() throws -> [String] {
        try String(contentsOf: root.appending(path: "po/LINGUAS"), encoding: .utf8)
            .split(whereSeparator: \.isNewline).map(String.init)
    }

    /// The places for values, in any order.
    private static func places(in text: String) -> [String] {
        text.matches(of: /\{[a-z]+\}/).map { String($0.0) }.sorted()
    }
}
