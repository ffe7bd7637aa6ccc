import Foundation
import ImageCodecs
import Pixels
import XCTest

/// The most memory that the program takes, as the system tells its parent: for hostile files, long catalogs, and plans.
final class PeakMemoryTests: DevelopTestCase {
    /// 44 bytes: a header, and a text that is said to have two gigabytes.
    func testASmallFileDoesNotTakeGigabytes() throws {
        let header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        let size: [UInt8] = [0, 0, 0, 64, 0, 0, 0, 64, 8, 2, 0, 0, 0, 0x25, 0x0B, 0xE6, 0x89]
        let text: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF] + Array("tEXtabc".utf8)
        let input = folder.appending(path: "in.png")
        try Data(header + Array("IHDR".utf8) + size + text).write(to: input)
        let program = try ProgramRun.executable().path
        let arguments = ["filter", input.path, folder.path + "/out.png", "--filter", "invert(1)"]
        let (status, peak) = try run(program, arguments)
        XCTAssertEqual(status, 1)
        XCTAssertLessThan(peak, 300)
        try Data(Self.image(.png)).write(to: input)
        XCTAssertEqual(try run(program, arguments).status, 0)
    }

    /// A filter that needs far more than there is: the shadows come from beyond the picture. It costs its photo, not the run.
    func testAFilterWithoutMemoryFailsItsPhotoAlone() throws {
        let narrow = PixelBuffer(size: PixelSize(width: 1, height: 65_535))
        try ImageEncoder(format: .png).encode(narrow).write(to: folder.appending(path: "narrow.png"))
        try Data(Self.image(.png)).write(to: folder.appending(path: "small.png"))
        let catalog = try catalog([("narrow", "narrow.png"), ("small", "small.png")])
        let filter = "drop-shadow(0 60000px 400px red) drop-shadow(0 -60000px 400px red) blur(400px)"
        let arguments = ["develop", catalog, "--output", output.path, "--report", report.path, "--size", "65535"]
        let (status, _) = try run(
            "/bin/sh",
            ["-c", "ulimit -v 700000; exec \"$@\"", "sh", ProgramRun.executable().path] + arguments
                + ["--filter", filter])
        XCTAssertEqual(status, 1)
        XCTAssertEqual(try rows().map { Array($0[2...3]) }, [["failed", "memory-limit"], ["filtered", ""]])
    }

    /// The memory that planning a catalog takes.
    private func peakOfPlan(rows: Int, caption: String = "", tasks: Int) throws -> Int {
        let catalog = folder.appending(path: "\(rows).csv")
        var text = "url,caption\n"
        for row in 0..<rows { text += "https://host\(row % 500).example/\(row).jpg,\(caption)\n" }
        try Data(text.utf8).write(to: catalog)
        let (status, peak) = try run(
            ProgramRun.executable().path,
            ["plan", catalog.path, "-o", folder.path + "/plan-\(rows)-\(tasks)", "--tasks", "\(tasks)"])
        XCTAssertEqual(status, 0)
        return peak
    }

    /// Its tables begin small.
    func testAPlanOfAFewRowsTakesLittleMemory() throws {
        let catalog = folder.appending(path: "few.csv")
        try Data("url\nhttps://host.example/a.jpg\n".utf8).write(to: catalog)
        let (status, reading) = try run(ProgramRun.executable().path, ["catalog", "check", catalog.path])
        XCTAssertEqual(status, 0)
        for tasks in [8, 1_000] {
            let planning = try peakOfPlan(rows: 23, tasks: tasks)
            print("\(tasks) tasks: \(planning) MB, where reading a catalog takes \(reading)")
            XCTAssertLessThan(planning - reading, 16)
        }
    }

    /// Rows come and go. What stays are the hosts, and what is collected for each task.
    func testAPlanOfTenTimesTheRowsTakesTheSameMemory() throws {
        let caption = String(repeating: "caption ", count: 25)
        let few = try peakOfPlan(rows: 20_000, caption: caption, tasks: 4)
        let many = try peakOfPlan(rows: 200_000, caption: caption, tasks: 4)
        print("\(few) and \(many) MB")
        // Their captions have 36 MB more.
        XCTAssertLessThan(many - few, 16)
    }

    /// The most memory of a run over so many rows, none of which is an address of the web.
    private func peakOfRun(rows: Int) throws -> Int {
        let catalog = folder.appending(path: "\(rows).csv")
        let caption = String(repeating: "caption ", count: 25)
        var text = "name,url,caption\n"
        for row in 0..<rows { text += "Photo \(row),ftp://host.example/\(row).jpg,\(caption)\n" }
        try Data(text.utf8).write(to: catalog)
        let (status, peak) = try run(
            ProgramRun.executable().path,
            ["develop", catalog.path, "--output", "\(output.path)-\(rows)", "--quiet"])
        XCTAssertEqual(status, 1)
        return peak
    }

    /// A catalog is not in memory, nor are its captions.
    func testARunOverTenTimesTheRowsTakesTheSameMemory() throws {
        let (few, many) = (try peakOfRun(rows: 20_000), try peakOfRun(rows: 200_000))
        print("\(few) and \(many) MB")
        // What is in memory of a catalog at a time is about 10 MB. The names and addresses of these rows have 39 MB more.
        XCTAssertLessThan(many - few, 24)
    }

    /// Runs a program to its end; gives its exit status, and the most megabytes that it has had at a time.
    ///
    /// A small process starts it: the system counts to a program what its parent had when it was started, and this process
    /// may have had more than what is measured.
    private func run(_ path: String, _ arguments: [String]) throws -> (status: Int32, megabytes: Int) {
        let measure = """
            import resource, subprocess, sys
            nowhere = subprocess.DEVNULL
            status = subprocess.run(sys.argv[1:], stdout=nowhere, stderr=nowhere).returncode
            print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", measure, path] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        XCTAssertEqual(numbers.count, 2, text)
        guard numbers.count == 2 else { return (-1, 0) }
        return (Int32(numbers[0]), numbers[1])
    }
}
