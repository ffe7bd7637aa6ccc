import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// `filter` and `catalog convert` between other programs: `-` for standard input and output.
final class StreamTests: DevelopTestCase {
    func testAPictureComesFromStandardInput() throws {
        for input in [try Self.image(.png), try Self.image(.webp)] {
            let run = try ProgramRun(["filter", "-", "out.png", "-s64"], input: input, in: folder)
            XCTAssertEqual(run.wait(), 0, run.error)
            XCTAssertEqual(
                try ImageDecoder.probe(Data(contentsOf: folder.appending(path: "out.png"))).size.width, 64)
        }
    }

    func testAPictureGoesToStandardOutputInTheFormatThatIsAskedFor() throws {
        try Self.image(.png).write(to: folder.appending(path: "in.png"))
        let (file, out) = (folder.appending(path: "file.webp"), folder.appending(path: "stdout"))
        XCTAssertEqual(try ProgramRun(["filter", "in.png", "file.webp"], in: folder).wait(), 0)
        let run = try ProgramRun(
            ["filter", "in.png", "-", "--format", "webp"], limits: "exec >'\(out.path)'", in: folder)
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssertEqual(try Data(contentsOf: out), try Data(contentsOf: file))

        let through = try ProgramRun(
            ["filter", "-", "-", "--filter", "none"], input: Self.image(.png), limits: "exec >'\(out.path)'")
        XCTAssertEqual(through.wait(), 0, through.error)
        XCTAssertEqual(try ImageDecoder.probe(Data(contentsOf: out)).format, .jpeg)
    }

    func testTheFormatThatIsAskedForGoesBeforeTheEnding() throws {
        try Self.image(.png).write(to: folder.appending(path: "in.png"))
        let run = try ProgramRun(["filter", "in.png", "out", "--format", "webp"], in: folder)
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssertEqual(try ImageDecoder.probe(Data(contentsOf: folder.appending(path: "out"))).format, .webp)
        // Who names no format is told how.
        let none = try ProgramRun(["filter", "in.png", "out.xyz"], in: folder)
        XCTAssertEqual(none.wait(), 2)
        XCTAssert(none.error.contains("out.xyz") && none.error.contains("--format"), none.error)
    }

