import Foundation
import PhotoDevelopment
import PhotoPipeline
import Wording
import XCTest

@testable import classicphotos

/// Every sentence of the command line is there in every language.
final class MessageTests: XCTestCase {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A text as translators have it, with that of several things where it is about a number.
    private struct Entry {
        var text = ""
        var plural: String?
        var translation = ""
    }

    func testEveryMessageIsTranslated() throws {
        let literals = try Self.literals().flatMap(\.literals)
        let marked = literals.filter { $0.isMarked && $0.key.contains { $0.isLetter } }.map(\.key)
        XCTAssertGreaterThan(marked.count, 200)
        let helps = Program.commands.flatMap { [$0.summary] + $0.parser.texts } + Program.options.map(\.help)
        XCTAssertGreaterThan(helps.count, 150)
        let sentences = try Self.librarySentences()
        XCTAssertGreaterThan(sentences.count, 13)
        let texts = Set(marked + helps + sentences)
        for language in try Self.languages() {
            let own = try Self.entries("po/command-line/\(language).po")
            let known = Dictionary(
                try (Self.entries("po/\(language).po") + own).flatMap { entry in
                    [entry.text, entry.plural].compactMap { $0 }.map { ($0, entry) }
                }, uniquingKeysWith: { $1 })
            for text in texts.sorted() {
                guard let entry = known[text], !entry.translation.isEmpty else {
                    XCTFail("“\(text)” is not translated in po/command-line/\(language).po")
                    continue
                }
                XCTAssertEqual(
                    Self.places(in: entry.translation), Self.places(in: entry.plural ?? entry.text),
                    "“\(text)” in po/command-line/\(language).po")
            }
            let left = Set(own.map(\.text)).subtracting(texts).subtracting([""])
            XCTAssertEqual(left, [], "po/command-line/\(language).po translates what the command line does not say")
        }
    }

    func testTranslationsUseTheTerms() throws {
        for language in try Self.languages() {
            let list = try String(contentsOf: Self.root.appending(path: "docs/terms/\(language).tsv"), encoding: .utf8)
            // English, what stands for it, and with commas what does not.
            let unwanted = list.split(separator: "\n").flatMap { line in
                line.split(separator: "\t").dropFirst(2).flatMap { $0.split(separator: ",") }
            }
            XCTAssertGreaterThan(unwanted.count, 5)
            for entry in try Self.entries("po/command-line/\(language).po") {
                for word in unwanted where entry.translation.contains(word) {
                    XCTFail("“\(word)” is not a word of docs/terms/\(language).tsv: \(entry.translation)")
                }
            }
        }
    }

    /// What looks like a sentence and is not marked is for programs, or typed as it stands.
    func testEverySentenceIsMarked() throws {
        // They take English, and look for its translation where people read it.
        let declarations: Set = [
            "Command", "OptionTable.Option", "OptionParser", "parser.value", "parser.values", "parser.optionalValue",
            "parser.flag", "flag", "ResizeOptions.add",
        ]
        let known = PhotoError.sentences + PhotoError.damages
        for (file, literals) in try Self.literals() where !file.contains("Completions.swift") {
            for literal in literals where !literal.isMarked && !declarations.contains(literal.call) {
                if literal.key.contains("{name}") || known.contains(literal.key) { continue }
                if literal.call.hasSuffix("hasPrefix") { continue }
                // The names of commands of two words.
                if ["catalog check", "catalog convert"].contains(literal.key) { continue }
                if literal.key.contains("| classicphotos develop - --output DIR") { continue }
                let words = literal.key.replacing(/\{[0-9]+\}/, with: "")
                XCTAssertNil(
                    words.firstMatch(of: /[A-Za-z]{2,}[,;:]? [a-z]{2,}/),
                    "\(file):\(literal.line): “\(literal.key)” is not given to tr()")
            }
        }
    }

