import Foundation
import ImageCodecs
import TestServers
import XCTest

/// The options that say how a picture is written.
final class EncoderOptionTests: DevelopTestCase {
    func testTheFileIsWrittenAsAskedFor() throws {
        let input = folder.appending(path: "in.png")
        try Self.image(.png).write(to: input)
        func file(_ name: String, _ options: [String]) throws -> Data {
            let result = folder.appending(path: name)
            let run = try ProgramRun(["filter", input.path, result.path] + options)
            XCTAssertEqual(run.wait(), 0, run.error)
            return try Data(contentsOf: result)
        }
        let progressive = try file("a.jpg", ["--progressive", "--chroma", "444"])
        let frame = try XCTUnwrap(progressive.range(of: Data([0xFF, 0xC2])))
        XCTAssertEqual(progressive[frame.lowerBound + 11], 0x11)
        XCTAssertLessThan(try file("b.jpg", ["--optimize"]).count, try file("c.jpg", []).count)
        XCTAssertNotNil(try file("a.webp", ["--lossless"]).range(of: Data("VP8L".utf8)))
        XCTAssertGreaterThan(try file("a.avif", ["--avif-speed", "9", "--chroma", "4:2:0"]).count, 0)
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let (status, rows, run) = try develop(catalog, ["--progressive"])
        XCTAssertEqual(status, 0, run.error)
        let developed = try Data(contentsOf: output.appending(path: rows[0][5]))
        XCTAssertNotNil(developed.range(of: Data([0xFF, 0xC2])))
    }

    func testWhatMeansNothingIsWrongUsage() throws {
        let wrong: [(options: [String], words: String)] = [
            (["--progressive", "--format", "png"], "is for jpeg"),
            (["--optimize", "--format", "webp"], "is for jpeg"),
            (["--chroma", "420", "--format", "webp"], "jpeg and avif"),
            (["--chroma", "422"], "444"),
            (["--lossless"], "webp and png"),
            (["--lossless", "--quality", "80", "--format", "webp"], "--quality"),
            (["--avif-speed", "3"], "is for avif"),
            (["--avif-speed", "10", "--format", "avif"], "0 to 9"),
        ]
        for (options, words) in wrong {
            let run = try ProgramRun(["develop", "a.csv", "-o", "x"] + options)
            XCTAssertEqual(run.wait(), 2, "\(options): \(run.error)")
            XCTAssert(run.error.contains(words), "\(options): \(run.error)")
        }
    }
}
