import Foundation
import Glibc
import ImageCodecs
import Pixels
import XCTest

final class FilterCommandTests: DevelopTestCase {
    func testAPictureIsFilteredAtItsSizeIntoTheFormatOfTheEnding() throws {
        let input = folder.appending(path: "in.png")
        try Self.image(.png).write(to: input)
        let result = folder.appending(path: "out.png")
        let run = try ProgramRun(["filter", input.path, result.path, "--filter", "invert(1)"])
        XCTAssertEqual(run.wait(), 0, run.error)
        let before = try ImageDecoder.decode(Data(contentsOf: input), longestSide: nil)
        let after = try ImageDecoder.decode(Data(contentsOf: result), longestSide: nil)
        XCTAssertEqual(after.size, before.size)
        let colours = { (image: PixelBuffer) in image.withUnsafeBytes { Array($0.prefix(3)) } }
        XCTAssertEqual(colours(after), colours(before).map { 255 - $0 })
    }

    func testAFilterShowsAsFarAsIsWanted() throws {
        let input = folder.appending(path: "in.png")
        try Self.image(.png).write(to: input)
        let before = try ImageDecoder.decode(Data(contentsOf: input), longestSide: nil)
        let filter = try FilterChain(parsing: "invert(1)")
        for (text, intensity) in [("60%", 0.6), ("0.25", 0.25), ("0%", 0), ("100%", 1)] {
            let result = folder.appending(path: "out.png")
            let run = try ProgramRun(
                ["filter", input.path, result.path, "--filter", "invert(1)", "--intensity", text])
            XCTAssertEqual(run.wait(), 0, run.error)
            let after = try ImageDecoder.decode(Data(contentsOf: result), longestSide: nil)
            XCTAssertEqual(after, filter.applied(to: before, intensity: intensity), text)
        }
    }

    func testARelativePathIsTakenFromTheCurrentDirectory() throws {
        try Self.image(.jpeg).write(to: folder.appending(path: "in.jpg"))
        let run = try ProgramRun(["filter", "in.jpg", "out.webp", "--size", "64"], in: folder)
        XCTAssertEqual(run.wait(), 0, run.error)
        let info = try ImageDecoder.probe(Data(contentsOf: folder.appending(path: "out.webp")))
        XCTAssertEqual(info.format, .webp)
        XCTAssertEqual(info.size, PixelSize(width: 64, height: 40))
    }

    func testATildeIsTheShellsAlone() throws {
        let odd = folder.appending(path: "~")
        try FileManager.default.createDirectory(at: odd, withIntermediateDirectories: true)
        try Self.image(.jpeg).write(to: odd.appending(path: "a.jpg"))
        try Data("name,url\na,a.jpg\n".utf8).write(to: odd.appending(path: "first.csv"))
        for arguments in [
            ["filter", "~/a.jpg", "~/b.jpg"], ["catalog", "convert", "~/first.csv", "~/list.csv"],
            ["develop", "~/list.csv", "-o", "~"],
        ] {
            let run = try ProgramRun(arguments, in: folder)
            XCTAssertEqual(run.wait(), 0, "\(arguments): \(run.error)")
        }
        let list = try String(contentsOf: odd.appending(path: "list.csv"), encoding: .utf8)
        XCTAssert(list.contains("a,a.jpg"), "the list is in the folder of its pictures: \(list)")
    }

    func testThePictureMayBeAFileAddress() throws {
        try Self.image(.jpeg).write(to: folder.appending(path: "a b.jpg"))
        let address = "file://\(folder.path)/a%20b.jpg"
        let run = try ProgramRun(["filter", address, "out.png"], in: folder)
        XCTAssertEqual(run.wait(), 0, run.error)
        let itself = try ProgramRun(["filter", address, "a b.jpg"], in: folder)
        XCTAssertEqual(itself.wait(), 2, "it is known for the file that it is")
        let gone = try ProgramRun(["filter", "file://\(folder.path)/gone.jpg", "out.png"], in: folder)
        XCTAssertEqual(gone.wait(), 1)
        XCTAssert(gone.error.contains("There is no file \(folder.path)/gone.jpg."), gone.error)
    }

    /// Nobody writes to it, so that whoever opens it to look waits for ever.
    func testAPipeIsNoPicture() throws {
        let pipe = folder.appending(path: "pipe.jpg")
        XCTAssertEqual(mkfifo(pipe.path, 0o600), 0)
        let run = try ProgramRun(["filter", pipe.path, folder.appending(path: "out.jpg").path])
        XCTAssertEqual(run.wait(), 1, run.error)
        XCTAssert(run.error.contains("no regular file"), run.error)
    }