    func testTheScannerSeesWhatIsWritten() {
        let source = #"""
            let a = tr("one \(b ? "two three" : tr("four \(c)")) five " + "six \(d)")
            Console.error("seven eight")
            func e() -> Message { switch f { case g: "nine ten" } }
            throw UsageError(h ? "it's \"so\"" : "not so")
            """#
        let literals = MessageScanner(source).literals
        let marked = literals.filter(\.isMarked).map(\.key)
        XCTAssertEqual(
            Set(marked), ["one {1} five six {2}", "four {1}", "nine ten", "it's \"so\"", "not so"])
        XCTAssertEqual(Set(literals.filter { !$0.isMarked }.map(\.key)), ["two three", "seven eight"])
    }

    func testAMessageHasPlacesForItsValues() {
        let inner: Message = "the disk is full"
        let message: Message = "\(2) of \("{1}") are " + "left: \(inner)"
        XCTAssertEqual(message.key, "{1} of {2} are left: {3}")
        XCTAssertEqual(message.english, "2 of {1} are left: the disk is full", "what a value says is no place")
        XCTAssertEqual(Message(text: "{1} %").english, "{1} %")
        let reason = Message(text: "“</{name}>” is missing", name: "{name}")
        XCTAssertEqual(reason.key, "“</{name}>” is missing")
        XCTAssertEqual(reason.english, "“</{name}>” is missing", "what is named is no place")
        let templates = ["{name} is a folder.", "There is no file {name}."]
        let detail = Message(text: "There is no file a.jpg.", templates: templates)
        XCTAssertEqual(detail.key, "There is no file {name}.")
        XCTAssertEqual(detail.english, "There is no file a.jpg.")
        XCTAssertEqual(Message(text: "It is odd.", templates: templates).english, "It is odd.")
    }

    func testCountsStandInASentenceEachInItsForm() {
        func photos(_ count: Int) -> CountedMessage { CountedMessage(count, "1 photo", "\(count) photos") }
        let message: Message = "\(photos(1)) and \(photos(2))" + ", \(photos(0))"
        XCTAssertEqual(message.key, "{1} and {2}, {3}")
        XCTAssertEqual(message.english, "1 photo and 2 photos, 0 photos")
        XCTAssertEqual(message.translated, message.english, "without translations")
    }

    // MARK: Helpers

    private static func literals() throws -> [(file: String, literals: [MessageScanner.Literal])] {
        let sources = root.appending(path: "Sources/classicphotos")
        let found = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var files = ["DevelopmentError.swift", "Plan/PlanCounts.swift"].map {
            root.appending(path: "Sources/PhotoDevelopment/" + $0)
        }
        while let file = found?.nextObject() as? URL { if file.pathExtension == "swift" { files.append(file) } }
        return try files.map {
            ($0.lastPathComponent, MessageScanner(try String(contentsOf: $0, encoding: .utf8)).literals)
        }
    }

    /// What libraries give as a reason, where it has no values or only a name.
    private static func librarySentences() throws -> [String] {
        var sentences = PhotoError.sentences + PhotoError.damages + DevelopmentError.namedReasons
        func add(_ file: URL, _ expression: some RegexComponent<(Substring, Substring)>) throws {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                for match in line.matches(of: expression) {
                    sentences.append(String(match.1).replacing("\\(name)", with: "{name}"))
                }
            }
        }
        let sources = root.appending(path: "Sources")
        let found = FileManager.default.enumerator(
            at: sources.appending(path: "PhotoDevelopment"), includingPropertiesForKeys: nil)
        while let file = found?.nextObject() as? URL {
            if file.pathExtension == "swift" { try add(file, /reason: "([^"\\]+)"/) }
            if file.lastPathComponent == "FileError.swift" { try add(file, /case E[A-Z]+: "([^"\\]+)"/) }
        }
        for name in ["Curl/TransferProxy.swift", "TransferClient+Checks.swift"] {
            let file = sources.appending(path: "Transfers/" + name)
            try add(file, /^ +case \.\w+(?:\(let name\))?: "([^"]*\.)"$/)
        }
        return sentences
    }

    private static func languages() throws -> [String] {
        try String(contentsOf: root.appending(path: "po/LINGUAS"), encoding: .utf8).split(whereSeparator: \.isNewline)
            .map(String.init)
    }

    private static func entries(_ path: String) throws -> [Entry] {
        let file = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        return file.components(separatedBy: "\n\n").map { block in
            var entry = Entry()
            var field = ""
            for line in block.split(separator: "\n") {
                guard let match = line.wholeMatch(of: /(\w+(?:\[0\])? )?"(.*)"/) else { continue }
                if let name = match.1 { field = String(name.dropLast()) }
                switch field {
                case "msgid": entry.text += unescaped(match.2)
                case "msgid_plural": entry.plural = (entry.plural ?? "") + unescaped(match.2)
                default: entry.translation += unescaped(match.2)
                }
            }
            return entry
        }
    }

    private static func unescaped(_ text: Substring) -> String {
        String(text.replacing(/\\(.)/) { $0.1 == "n" ? "\n" : String($0.1) })
    }

    /// The places for values, in any order.
    private static func places(in text: String) -> [String] {
        text.matches(of: /\{[a-z0-9]+\}/).map { String($0.0) }.sorted()
    }
}
