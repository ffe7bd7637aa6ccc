import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// What the program says to those who look for the right words.
final class HelpAndHintTests: DevelopTestCase {
    func testAWordThatIsNearlyRightIsAnsweredWithTheRightOne() throws {
        let cases: [([String], String?)] = [
            (["devlop", "a.csv"], "develop"),
            (["catalogue", "check"], "catalog"),
            (["--verison"], "--version"),
            (["help", "fitler"], "filter"),
            (["catalog", "chek"], "check"),
            (["catalog", "covnert"], "convert"),
            (["completion", "bsh"], "bash"),
            (["develop", "a.csv", "--ouptut", "x"], "--output"),
            (["develop", "a.csv", "--out=x"], "--output"),
            (["develop", "a.csv", "-o", "x", "--skip-exsiting"], "--skip-existing"),
            (["filter", "a.jpg", "b.jpg", "--look", "valensia"], "valencia"),
            (["filter", "a.jpg", "b.jpg", "--filter", "sepia(1) look(mon)"], "moon"),
            (["filter", "a.jpg", "b.jpg", "--filter", "greyscale(1)"], "grayscale"),
            (["develop", "a.csv", "-o", "x", "--format", "jpge"], "jpeg"),
            (["filter", "a.jpg", "b.jpg", "--filter", "inherit"], nil),
            (["filter", "a.jpg", "b.jpg", "--filter", "revert"], nil),
            (["xyzzy"], nil),
            (["develop", "a.csv", "--xyzzy"], nil),
        ]
        for (arguments, word) in cases {
            let run = try ProgramRun(arguments)
            XCTAssertEqual(run.wait(), 2, "\(arguments): \(run.error)")
            XCTAssertEqual(run.output, "")
            if let word {
                XCTAssert(run.error.contains("did you mean \(word)?"), "\(arguments): \(run.error)")
            } else {
                XCTAssertFalse(run.error.contains("did you mean"), "\(arguments): \(run.error)")
            }
        }
    }

    func testHelpOfACommandByItsName() throws {
        let cases = [
            ["develop"], ["filter"], ["catalog"], ["catalog", "check"], ["catalog", "convert"], ["completion"],
        ]
        for words in cases {
            let (asked, own) = (try ProgramRun(["help"] + words), try ProgramRun(words + ["--help"]))
            XCTAssertEqual(asked.wait(), 0, asked.error)
            XCTAssertEqual(own.wait(), 0, own.error)
            XCTAssert(asked.output.contains("classicphotos \(words.joined(separator: " "))"))
            XCTAssertEqual(asked.output, own.output)
        }
        XCTAssertEqual(try ProgramRun(["help", "develop", "filter"]).wait(), 2)
    }

    func testLooksAreListed() throws {
        for arguments in [["--list-looks"], ["filter", "--list-looks"], ["develop", "--list-looks"]] {
            let run = try ProgramRun(arguments)
            XCTAssertEqual(run.wait(), 0, run.error)
            XCTAssertEqual(run.output.split(separator: "\n").map(String.init), Look.allCases.map(\.rawValue))
        }
    }

    func testTheHelpNamesTheFilterFunctionsAndTheUnitsOfSizes() throws {
        for command in ["filter", "develop"] {
            let run = try ProgramRun([command, "--help"])
            XCTAssertEqual(run.wait(), 0)
            let functions = [
                "sepia", "grayscale", "saturate", "brightness", "contrast", "invert", "opacity", "hue-rotate", "blur",
                "drop-shadow", "sepia-tone", "look",
            ]
            for function in functions {
                XCTAssert(run.output.contains("\(function)("), "\(command): \(function)")
            }
            // What the help shows can be typed.
            let examples = run.output.matches(of: /[a-z-]+\([^()A-Z]*\)/).map { String($0.output) }
            XCTAssertGreaterThanOrEqual(examples.count, functions.count)
            for example in examples { XCTAssertNoThrow(try FilterChain(parsing: example), example) }
        }
        let run = try ProgramRun(["develop", "--help"])
        run.wait()
        XCTAssert(run.output.contains("kB, MB or GB"), run.output)
        XCTAssert(run.output.contains("duckdb -csv -c \"SELECT url, name FROM 'photos.parquet'\" | classicphotos"))
    }

    func testTheHelpFitsATerminal() throws {
        for words in [[], ["develop"], ["filter"], ["catalog", "check"], ["catalog", "convert"], ["completion"]] {
            let run = try ProgramRun(words + ["--help"])
            XCTAssertEqual(run.wait(), 0)
            for line in run.output.split(separator: "\n") { XCTAssertLessThanOrEqual(line.count, 120, "\(line)") }
        }
    }

    func testThoseWhoMeanTheOtherCommandAreToldOfIt() throws {
        try Self.image(.jpeg).write(to: folder.appending(path: "a.jpg"))
        try Data("name,url\na,http://h/a.jpg\n".utf8).write(to: folder.appending(path: "a.csv"))
        let address = server.url("/a.jpg").absoluteString
        let cases: [([String], Int32, String)] = [
            (["develop", "a.jpg", "-o", "x"], 3, "classicphotos filter a.jpg"),
            (["develop", address, "-o", "x"], 3, "classicphotos develop -"),
            (["catalog", "check", "a.jpg"], 3, "picture"),
            (["filter", address, "b.jpg"], 2, "classicphotos develop"),
            (["filter", "a.csv", "b.jpg"], 1, "classicphotos develop a.csv"),
            (["filter", ".", "b.jpg"], 1, "classicphotos develop ."),
        ]
        for (arguments, status, words) in cases {
            let run = try ProgramRun(arguments, in: folder)
            XCTAssertEqual(run.wait(), status, "\(arguments): \(run.error)")
            XCTAssert(run.error.contains(words), "\(arguments): \(run.error)")
        }
        // A picture that is broken, or text that is no catalog, is not sent on.
        try Data("hello\u{1}".utf8).write(to: folder.appending(path: "text.jpg"))
        let run = try ProgramRun(["filter", "text.jpg", "b.jpg"], in: folder)
        XCTAssertEqual(run.wait(), 1)
        XCTAssertFalse(run.error.contains("develop"), run.error)
    }
}
