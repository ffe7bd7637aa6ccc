import CAtspi
import Foundation
import XCTest

/// Every text of the app is there in every language, and desktops understand what is said about the app.
final class TranslationTests: GtkTestCase {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    func testEveryTextIsTranslated() throws {
        let texts = try Self.texts()
        XCTAssertGreaterThan(texts.count, 100)
        for language in try Self.languages() {
            let translations = try Self.translations(language)
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
        let name = data.appending(path: "org.classicphotos.ClassicPhotos").path
        for command in [
            ["appstreamcli", "validate", "--no-net", name + ".metainfo.xml"],
            ["desktop-file-validate", name + ".desktop"],
        ] {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = command
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            if process.terminationStatus == 127 { throw XCTSkip("\(command[0]) is not installed") }
            XCTAssertEqual(process.terminationStatus, 0, text)
        }
    }

    // MARK: Helpers

    /// What the app gives to gettext; of two forms the first one.
    private static func texts() throws -> Set<String> {
        let sources = root.appending(path: "Sources/classicphotos-app")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var texts: Set<String> = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: /\btr\(\s*"((?:[^"\\]|\\.)*)"/) { texts.insert(String(match.1)) }
        }
        return texts
    }

    private static func languages() throws -> [String] {
        try String(contentsOf: root.appending(path: "po/LINGUAS"), encoding: .utf8)
            .split(whereSeparator: \.isNewline).map(String.init)
    }

    private static func translations(_ language: String) throws -> [String: String] {
        let file = try String(contentsOf: root.appending(path: "po/\(language).po"), encoding: .utf8)
        var translations: [String: String] = [:]
        var text: String?
        for line in file.split(separator: "\n") {
            if let match = line.firstMatch(of: /^msgid "(.*)"$/) {
                text = String(match.1)
            } else if let match = line.firstMatch(of: /^msgstr(?:\[0\])? "(.*)"$/), let text {
                translations[text] = String(match.1)
            }
        }
        return translations
    }

    /// The places for values, in any order.
    private static func places(in text: String) -> [String] {
        text.matches(of: /\{[a-z]+\}/).map { String($0.0) }.sorted()
    }
}
