import Foundation
import XCTest

/// What the shells are told of the program.
final class CompletionTests: XCTestCase {
    /// What bash offers for the last of the words.
    private func completions(of words: String...) throws -> Set<String> {
        let run = try ProgramRun(["completion", "bash"])
        XCTAssertEqual(run.wait(), 0, run.error)
        let file = FileManager.default.temporaryDirectory.appending(path: "completions-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(run.output.utf8).write(to: file)
        let (bash, output) = (Process(), Pipe())
        bash.executableURL = URL(filePath: "/bin/bash")
        let line = #"""
            source "$1"; shift
            COMP_WORDS=(classicphotos "$@"); COMP_CWORD=$#
            _classicphotos; printf '%s\n' "${COMPREPLY[@]}"
            """#
        bash.arguments = ["--norc", "-c", line, "bash", file.path] + words
        bash.standardOutput = output
        try bash.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        bash.waitUntilExit()
        return Set(text.split(separator: "\n").map(String.init))
    }

    func testBashCompletesCommandsOptionsAndValues() throws {
        XCTAssertEqual(try completions(of: "de"), ["develop"])
        XCTAssertEqual(try completions(of: "h"), ["help"])
        XCTAssertEqual(try completions(of: "help", "de"), ["develop"])
        XCTAssertEqual(try completions(of: "--"), ["--help", "--version", "--list-looks"])
        XCTAssertEqual(try completions(of: "develop", "a.csv", "--dr"), ["--dry-run"])
        XCTAssertEqual(try completions(of: "catalog", "c"), ["check", "convert"])
        XCTAssertEqual(try completions(of: "catalog", "convert", "--format", "c"), ["csv"])
        XCTAssertEqual(try completions(of: "filter", "--format", "w"), ["webp"])
        XCTAssertEqual(try completions(of: "develop", "photos.csv", "--f"), ["--filter", "--format", "--fresh"])
        XCTAssertEqual(
            try completions(of: "catalog", "check", "--"),
            ["--help", "--recursive", "--url-column", "--name-column", "--allow-private"])
        XCTAssertEqual(try completions(of: "develop", "--format", ""), ["jpeg", "png", "webp", "avif"])
        XCTAssertEqual(try completions(of: "filter", "-l", "x"), ["xpro2"])
        XCTAssertEqual(try completions(of: "develop", "--resize", "f"), ["fit", "fill"])
        XCTAssertEqual(try completions(of: "filter", "--gravity", ""), ["centre", "attention"])
        XCTAssertEqual(try completions(of: "develop", "--size", "1"), [])
        XCTAssertEqual(try completions(of: "completion", "z"), ["zsh"])
        XCTAssertEqual(try completions(of: "report", "pictures", "--format", ""), ["csv", "json", "html"])
        XCTAssertEqual(try completions(of: "develop", "--names", ""), ["plain", "unique"])
        // Bash takes this for three words.
        XCTAssertEqual(try completions(of: "develop", "--format", "="), ["jpeg", "png", "webp", "avif"])
        XCTAssertEqual(try completions(of: "develop", "--look", "=", "mo"), ["moon"])
        XCTAssertEqual(try completions(of: "develop", "--layout", "w"), ["webdataset"])
        XCTAssertEqual(try completions(of: "develop", "--dedupe", ""), ["address", "content"])
        // Its value is attached, and the next word is another one.
        XCTAssertEqual(try completions(of: "develop", "--only-failed", "--fr"), ["--fresh"])
        XCTAssertEqual(try completions(of: "develop", "--pro"), ["--progressive", "--proxy", "--progress"])
        XCTAssertEqual(try completions(of: "develop", "--he"), ["--help", "--header"])
    }

    func testFilesAndFoldersAreCompletedWithSpacesInTheirNames() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "completion \(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "my pictures"), withIntermediateDirectories: true)
        try Data().write(to: folder.appending(path: "my catalog.csv"))
        let start = folder.path + "/my"
        XCTAssertEqual(try completions(of: "develop", start), [start + " pictures", start + " catalog.csv"])
        XCTAssertEqual(try completions(of: "develop", "-o", start), [start + " pictures"])
    }

    func testTheOtherShellsReadTheirScripts() throws {
        for (shell, arguments) in [("zsh", ["-n"]), ("fish", ["--no-execute"])] {
            let path = "/usr/bin/\(shell)"
            guard FileManager.default.isExecutableFile(atPath: path) else { continue }
            let run = try ProgramRun(["completion", shell])
            XCTAssertEqual(run.wait(), 0, run.error)
            let file = FileManager.default.temporaryDirectory.appending(path: "completions-\(UUID())")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data(run.output.utf8).write(to: file)
            let process = Process()
            process.executableURL = URL(filePath: path)
            process.arguments = arguments + [file.path]
            try process.run()
            process.waitUntilExit()
            XCTAssertEqual(process.terminationStatus, 0, shell)
        }
    }

    func testEveryShellKnowsEveryOption() throws {
        let help = try ProgramRun(["develop", "--help"])
        XCTAssertEqual(help.wait(), 0)
        let options = help.output.matches(of: /--([a-z-]+)(=| )/).map { String($0.output.1) }
        XCTAssertGreaterThan(options.count, 15)
        for shell in ["bash", "zsh", "fish"] {
            let run = try ProgramRun(["completion", shell])
            XCTAssertEqual(run.wait(), 0, run.error)
            for option in options {
                let name = shell == "fish" ? "-l \(option) " : "--\(option)"
                XCTAssert(run.output.contains(name), "\(shell) \(option)")
            }
        }
    }
}
