import Foundation
import ImageCodecs
import Pixels
import XCTest

final class FilterCommandTests: DevelopTestCase {
    func testAPictureIsFilteredAtItsSizeIntoTheFormatOfTheEnding() throws {
        let input = folder.appending(path: "in.png")
        try Self.picture(.png).write(to: input)
        let result = folder.appending(path: "out.png")
        let run = try ProgramRun(["filter", input.path, result.path, "--filter", "invert(1)"])
        XCTAssertEqual(run.wait(), 0, run.error)
        let before = try ImageDecoder.decode(Data(contentsOf: input), longestSide: nil)
        let after = try ImageDecoder.decode(Data(contentsOf: result), longestSide: nil)
        XCTAssertEqual(after.size, before.size)
        let colours = { (picture: PixelBuffer) in picture.withUnsafeBytes { Array($0.prefix(3)) } }
        XCTAssertEqual(colours(after), colours(before).map { 255 - $0 })
    }

    func testARelativePathIsTakenFromTheCurrentDirectory() throws {
        try Self.picture(.jpeg).write(to: folder.appending(path: "in.jpg"))
        let run = try ProgramRun(["filter", "in.jpg", "out.webp", "--size", "64"], in: folder)
        XCTAssertEqual(run.wait(), 0, run.error)
        let info = try ImageDecoder.probe(Data(contentsOf: folder.appending(path: "out.webp")))
        XCTAssertEqual(info.format, .webp)
        XCTAssertEqual(info.size, PixelSize(width: 64, height: 40))
    }

    func testWhatCannotBeDone() throws {
        let input = folder.appending(path: "in.png")
        try Self.picture(.png).write(to: input)
        let text = folder.appending(path: "text.png")
        try Data("hello".utf8).write(to: text)
        let out = folder.path + "/out.png"
        XCTAssertEqual(try ProgramRun(["filter", folder.path + "/none", out]).wait(), 1)
        XCTAssertEqual(try ProgramRun(["filter", text.path, out]).wait(), 1)
        XCTAssertEqual(try ProgramRun(["filter", input.path, folder.path + "/no/such/out.png"]).wait(), 4)
        XCTAssertEqual(try ProgramRun(["filter", input.path, folder.path + "/out.bmp"]).wait(), 2)
        XCTAssertEqual(try ProgramRun(["filter", input.path]).wait(), 2)
        XCTAssertFalse(FileManager.default.fileExists(atPath: out))
    }
}
