import Foundation
import Glibc
import ImageCodecs
import TestServers
import XCTest

/// The same command again, and others in the same folder.
final class ResumptionTests: DevelopTestCase {
    func testTheSameCommandAgainFetchesNothingThatIsDone() throws {
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("gone", server.url("/status/404").absoluteString),
        ])
        let first = try develop(catalog)
        let (status, rows, run) = try develop(catalog)
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(rows, first.rows)
        XCTAssertEqual(server.requestCount(), 2)
        XCTAssert(run.output.contains("1 of 2 photos written"), run.output)
        XCTAssert(run.output.contains("1 failed, 1 of them in earlier runs"), run.output)
        XCTAssert(run.output.contains("gone: 404"), run.output)
    }

    func testFailuresAreTriedAgainByTheirReasons() throws {
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("late", server.url("/late.jpg").absoluteString),
            ("page", server.url("/page.jpg").absoluteString),
        ])
        XCTAssertEqual(try develop(catalog).rows.map { $0[3] }, ["", "http", "not-an-image"])
        server.serve(try Self.image(.jpeg), at: "/late.jpg")
        XCTAssertEqual(try develop(catalog).status, 1)
        XCTAssertEqual(server.requestCount("/late.jpg"), 1)
        let (status, rows, run) = try develop(catalog, ["--only-failed=http,timeout"])
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(rows.map { $0[3] }, ["", "", "not-an-image"])
        XCTAssertEqual(server.requestCount("/page.jpg"), 1)
        server.serve(try Self.image(.jpeg), at: "/page.jpg")
        XCTAssertEqual(try develop(catalog, ["--only-failed"]).status, 0)
        XCTAssertEqual(server.requestCount(), 5)
    }

    func testAnswersAreTriedAgainByTheClassOfTheirStatus() throws {
        let paths = ["/status/404", "/status/503", "/page.jpg"]
        let catalog = try catalog(paths.map { ($0, server.url($0).absoluteString) })
        XCTAssertEqual(try develop(catalog, ["--retries", "0"]).rows.map { $0[3] }, ["http", "http", "not-an-image"])
        for (words, counts) in [
            ("http-5xx", [1, 2, 1]), ("http-4xx", [2, 2, 1]), ("http-4xx,http-5xx", [3, 3, 1]),
            ("not-an-image,http-4xx", [4, 3, 2]), ("http", [5, 4, 2]),
        ] {
            XCTAssertEqual(try develop(catalog, ["--retries", "0", "--only-failed=\(words)"]).status, 1)
            XCTAssertEqual(paths.map { server.requestCount($0) }, counts, words)
        }
        let wrong = try ProgramRun(["develop", catalog, "-o", output.path, "--only-failed=http-6xx"])
        XCTAssertEqual(wrong.wait(), 2)
        XCTAssert(wrong.error.contains("there is no http-6xx; did you mean http-"), wrong.error)
    }

    func testWhatDoesNotFitTheFolderIsRefusedAndSaysWhatToDo() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let only = try ProgramRun(["develop", catalog, "-o", output.path, "--only-failed"])
        XCTAssertEqual(only.wait(), 2)
        XCTAssert(only.error.contains("no run has begun"), only.error)
        XCTAssertEqual(try develop(catalog).status, 0)
        let other = try self.catalog([("b", server.url("/a.jpg").absoluteString)], as: "other.json")
        for (catalog, options, words) in [
            (catalog, ["--quality", "90"], ["--quality", "85", "90", "--fresh", output.path]),
            (catalog, ["--look", "moon"], ["--filter", "sepia-tone(0.8)", "look(moon)"]),
            (catalog, ["--intensity", "60%"], ["--intensity", "100%", "60%", "--fresh"]),
            (catalog, ["--size", "200x100", "--resize", "crop"], ["--size was 1024, and is 200x100 now"]),
            (catalog, ["--skip-existing"], ["--skip-existing", "the same command goes on"]),
            (other, [], ["catalog", "--fresh"]),
            (catalog, ["--fresh", "--only-failed"], ["--fresh"]),
            (catalog, ["--only-failed=htpt"], ["did you mean http"]),
            (catalog, ["--only-failed="], []),
        ] {
            for dry in [[], ["--dry-run"]] {
                let run = try ProgramRun(["develop", catalog, "-o", output.path] + options + dry)
                XCTAssertEqual(run.wait(), words.isEmpty ? 0 : 2, "\(options): \(run.error)")
                for word in words { XCTAssert(run.error.contains(word), "\(word): \(run.error)") }
            }
        }
        XCTAssertEqual(server.requestCount(), 1)
        let fresh = try develop(other, ["--quality", "90", "--fresh"])
        XCTAssertEqual(fresh.status, 0, fresh.run.error)
        XCTAssertEqual(server.requestCount(), 2)
        // Files of the run before are no business of this one.
        XCTAssertEqual(try files().count, 2)
    }

    /// What begins anew does not go on.
    func testAStoppedRunNamesTheCommandThatGoesOn() throws {
        let catalog = try catalog([("held", server.url(.gate).absoluteString), ("gone", "ftp://h/a")])
        for (round, (options, words)) in [
            (["--fresh"], "without --fresh"), (["--fresh", "--skip-existing"], "without --fresh goes on"),
            ([], "the same command goes on"),
        ].enumerated() {
            let run = try ProgramRun(["develop", catalog, "--output", output.path] + options)
            XCTAssert(server.waitForRequests(Fault.gate.rawValue, count: round + 1, seconds: 60))
            run.send(SIGTERM)
            XCTAssertEqual(run.wait(), 143)
            XCTAssert(run.output.contains(words), run.output)
        }
        let failed = try ProgramRun(["develop", catalog, "--output", output.path, "--only-failed"])
        XCTAssertEqual(failed.wait(), 1)
        XCTAssert(failed.output.contains("1 not tried; the same command without --only-failed"), failed.output)
    }

    /// Files of somebody else are left alone by a run that was begun so, however it ended and whatever goes on.
    func testARunThatLeavesFilesAloneGoesOnLeavingThemAlone() throws {
        let names = (0..<3).map { "own\($0)" }
        let catalog = try catalog(
            [("held", server.url(.gate).absoluteString)] + names.map { ($0, server.url("/a.jpg?\($0)").absoluteString) }
        )
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        let own = try Self.image(.jpeg, width: 7, height: 5)
        let files = names.map { output.appending(path: $0 + ".jpg") }
        for file in files { try own.write(to: file) }
        let words = ["develop", catalog, "-o", output.path, "--names", "plain", "--connections", "1"]
        // Once before anything is marked, and once after.
        for signal in [SIGKILL, SIGTERM] {
            let run = try ProgramRun(words + ["--skip-existing"])
            XCTAssert(server.waitForRequests(Fault.gate.rawValue, count: signal == SIGKILL ? 1 : 2, seconds: 60))
            run.send(signal)
            XCTAssertEqual(run.wait(), 128 + signal)
            for options in [["--skip-existing", "--dry-run"], ["--dry-run"]] {
                let dry = try ProgramRun(words + options)
                XCTAssertEqual(dry.wait(), 0, dry.error)
                XCTAssert(dry.output.contains("3 are there already"), dry.output)
            }
        }
        server.openGate()
        for options in [["--skip-existing"], []] {
            let next = try ProgramRun(words + options)
            // What was held is no picture.
            XCTAssertEqual(next.wait(), 1, next.error)
        }
        for file in files { XCTAssertEqual(try Data(contentsOf: file), own, file.path) }
        XCTAssertEqual(server.requestCount("/a.jpg"), 0)
        // In a folder of a run that was begun without, they are the run's.
        XCTAssertEqual(try ProgramRun(words + ["--fresh"]).wait(), 1)
        XCTAssertEqual(server.requestCount("/a.jpg"), 3)
        XCTAssertEqual(try ProgramRun(words + ["--skip-existing"]).wait(), 2)
    }

    /// The rows that wait for the disk hold files open.
    func testFewOpenFilesAreEnough() throws {
        let catalog = try catalog((0..<150).map { ("\($0)", server.url("/a.jpg?\($0)").absoluteString) })
        let variants = ["a:8::", "b:16::", "c:4::webp"].flatMap { ["--variant", $0] }
        for limit in [128, 64] {
            let run = try ProgramRun(
                ["develop", catalog, "-o", output.path, "--fresh", "--connections", "8"] + variants,
                limits: "ulimit -n \(limit)")
            XCTAssertEqual(run.wait(), 0, run.error)
        }
    }

    func testASecondRunIntoTheFolderWaitsForTheEndOfTheFirst() throws {
        let catalog = try catalog([("held", server.url(.gate).absoluteString)])
        let run = try ProgramRun(["develop", catalog, "--output", output.path])
        XCTAssert(server.waitForRequests(Fault.gate.rawValue, seconds: 60))
        for options in [[], ["--fresh"]] {
            let second = try ProgramRun(["develop", catalog, "--output", output.path] + options)
            XCTAssertEqual(second.wait(), 4)
            XCTAssert(second.error.contains("another run") && second.error.contains(output.path), second.error)
        }
        XCTAssert(run.isRunning)
        // The lock goes with the process.
        run.send(SIGKILL)
        run.wait()
        server.serve(try Self.image(.jpeg), at: Fault.gate.rawValue)
        server.openGate()
        XCTAssertEqual(try develop(catalog).status, 0)
    }

    func testAnAddressOfWhichSomeRowsAreDoneIsNotFetchedAgain() throws {
        let rows = (0..<20).map { ("x \($0)", server.url("/a.jpg").absoluteString) }
        for (round, options) in [[], ["--skip-existing"]].enumerated() {
            let first = try develop(try catalog(rows), options)
            for row in first.rows[5...] { try FileManager.default.removeItem(at: output.appending(path: row[5])) }
            let (status, again, run) = try develop(try catalog(rows))
            XCTAssertEqual(status, 0, run.error)
            XCTAssertEqual(again.map { $0[5] }, first.rows.map { $0[5] })
            XCTAssertEqual(try files(), again.map { $0[5] }.sorted())
            XCTAssertEqual(server.requestCount("/a.jpg"), round + 1)
            XCTAssert(run.output.contains("5 of them by earlier runs"), run.output)
            try FileManager.default.removeItem(at: output)
        }
    }

    /// A folder of pictures that is its own output keeps what runs remember, and does not take it for a file of its own.
    func testAFolderThatIsItsOwnOutputGoesOnAndLeavesItsJournalOut() throws {
        let images = folder.appending(path: "mine")
        try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
        for name in ["one.jpg", "two.jpg"] { try Self.image(.jpeg).write(to: images.appending(path: name)) }
        for expected in ["2 of 2 photos written", "2 of them by earlier runs"] {
            let run = try ProgramRun(["develop", "mine", "-o", "mine", "--verbose"], in: folder)
            XCTAssertEqual(run.wait(), 0, run.error)
            XCTAssert(run.output.contains(expected), run.output)
            XCTAssertFalse(run.error.contains(".classicphotos"), run.error)
        }
    }

    func testADiskThatIsFullLeavesARunThatGoesOn() throws {
        server.serve(try Self.image(.png, width: 640, height: 640), at: "/large.png")
        let rows = (0..<60).map {
            ("\($0)", server.url($0 < 20 ? "/a.jpg?\($0)" : "/large.png?\($0)").absoluteString)
        }
        let arguments = [
            "develop", try catalog(rows), "--output", output.path, "--report", report.path, "--format", "png",
            "--filter", "none", "--jobs", "1",
        ]
        let run = try ProgramRun(arguments, limits: "ulimit -f 300")
        XCTAssertEqual(run.wait(), 4, run.error)
        XCTAssert(run.output.contains("the same command goes on"), run.output)
        let before = try self.rows().filter { $0[2] == "filtered" }.count
        let requests = server.requestCount("/a.jpg")
        let next = try ProgramRun(arguments)
        XCTAssertEqual(next.wait(), 0, next.error)
        XCTAssertEqual(try self.rows().map { $0[2] }, Array(repeating: "filtered", count: 60))
        XCTAssertEqual(try files(), try self.rows().map { $0[5] }.sorted())
        XCTAssert(before == 0 || next.output.contains("\(before) of them by earlier runs"), next.output)
        // What was done is not done again.
        XCTAssertEqual(server.requestCount("/a.jpg"), requests + 20 - min(20, before))
    }
}