    func testWhatIsWrongWithStandardInputIsSaid() throws {
        for (input, word) in [(Data("hello".utf8), "not a picture"), (Data(), "empty")] {
            let run = try ProgramRun(["filter", "-", "out.png"], input: input, in: folder)
            XCTAssertEqual(run.wait(), 1)
            XCTAssert(run.error.hasPrefix("classicphotos: standard input: "), run.error)
            XCTAssert(run.error.contains(word), run.error)
        }
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), [])
        let endless = try ProgramRun(["filter", "-", "out.png"], limits: "exec </dev/zero", in: folder)
        XCTAssertEqual(endless.wait(), 1)
        XCTAssert(endless.error.contains("64000000"), endless.error)
    }

    func testStandardOutputThatCannotBeWritten() throws {
        let run = try ProgramRun(["filter", "-", "-"], input: Self.image(.png), limits: "exec >/dev/full")
        XCTAssertEqual(run.wait(), 4, run.error)
        let source = try catalog([("a", "http://h/1.jpg")])
        let convert = try ProgramRun(
            ["catalog", "convert", source, "-", "--format", "csv"], limits: "exec >/dev/full")
        XCTAssertEqual(convert.wait(), 4, convert.error)
    }

    func testTheFileOnStandardInputIsNotReplacedUnasked() throws {
        let input = folder.appending(path: "a.jpg")
        try Self.image(.jpeg).write(to: input)
        let before = try Data(contentsOf: input)
        let run = try ProgramRun(["filter", "-", "a.jpg"], limits: "exec <'\(input.path)'", in: folder)
        XCTAssertEqual(run.wait(), 2, run.error)
        XCTAssert(run.error.contains("--force"), run.error)
        XCTAssertEqual(try Data(contentsOf: input), before)
    }

    func testACatalogIsConvertedToStandardOutput() throws {
        let source = try catalog([("Một", "http://h/1.jpg"), ("둘", "two.jpg")])
        let run = try ProgramRun(["catalog", "convert", source, "-", "--format", "csv"])
        XCTAssertEqual(run.wait(), 0, run.error)
        // What reads it may be anywhere.
        XCTAssertEqual(run.output, "name,url\nMột,http://h/1.jpg\n둘,file://\(folder.path)/two.jpg\n")
        let through = try ProgramRun(["catalog", "convert", "-", "-", "--format=txt"], input: Data(run.output.utf8))
        XCTAssertEqual(through.wait(), 0, through.error)
        XCTAssertEqual(through.output, "http://h/1.jpg\nfile://\(folder.path)/two.jpg\n")
        let none = try ProgramRun(["catalog", "convert", source, "-"])
        XCTAssertEqual(none.wait(), 2)
        XCTAssert(none.error.contains("--format"), none.error)
    }

    func testWhatAConversionLeavesOutIsSaid() throws {
        let table = Data("name,url,caption\na,http://h/1,hello\n".utf8)
        let run = try ProgramRun(["catalog", "convert", "-", "-", "--format", "txt"], input: table)
        XCTAssertEqual(run.wait(), 0)
        XCTAssertEqual(run.output, "http://h/1\n")
        XCTAssert(run.error.contains("no other columns"), run.error)
        for (input, format) in [(table, "csv"), (Data(run.output.utf8), "txt")] {
            let whole = try ProgramRun(["catalog", "convert", "-", "-", "--format", format], input: input)
            XCTAssertEqual(whole.wait(), 0)
            XCTAssertEqual(whole.output, String(decoding: input, as: UTF8.self))
            XCTAssertEqual(whole.error, "")
        }
    }

    func testOutputsGoIntoPipesAndDevices() throws {
        let source = try catalog([("a", server.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try develop(source).status, 0)
        let picture = folder.appending(path: "a.png").path
        try Self.image(.png).write(to: URL(filePath: picture))
        let pipe = folder.appending(path: "pipe").path
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        let file = folder.appending(path: "file")
        for words in [
            ["catalog", "convert", source, "OUT", "--format", "txt"], ["report", output.path, "-o", "OUT"],
            ["filter", picture, "OUT", "--format", "png"],
        ] {
            func run(_ place: String, _ limits: String = ":") throws {
                let run = try ProgramRun(words.map { $0 == "OUT" ? place : $0 }, limits: limits)
                XCTAssertEqual(run.wait(), 0, run.error)
            }
            try run(file.path)
            let whole = try Data(contentsOf: file)
            for (place, more) in [(pipe, ":"), ("/dev/fd/7", "exec 7>'\(pipe)'"), ("/dev/stdout", "exec 1>'\(pipe)'")] {
                let copy = folder.appending(path: "copy-\(UUID())")
                try run(place, "cat <'\(pipe)' >'\(copy.path)' & \(more)")
                wait("all of it") { (try? Data(contentsOf: copy)) == whole }
            }
            try run("/dev/null")
        }
        let copy = folder.appending(path: "copy")
        let run = try ProgramRun(
            ["develop", source, "-o", folder.path + "/new", "--report", "/dev/fd/7"],
            limits: "cat <'\(pipe)' >'\(copy.path)' & exec 7>'\(pipe)'")
        XCTAssertEqual(run.wait(), 0, run.error)
        wait("the report") { (try? String(contentsOf: copy, encoding: .utf8))?.hasPrefix("name,url") ?? false }
        for (path, kind) in [(pipe, S_IFIFO), ("/dev/null", S_IFCHR)] {
            var status = stat()
            XCTAssertEqual(stat(path, &status), 0)
            XCTAssertEqual(status.st_mode & S_IFMT, kind, path)
        }
    }

    func testAReaderThatHasGoneIsTold() throws {
        let source = try catalog([("a", "http://h/1.jpg")])
        let pipe = folder.appending(path: "pipe").path
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        let run = try ProgramRun(
            ["catalog", "convert", source, "/dev/fd/7", "--format", "csv"],
            limits: "exec 3<>'\(pipe)'; exec 7>'\(pipe)'; exec 3>&-")
        XCTAssertEqual(run.wait(), 4)
        XCTAssert(run.error.contains("Cannot write /dev/fd/7: nobody reads it any more."), run.error)
        let full = try ProgramRun(["catalog", "convert", source, "/dev/full", "--format", "csv"])
        XCTAssertEqual(full.wait(), 4)
        XCTAssert(full.error.contains("the disk is full"), full.error)
    }

    /// Another program that shares the output, as ssh does, may have made it so.
    func testAnOutputThatDoesNotBlockLosesNothing() throws {
        let rows = (0..<20_000).map { "photo \($0),https://example.org/\($0).jpg\n" }.joined()
        let table = Data(("name,url\n" + rows).utf8)
        let pipe = folder.appending(path: "pipe").path
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let set = "perl -MFcntl -e 'fcntl(STDOUT, F_SETFL, O_WRONLY | O_NONBLOCK)'"
        let run = try ProgramRun(
            ["catalog", "convert", "-", "-", "--format", "csv"], input: table, limits: "exec >'\(pipe)'; \(set)")
        // Nothing is taken before the pipe is full, which holds as much as the system allows at the time (F_GETPIPE_SZ).
        let room = fcntl(reader, 1_032)
        var waiting: Int32 = 0
        wait("a full pipe") { ioctl(reader, UInt(FIONREAD), &waiting) != 0 || waiting >= room || !run.isRunning }
        var (received, bytes) = (Data(), [UInt8](repeating: 0, count: 1 << 16))
        var place = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        while poll(&place, 1, 60_000) == 1 {
            let count = read(reader, &bytes, bytes.count)
            if count <= 0 { break }
            received += bytes.prefix(count)
        }
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssertEqual(received, table)
    }
}
