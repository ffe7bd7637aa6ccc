import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// The forms in which options and their values may be written, as in GNU programs.
final class OptionFormsTests: DevelopTestCase {
    /// Runs `filter` in the test's folder and gives the size of the result.
    private func filtered(_ options: [String], _ arguments: [String]) throws -> PixelSize {
        try Self.image(.png).write(to: folder.appending(path: "in.png"))
        let run = try ProgramRun(["filter"] + options + arguments, in: folder)
        XCTAssertEqual(run.wait(), 0, "\(options): \(run.error)")
        return try ImageDecoder.probe(Data(contentsOf: folder.appending(path: "out.png"))).size
    }

    func testAShortOptionsValueMayBeAttached() throws {
        for options in [
            ["-s64"], ["-s", "64"], ["-s64", "-q80"], ["--size=64"], ["--size", "64"], ["-fnone", "-s64"],
        ] {
            XCTAssertEqual(try filtered(options, ["in.png", "out.png"]).width, 64, "\(options)")
        }
    }

    func testOptionsMayStandBehindArgumentsAndEndAtTwoHyphens() throws {
        XCTAssertEqual(try filtered([], ["in.png", "out.png", "-s64"]).width, 64)
        try Self.image(.png).write(to: folder.appending(path: "-s64"))
        let run = try ProgramRun(["filter", "--", "-s64", "out.png"], in: folder)
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssertEqual(try ImageDecoder.probe(Data(contentsOf: folder.appending(path: "out.png"))).size.width, 320)
    }

    func testAValueThatLooksLikeAnOptionIsAValue() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        for options in [["-o", "-j8"], ["--output", "-j8"], ["-o-j8"], ["--output=-j8"]] {
            let run = try ProgramRun(["develop", catalog] + options, in: folder)
            XCTAssertEqual(run.wait(), 0, "\(options): \(run.error)")
            let made = folder.appending(path: "-j8")
            XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: made.path).count, 2)
            try FileManager.default.removeItem(at: made)
        }
    }

    func testDevelopTakesAttachedValues() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let run = try ProgramRun(["develop", "-j8", "-s200", "-opictures", "-lmoon", catalog], in: folder)
        XCTAssertEqual(run.wait(), 0, run.error)
        let file = try XCTUnwrap(try files().first)
        XCTAssertEqual(try ImageDecoder.probe(Data(contentsOf: output.appending(path: file))).size.width, 200)
    }

    func testAValueThatNeedNotBeGivenStandsInBrackets() throws {
        let help = try ProgramRun(["develop", "--help"])
        XCTAssertEqual(help.wait(), 0)
        for form in ["--exif[=WHICH] ", "--only-failed[=WHY] ", "--size=PIXELS "] {
            XCTAssert(help.output.contains(form), help.output)
        }
        XCTAssertFalse(help.output.contains("--exif=WHICH"), help.output)
    }

    func testSuchAValueInAWordOfItsOwnIsToldOf() throws {
        let cases: [([String], String)] = [
            (["--exif", "all", "a.csv"], "all is one too many; did you mean --exif=all?"),
            (["a.csv", "--only-failed", "timeout,http-5xx"], "did you mean --only-failed=timeout,http-5xx?"),
            (["a.csv", "b.csv", "--exif"], "b.csv is one too many\n"),
            (["a.csv", "all", "--exif=all"], "all is one too many\n"),
        ]
        for (words, told) in cases {
            let run = try ProgramRun(["develop", "-o", "x"] + words)
            XCTAssertEqual(run.wait(), 2, run.error)
            XCTAssert(run.error.contains(told), "\(words): \(run.error)")
        }
    }

    func testWhatIsNoOptionIsNamed() throws {
        let cases: [([String], String)] = [
            (["filter", "in.png", "out.png", "-z8"], "-z"),
            (["filter", "in.png", "out.png", "-hz"], "-z"),
            (["filter", "in.png", "out.png", "-s"], "-s"),
            (["filter", "in.png", "out.png", "--size"], "--size"),
            (["filter", "in.png", "out.png", "-s=64"], "--size"),
            (["develop", "a.csv", "-o", "x", "--quiet=yes"], "--quiet"),
            (["filter", "in.png", "out.png", "-é"], "-é"),
        ]
        for (arguments, words) in cases {
            let run = try ProgramRun(arguments)
            XCTAssertEqual(run.wait(), 2, "\(arguments): \(run.error)")
            XCTAssert(run.error.contains(words), "\(arguments): \(run.error)")
        }
    }
}
