import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// `--resize` and what belongs to it.
final class ResizeOptionTests: DevelopTestCase {
    private let cases: [(options: [String], size: PixelSize)] = [
        (["--size", "100"], PixelSize(width: 100, height: 63)),
        (["--size", "100x100"], PixelSize(width: 100, height: 63)),
        (["--size", "100", "--resize", "fit"], PixelSize(width: 100, height: 63)),
        (["--size", "100X50", "--resize", "fit"], PixelSize(width: 80, height: 50)),
        (["--size", "100x100", "--resize", "fill"], PixelSize(width: 160, height: 100)),
        (["--size", "100x100", "--resize", "crop"], PixelSize(width: 100, height: 100)),
        (["--size", "90x100", "--resize", "crop", "--gravity", "attention"], PixelSize(width: 90, height: 100)),
        (["--size", "100x30", "--resize", "CROP", "--gravity", "center"], PixelSize(width: 100, height: 30)),
        (["--size", "31x99", "--resize", "exact"], PixelSize(width: 31, height: 99)),
        (["--size", "640x640", "--resize", "exact"], PixelSize(width: 320, height: 200)),
        (["--size", "640", "--enlarge"], PixelSize(width: 640, height: 400)),
        (["--size", "640x100", "--resize", "exact", "--enlarge"], PixelSize(width: 640, height: 100)),
    ]

    func testFilterMakesTheSizeThatIsAskedFor() throws {
        let input = folder.appending(path: "in.jpg")
        try Self.image(.jpeg).write(to: input)
        for (options, size) in cases {
            let result = folder.appending(path: "out.png")
            let run = try ProgramRun(["filter", input.path, result.path] + options)
            XCTAssertEqual(run.wait(), 0, run.error)
            XCTAssertEqual(try ImageDecoder.probe(Data(contentsOf: result)).size, size, "\(options)")
        }
    }

    func testDevelopMakesTheSizeThatIsAskedFor() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        for (options, size) in cases.suffix(8) {
            let (status, rows, run) = try develop(catalog, options + ["--fresh"])
            XCTAssertEqual(status, 0, run.error)
            let file = output.appending(path: rows[0][5])
            XCTAssertEqual(try ImageDecoder.probe(Data(contentsOf: file)).size, size, "\(options)")
        }
    }

    func testWhatMeansNothingIsWrongUsage() throws {
        let wrong: [(options: [String], words: String)] = [
            (["--resize", "crop"], "--size 300x200"),
            (["--resize", "fit"], "--size 300x200"),
            (["--resize", "crop", "--size", "300"], "--size 300x300"),
            (["--resize", "corp", "--size", "300x200"], "did you mean crop?"),
            (["--resize", "", "--size", "300x200"], "fit, fill, crop or exact"),
            (["--gravity", "attention"], "--resize crop"),
            (["--gravity", "centre", "--resize", "fill", "--size", "3x2"], "--resize crop"),
            (["--gravity", "north", "--resize", "crop", "--size", "3x2"], "centre or attention"),
            (["--enlarge"], "--size"),
            (["--size", "300x"], "300x200"), (["--size", "x200"], "300x200"), (["--size", "3x2x1"], "300x200"),
            (["--size", "0x200"], "65535"), (["--size", "70000x2"], "65535"), (["--size", "-3x2"], "300x200"),
            (["--size", "99999999999999999999x2"], "65535"), (["--size", ""], "300x200"),
        ]
        for (options, words) in wrong {
            for command in [["develop", "a.csv", "-o", "x"], ["filter", "a.jpg", "b.jpg"]] {
                let run = try ProgramRun(command + options)
                XCTAssertEqual(run.wait(), 2, "\(options): \(run.error)")
                XCTAssert(run.error.contains(words), "\(options): \(run.error)")
            }
        }
    }
}
