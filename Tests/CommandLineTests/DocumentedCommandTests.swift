import Foundation
import XCTest

/// What README and the pages in docs say of commands and options, the program's own help says, too.
final class DocumentedCommandTests: XCTestCase {
    private static let commands = [
        "develop", "report", "plan", "status", "merge", "verify", "filter", "catalog check", "catalog convert",
        "completion",
    ]

    func testCommandLinesOfThePagesUseOptionsThatThereAre() throws {
        let help = try Self.help()
        var count = 0
        for page in try Self.pages() {
            // A line that ends in a backslash goes on.
            let text = try String(contentsOf: page, encoding: .utf8).replacing(/\\\n */, with: "")
            for line in text.split(separator: "\n") where line.hasPrefix("    ") {
                for call in line.components(separatedBy: "classicphotos ").dropFirst() {
                    let line = "\(page.lastPathComponent): \(line)"
                    let part = call.replacing(/"[^"]*"/, with: "").prefix { !"|>;&)".contains($0) }
                    guard let command = Self.commands.first(where: { part.hasPrefix($0) }) else {
                        XCTAssert(part.hasPrefix("help"), line)
                        continue
                    }
                    count += 1
                    for option in Self.options(in: part.dropFirst(command.count)) {
                        XCTAssert(help[command]?.contains(option) == true, "\(line): \(command) has no \(option)")
                    }
                }
            }
        }
        XCTAssertGreaterThan(count, 20)
    }

    func testOptionsThatThePageOfTheCommandLineNamesAreThere() throws {
        let all = try Self.help().values.reduce(into: Set<String>()) { $0.formUnion($1) }
        let page = try String(contentsOf: Self.root.appending(path: "docs/command-line.md"), encoding: .utf8)
        let spans = page.matches(of: /`([^`\n]+)`/).map(\.1).filter { $0.hasPrefix("-") && $0.count > 1 }
        XCTAssertGreaterThan(spans.count, 15)
        for span in spans {
            for option in Self.options(in: span) { XCTAssert(all.contains(option), "no command has \(option)") }
        }
    }

    /// What is wrong with a command line is seen before any file is looked for: these have none.
    func testExamplesOfTheHelpAreCommandLinesThatAreTaken() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "examples-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var count = 0
        for command in Self.commands {
            let help = try ProgramRun(["help"] + command.split(separator: " ").map(String.init))
            XCTAssertEqual(help.wait(), 0, command)
            let lines = help.output.split(separator: "\n").drop { $0 != "Examples:" }.dropFirst()
            for line in lines.prefix(while: { $0.hasPrefix("  ") }) {
                let call = try XCTUnwrap(line.firstRange(of: "classicphotos "), "\(line)")
                // Nothing beyond this machine is asked.
                let words = Self.words(
                    of: line[call.upperBound...].replacing("https://example.org", with: "http://127.0.0.1:9"))
                let run = try ProgramRun(words, in: folder)
                run.wait()
                XCTAssertFalse(run.error.contains("Try: classicphotos "), "\(line): \(run.error)")
                count += 1
            }
        }
        XCTAssertGreaterThan(count, 15)
    }

    // MARK: Helpers

    /// The words of a command, as a shell takes them, up to where another one begins.
    private static func words(of text: some StringProtocol) -> [String] {
        var (words, isQuoted) = ([""], false)
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case " " where !isQuoted: words.append("")
            default: words[words.count - 1].append(character)
            }
        }
        return Array(words.prefix { !["|", "&&", ">"].contains($0) })
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    private static func pages() throws -> [URL] {
        let docs = try FileManager.default.contentsOfDirectory(
            at: root.appending(path: "docs"), includingPropertiesForKeys: nil)
        return [root.appending(path: "README.md")] + docs.filter { $0.pathExtension == "md" }
    }

    /// The options that each command has.
    private static func help() throws -> [String: Set<String>] {
        var help: [String: Set<String>] = [:]
        for command in commands {
            let run = try ProgramRun(["help"] + command.split(separator: " ").map(String.init))
            XCTAssertEqual(run.wait(), 0, command)
            let rows = run.output.split(separator: "\n").filter { $0.hasPrefix("  -") }
            help[command] = Set(rows.flatMap { options(in: $0) })
        }
        return help
    }

    /// The words of a text that begin as options do, without their values.
    private static func options(in text: Substring) -> [String] {
        text.matches(of: /(?:^|[\s])(--?[a-z][a-z-]*)/).map { String($0.1) }
    }
}