    func testThePictureHasTheLimitsOfDevelop() throws {
        let input = folder.appending(path: "in.png")
        try Self.image(.png).write(to: input)
        let size = try ImageDecoder.probe(Data(contentsOf: input)).size
        let count = size.width * size.height
        let refused = try ProgramRun(["filter", "in.png", "out.png", "--max-pixels", "\(count - 1)"], in: folder)
        XCTAssertEqual(refused.wait(), 1)
        XCTAssert(refused.error.contains("pixels"), refused.error)
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path + "/out.png"))
        let taken = try ProgramRun(["filter", "in.png", "out.png", "--max-pixels", "\(count)"], in: folder)
        XCTAssertEqual(taken.wait(), 0, taken.error)
        XCTAssertEqual(try ProgramRun(["filter", "in.png", "out.png", "--max-frames", "0"], in: folder).wait(), 2)
    }

    func testThePictureItselfIsReplacedOnlyWhenForced() throws {
        let input = folder.appending(path: "a.jpg")
        try Self.image(.jpeg).write(to: input)
        let before = try Data(contentsOf: input)
        XCTAssertEqual(symlink("a.jpg", folder.path + "/link.jpg"), 0)
        XCTAssertEqual(link(input.path, folder.path + "/second.jpg"), 0)
        for (from, to) in [
            ("a.jpg", "a.jpg"), ("a.jpg", "./a.jpg"), (input.path, "a.jpg"), ("a.jpg", "link.jpg"),
            ("link.jpg", "a.jpg"), ("a.jpg", "second.jpg"),
        ] {
            let run = try ProgramRun(["filter", from, to], in: folder)
            XCTAssertEqual(run.wait(), 2, "\(from) \(to)")
            XCTAssert(run.error.contains("--force") && run.error.contains(to), run.error)
            XCTAssertEqual(try Data(contentsOf: input), before)
        }
        let forced = try ProgramRun(["filter", "a.jpg", "a.jpg", "--force"], in: folder)
        XCTAssertEqual(forced.wait(), 0, forced.error)
        XCTAssertNotEqual(try Data(contentsOf: input), before)
        // Another picture that is there is replaced, as by other programs.
        try before.write(to: folder.appending(path: "b.jpg"))
        XCTAssertEqual(try ProgramRun(["filter", "a.jpg", "b.jpg"], in: folder).wait(), 0)
        XCTAssertNotEqual(try Data(contentsOf: folder.appending(path: "b.jpg")), before)
        // A file that is not there is not itself.
        let none = try ProgramRun(["filter", "none.jpg", "none.jpg"], in: folder)
        XCTAssertEqual(none.wait(), 1, none.error)
    }

    func testAnErrorNamesItsFile() throws {
        try Data("hello".utf8).write(to: folder.appending(path: "text.jpg"))
        try Data().write(to: folder.appending(path: "empty.jpg"))
        try Self.image(.jpeg).dropLast(600).write(to: folder.appending(path: "cut.jpg"))
        try Self.image(.png, width: 17_000, height: 4).write(to: folder.appending(path: "wide.png"))
        for name in ["text.jpg", "empty.jpg", "cut.jpg", "none.jpg", folder.lastPathComponent] {
            let place = name == folder.lastPathComponent ? folder.deletingLastPathComponent() : folder
            let run = try ProgramRun(["filter", name, folder.path + "/out.png"], in: place)
            XCTAssertEqual(run.wait(), 1, name)
            let line = run.error.prefix { $0 != "\n" }
            XCTAssertEqual(line.components(separatedBy: name).count, 2, run.error)
        }
        let wide = try ProgramRun(["filter", "wide.png", "out.webp"], in: folder)
        XCTAssertEqual(wide.wait(), 4, wide.error)
        XCTAssert(wide.error.contains("out.webp"), wide.error)
    }

    /// A program that is killed in the middle of a decode leaves no process behind.
    func testTheHelperEndsWithTheProgram() throws {
        let noise = (1...12).map { "<feTurbulence baseFrequency='0.0\($0)' numOctaves='40'/>" }.joined()
        let drawing =
            "<svg xmlns='http://www.w3.org/2000/svg' width='1500' height='1500'><filter id='f'>\(noise)</filter>"
            + "<rect width='1500' height='1500' filter='url(#f)'/></svg>"
        let input = folder.appending(path: "endless.svg")
        try Data(drawing.utf8).write(to: input)
        let run = try ProgramRun(["filter", input.path, folder.path + "/out.png"])
        let deadline = ContinuousClock.now + .seconds(60)
        func waitUntil(_ condition: () -> Bool) {
            while !condition(), .now < deadline { usleep(5_000) }
        }
        var helpers: [Int32] = []
        waitUntil {
            helpers = Self.children(of: run.processIdentifier)
            return helpers.contains { Self.ticks($0) > 30 }
        }
        XCTAssertEqual(helpers.count, 1)
        run.send(SIGKILL)
        _ = run.wait()
        waitUntil { helpers.allSatisfy { !Self.isRunning($0) } }
        XCTAssertTrue(helpers.allSatisfy { !Self.isRunning($0) })
    }

    private static func children(of parent: Int32) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { status($0).contains("\nPPid:\t\(parent)\n") }
    }

    /// For how long a process has computed, in the system's clock ticks.
    private static func ticks(_ process: Int32) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 11 ? Int(fields[11]) ?? 0 : 0
    }

    /// One that nobody has collected has ended as well.
    private static func isRunning(_ process: Int32) -> Bool {
        let text = status(process)
        return !text.isEmpty && !text.contains("\nState:\tZ")
    }

    private static func status(_ process: Int32) -> String {
        (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    }

    func testWhatCannotBeDone() throws {
        let input = folder.appending(path: "in.png")
        try Self.image(.png).write(to: input)
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
