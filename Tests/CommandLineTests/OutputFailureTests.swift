import Foundation
import Glibc
import ImageCodecs
import TestServers
import XCTest

/// What the program says and how it ends where its own words cannot be written.
final class OutputFailureTests: DevelopTestCase {
    private static let full = "exec 1>/dev/full"

    /// Lines for the shell after which standard output is a pipe that nobody reads.
    private func closedPipe() throws -> String {
        let path = folder.appending(path: "pipe-\(UUID())").path
        XCTAssertEqual(mkfifo(path, 0o600), 0)
        return "exec 3<>'\(path)'; exec 1>'\(path)'; exec 3>&-"
    }

    /// Commands whose whole result is what they write to standard output.
    private func writers() throws -> [[String]] {
        let good = try catalog([("a", "http://h/a.jpg")])
        let failing = try catalog([("a", "ftp://h/a.jpg")], as: "failing.json")
        XCTAssertEqual(try develop(failing).status, 1)
        return [
            ["--help"], ["--version"], ["develop", "--help"], ["completion", "bash"], ["catalog", "--help"],
            ["catalog", "check", good], ["report", output.path],
        ]
    }

    func testAFullDeviceIsNoSuccess() throws {
        for arguments in try writers() {
            let run = try ProgramRun(arguments, limits: Self.full)
            XCTAssertEqual(run.wait(), 4, "\(arguments): \(run.error)")
            XCTAssert(run.error.contains("standard output"), run.error)
            XCTAssertEqual(run.error.split(separator: "\n").count, 1, run.error)
        }
    }

    func testAClosedOutputIsNoSuccess() throws {
        try Self.image(.jpeg).write(to: folder.appending(path: "a.jpg"))
        for arguments in try writers() + [["filter", "a.jpg", "-"]] {
            let run = try ProgramRun(arguments, limits: "exec 1>&-", in: folder)
            XCTAssertEqual(run.wait(), 4, "\(arguments): \(run.error)")
            XCTAssert(run.error.contains("standard output"), run.error)
        }
        // Who writes nothing there has nothing to lose.
        let good = try catalog([("a", server.url("/a.jpg").absoluteString)])
        for arguments in [["filter", "a.jpg", "b.jpg"], ["develop", good, "-o", "quiet", "--quiet"]] {
            let run = try ProgramRun(arguments, limits: "exec 1>&-", in: folder)
            XCTAssertEqual(run.wait(), 0, "\(arguments): \(run.error)")
        }
    }

    func testAClosedPipeIsNoSuccessAndNoNoise() throws {
        for arguments in try writers() {
            let run = try ProgramRun(arguments, limits: try closedPipe())
            XCTAssertEqual(run.wait(), 4, "\(arguments): \(run.error)")
            XCTAssertEqual(run.error, "", "\(arguments)")
        }
    }

    func testASummaryThatCannotBeWrittenFailsTheRunAfterItsPictures() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString), ("b", "ftp://h/b")])
        for limits in [Self.full, try closedPipe()] {
            let run = try ProgramRun(
                ["develop", catalog, "--output", output.path, "--report", report.path], limits: limits)
            XCTAssertEqual(run.wait(), 4, run.error)
            XCTAssertEqual(try rows().map { $0[2] }, ["filtered", "failed"])
            let quiet = try ProgramRun(["develop", catalog, "--output", output.path, "--quiet"], limits: limits)
            XCTAssertEqual(quiet.wait(), 1, quiet.error)
        }
    }

    /// The file behind a descriptor has what others wrote there, and more may follow: it is written to, and not replaced.
    func testAFileThatIsOpenForTheProgramIsNotReplaced() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try develop(catalog).status, 0)
        let log = folder.appending(path: "log")
        try Data("precious\n".utf8).write(to: log)
        let shown = try ProgramRun(["report", output.path])
        XCTAssertEqual(shown.wait(), 0)
        let links = folder.appending(path: "link")
        try FileManager.default.createSymbolicLink(atPath: links.path, withDestinationPath: "/dev/fd/7")
        for (path, redirection) in [
            ("/dev/stdout", "exec 1>>'\(log.path)'"), ("/dev/fd/7", "exec 7>>'\(log.path)'"),
            (links.path, "exec 7>>'\(log.path)'"),
        ] {
            let before = try String(contentsOf: log, encoding: .utf8)
            XCTAssert(before.hasPrefix("precious\n"), before)
            let run = try ProgramRun(["report", output.path, "-o", path], limits: redirection)
            XCTAssertEqual(run.wait(), 0, "\(path): \(run.error)")
            XCTAssertEqual(try String(contentsOf: log, encoding: .utf8), before + shown.output)
        }
        // What is closed, or open for reading only, is no place to write to.
        for redirection in ["exec 7>&-", "exec 7<'\(log.path)'"] {
            let run = try ProgramRun(["report", output.path, "-o", "/dev/fd/7"], limits: redirection)
            XCTAssertEqual(run.wait(), 4, run.error)
        }
        XCTAssert(try String(contentsOf: log, encoding: .utf8).hasPrefix("precious\n"))
        // A link to a file is a way to it.
        let link = folder.appending(path: "report-link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: log)
        XCTAssertEqual(try ProgramRun(["report", output.path, "-o", link.path]).wait(), 0)
        XCTAssert(try String(contentsOf: log, encoding: .utf8).hasPrefix("name,url"))
    }

    /// Where the answer is on standard error, a full standard output is of no account.
    func testWrongUsageKeepsItsStatus() throws {
        XCTAssertEqual(try ProgramRun(["develop"], limits: Self.full).wait(), 2)
        XCTAssertEqual(try ProgramRun(["catalog", "check", folder.path + "/none"], limits: Self.full).wait(), 3)
    }

    func testWhatStopsARunIsSaidOnStandardErrorAlsoWhenQuiet() throws {
        server.serve(try Self.image(.png, width: 640, height: 640), at: "/large.png")
        let catalog = try catalog((0..<20).map { ("\($0)", server.url("/large.png?\($0)").absoluteString) })
        let arguments = ["develop", catalog, "--output", output.path, "--format", "png", "--filter", "none"]
        // The limit on a file's size stands in for a full disk.
        for options in [[], ["--quiet"]] {
            let run = try ProgramRun(arguments + options, limits: "ulimit -f 200")
            XCTAssertEqual(run.wait(), 4, run.error)
            XCTAssertFalse(run.output.contains("stopped"), run.output)
            let stops = run.error.split(separator: "\n").filter { $0.hasPrefix("classicphotos: ") }
            XCTAssertEqual(stops.count, 1, run.error)
            XCTAssert(stops.first?.contains(output.path) ?? false, run.error)
        }
    }
}
