import Foundation
import PhotoPipeline
import XCTest

/// What the program says to people, and how it takes wrong usage.
final class UsageTests: XCTestCase {
    func testHelpIsOnStandardOutput() throws {
        for arguments in [["--help"], ["-h"], ["develop", "--help"], ["develop", "-h"], ["completion", "--help"]] {
            let run = try ProgramRun(arguments)
            XCTAssertEqual(run.wait(), 0)
            XCTAssert(run.output.contains("Usage:"), run.output)
            XCTAssertEqual(run.error, "")
        }
        let run = try ProgramRun(["develop", "--help"])
        run.wait()
        for option in [
            "--output", "--filter", "--look", "--intensity", "--size", "--format", "--quality", "--background",
            "--jobs", "--timeout",
            "--max-bytes", "--max-pixels", "--max-frames", "--report", "--contact-sheet", "--trace", "--skip-existing",
            "--quiet", "--verbose", "--dry-run",
        ] { XCTAssert(run.output.contains(option), option) }
    }

    func testTheVersion() throws {
        let run = try ProgramRun(["--version"])
        XCTAssertEqual(run.wait(), 0)
        XCTAssertEqual(run.output, "classicphotos \(PhotoPipeline.version)\n")
    }

    func testWrongUsageEndsWith2AndSaysWhatIsWrong() throws {
        let cases: [([String], String)] = [
            ([], "Usage:"),
            (["devlop"], "devlop"),
            (["--verbose"], "--verbose"),
            (["completion"], "bash"),
            (["completion", "csh"], "csh"),
            (["develop"], "which catalog"),
            (["develop", "a.csv"], "--output"),
            (["develop", "a.csv", "b.csv", "-o", "x"], "b.csv"),
            (["develop", "a.csv", "-o", "x", "--unknown"], "--unknown"),
            (["develop", "a.csv", "-o"], "-o"),
            (["develop", "a.csv", "-o", "x", "--size", "0"], "--size"),
            (["develop", "a.csv", "-o", "x", "--size", "1.5"], "--size"),
            (["develop", "a.csv", "-o", "x", "--size", "99999999999999999999"], "--size"),
            (["develop", "a.csv", "-o", "x", "--quality", "101"], "--quality"),
            (["develop", "a.csv", "-o", "x", "--jobs", "-1"], "--jobs"),
            (["develop", "a.csv", "-o", "x", "--timeout", "nan"], "--timeout"),
            (["develop", "a.csv", "-o", "x", "--timeout", "soon"], "--timeout"),
            (["develop", "a.csv", "-o", "x", "--max-bytes", "9999999999GB"], "--max-bytes"),
            (["develop", "a.csv", "-o", "x", "--max-bytes", "MB"], "--max-bytes"),
            (["develop", "a.csv", "-o", "x", "--trace", ""], "--trace"),
            (["develop", "a.csv", "-o", "-"], "./-"),
            (["develop", "a.csv", "-o", "x", "--report", "-"], "--report"),
            (["develop", "a.csv", "-o", "x", "--metrics=-"], "--metrics"),
            (["develop", "a.csv", "-o", "x", "--format", "bmp"], "webp"),
            (["develop", "a.csv", "-o", "x", "--background", "#12"], "--background"),
            (["develop", "a.csv", "-o", "x", "--filter", "sepia(80%) contrats(1)"], "contrats"),
            (["develop", "a.csv", "-o", "x", "--look", "nothing"], "nothing"),
            (["develop", "a.csv", "-o", "x", "--intensity", "60"], "did you mean 60%?"),
            (["develop", "a.csv", "-o", "x", "--intensity", "101%"], "0% to 100%"),
            (["filter", "a.jpg", "b.jpg", "--intensity", "nan"], "not nan"),
            (["develop", "a.csv", "-o", "x", "--filter", "none", "--look", "moon"], "--look"),
        ]
        for (arguments, words) in cases {
            let run = try ProgramRun(arguments)
            XCTAssertEqual(run.wait(), 2, "\(arguments): \(run.error)")
            XCTAssert(run.error.contains(words), "\(arguments): \(run.error)")
            XCTAssertEqual(run.output, "")
        }
    }

    func testNothingOfAHostileNameReachesTheTerminal() throws {
        let run = try ProgramRun(["develop", "/none/\u{1B}[31m\u{202E}x", "-o", "/tmp/none"])
        XCTAssertEqual(run.wait(), 3)
        XCTAssertFalse(run.error.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
    }
}
