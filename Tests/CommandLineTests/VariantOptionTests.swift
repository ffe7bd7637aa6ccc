import Foundation
import TestServers
import XCTest

/// What `develop --variant` takes, and what it says about anything else, before a catalog is read.
final class VariantOptionTests: DevelopTestCase {
    private func error(_ options: [String]) throws -> String {
        let run = try ProgramRun(["develop", "none.csv", "-o", output.path] + options)
        XCTAssertEqual(run.wait(), 2, "\(options): \(run.error)")
        XCTAssertFalse(FileManager.default.fileExists(atPath: output.path))
        return run.error
    }

    func testWhatIsNotUnderstoodSaysWhatToWrite() throws {
        let form = "NAME:SIZE:FILTER:FORMAT"
        let cases: [(options: [String], words: [String])] = [
            (["thumb"], [form, "thumb has 0 of the three colons", "thumb:256x256::webp"]),
            (["thumb:256"], [form, "has 1 of"]), (["thumb:256:webp"], [form, "has 2 of"]),
            ([":256::"], ["a variant's name is a word", "not nothing"]),
            (["../up:256::"], ["letters (a to z), digits, - and _", "not ../up"]),
            (["-x:256::"], ["begins with a letter or digit"]), (["a b:256::"], ["not a b"]), (["é:256::"], ["not é"]),
            (["a.b:256::"], ["not a.b"]), ([String(repeating: "x", count: 65) + ":::"], ["at most 64"]),
            (["JSON:256::"], ["JSON cannot be a variant's name", "another word"]), (["none:::"], ["none cannot be"]),
            (["a:256::", "A:300::"], ["two of them are called A", "capitals or not"]),
            (["a:big::"], ["SIZE of --variant a takes a longest side", "not big"]),
            (["a:0::"], ["SIZE of --variant a"]),
            (["a:256:sepai(1):"], ["--variant a: column 1", "did you mean sepia"]),
            // Whatever stands between is the filter.
            (["a:256:sepia(1):blur(2px):png"], ["--variant a: column"]),
            (["a:256::jpgg"], ["there is no format jpgg", "jpeg"]),
        ]
        for (variants, words) in cases {
            let error = try error(variants.flatMap { ["--variant=" + $0] })
            for word in words { XCTAssert(error.contains(word), "\(variants): \(error)") }
            XCTAssert(error.contains("classicphotos develop --help"), error)
        }
    }

    func testOtherOptionsAreForTheVariantsTheyFit() throws {
        let variants = ["--variant", "a:300x200::png", "--variant", "b:300x200::webp"]
        for (options, words) in [
            (["--progressive"], ["--progressive is for jpeg", "written as png and webp"]),
            (["--original"], ["--original writes photos as they came", "--variant"]),
            (["--resize", "crop", "--variant", "c:300::"], ["needs a box: SIZE of --variant c 300x300"]),
            (["--resize", "crop", "--variant", "c:::"], ["needs a box to go into"]),
            (["--format", "gif", "--variant", "c:::"], ["there is no format gif"]),
            (["--filter", "sepai(1)", "--variant", "c:::"], ["did you mean sepia"]),
        ] {
            let error = try error(variants + options)
            for word in words { XCTAssert(error.contains(word), "\(options): \(error)") }
        }
        // These mean something for one of them, or for both.
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        for options in [
            ["--lossless", "--quality", "70"], ["--resize", "crop", "--gravity", "attention"], ["--enlarge"],
        ] {
            let (status, _, run) = try develop(catalog, variants + options + ["--fresh", "--quiet"])
            XCTAssertEqual(status, 0, "\(options): \(run.error)")
        }
    }

    func testTheHelpIsEnough() throws {
        let run = try ProgramRun(["help", "develop"])
        XCTAssertEqual(run.wait(), 0)
        for text in [
            "--variant=SPEC", "NAME:SIZE:FILTER:FORMAT", "thumb:256x256::webp", "KEY.thumb.webp", "fails as a whole",
        ] {
            XCTAssert(run.output.contains(text), text)
        }
    }
}
