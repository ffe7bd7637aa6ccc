import Foundation
import Glibc
import ImageCodecs
import TestServers
import XCTest

/// What `develop` makes of bad entries, servers, pictures and disks.
final class DevelopFaultTests: DevelopTestCase {
    func testEveryFaultIsATypedFailureAndTheOthersAreUnaffected() throws {
        let bomb = Self.pixelBomb()
        server.serve(bomb, at: "/bomb.png")
        let faults: [(String, String)] = [
            (server.url("/a.jpg").absoluteString, ""),
            (server.url("/status/404").absoluteString, "http"),
            (server.url("/status/503").absoluteString, "http"),
            (server.url(.stall).absoluteString, "timeout"),
            (server.url(.drip).absoluteString, "timeout"),
            (server.url(.endless).absoluteString, "too-large"),
            (server.url(.hugeLength).absoluteString, "too-large"),
            (server.url(.gzipBomb).absoluteString, "too-large"),
            (server.url(.halfBody).absoluteString, "truncated"),
            (server.url(.resetMidBody).absoluteString, "truncated"),
            (server.url(.redirectCircle).absoluteString, "redirects"),
            (server.url(.redirectToFile).absoluteString, "forbidden-address"),
            (server.url(.notHTTP).absoluteString, "protocol"),
            (server.url(.badChunk).absoluteString, "protocol"),
            (server.url(.empty).absoluteString, "empty"),
            (server.url("/page.jpg").absoluteString, "not-an-image"),
            (server.url("/cut.jpg").absoluteString, "damaged-image"),
            (server.url("/bomb.png").absoluteString, "too-many-pixels"),
            ("http://127.0.0.1:1/nobody.jpg", "unreachable"),
            ("gopher://example.org/a.jpg", "forbidden-address"),
            ("http://", "invalid-address"),
            (server.url("/b.png").absoluteString, ""),
        ]
        let (status, rows, run) = try develop(
            try catalog(faults.enumerated().map { ("\($0)", $1.0) }),
            ["--timeout", "10", "--max-bytes", "2MB", "--retries", "0"])
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(rows.map { "\($0[1]) \($0[3])" }, faults.map { "\($0.0) \($0.1)" })
        XCTAssertEqual(rows.map { $0[2] }, faults.map { $0.1.isEmpty ? "filtered" : "failed" })
        for row in rows where row[2] == "failed" { XCTAssertFalse(row[4].isEmpty, "\(row)") }
        XCTAssert(rows[1][4].hasPrefix("404"))
        XCTAssertEqual(try files().count, 2)
        XCTAssert(run.output.contains("20 failed:"), run.output)
    }

    func testAFaultThatPassesIsTriedAgainAndOneThatStaysIsToldWithItsAttempts() throws {
        let image = try Self.image(.jpeg)
        server.serve(FaultScript(image, [.status(503), .cut(after: 100), .answer]), at: "/flaky")
        server.serve(FaultScript(image, [.status(502)]), at: "/broken")
        let rows = ["/flaky", "/broken"].map { ($0, server.url($0).absoluteString) }
        let (status, report, run) = try develop(try catalog(rows), ["--retries", "2"])
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(report.map { $0[3] }, ["", "http"])
        XCTAssert(report[1][4].hasPrefix("502") && report[1][4].contains("3 times"), report[1][4])
        XCTAssertEqual([server.requestCount("/flaky"), server.requestCount("/broken")], [3, 3])
    }

    func testAKilledRunsLargeDownloadIsGoneOnWithByTheNextRun() throws {
        let body = Data((0..<9_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) })
        server.serve(FaultScript(body, headers: ["ETag": "\"1\""], [.stall(after: 9_000_000), .answer]), at: "/large")
        let catalog = try catalog([("large", server.url("/large").absoluteString)])
        let cache = "export XDG_CACHE_HOME='\(folder.path)/cache'"
        let run = try ProgramRun(["develop", catalog, "--output", output.path], limits: cache)
        let partials = folder.appending(path: "cache/classicphotos/partial").path
        func keptBytes() -> Int {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: partials)) ?? []
            return names.reduce(0) { sum, name in
                let attributes = try? FileManager.default.attributesOfItem(atPath: "\(partials)/\(name)")
                return sum + (attributes?[.size] as? Int ?? 0)
            }
        }
        let end = Date(timeIntervalSinceNow: 60)
        while keptBytes() < 8_900_000, Date() < end { usleep(5_000) }
        run.send(SIGKILL)
        XCTAssertEqual(run.wait(), 128 + SIGKILL)
        let arguments = ["develop", catalog, "--output", output.path, "--report", report.path]
        let next = try ProgramRun(arguments, limits: cache)
        XCTAssertEqual(next.wait(), 1, next.error)
        XCTAssertEqual(try rows().map { $0[3] }, ["not-an-image"])
        let range = try XCTUnwrap(server.requestHeaders("Range", at: "/large").last ?? nil)
        let start = try XCTUnwrap(Int(range.dropFirst("bytes=".count).dropLast()))
        XCTAssert((8_000_000...9_000_000).contains(start), range)
        XCTAssertEqual(keptBytes(), 0)
    }

    func testCacheOffKeepsNothingOfWhatWasCutOff() throws {
        server.serve(FaultScript(Data(count: 300_000), headers: ["ETag": "\"1\""], [.cut(after: 200_000)]), at: "/cut")
        let catalog = try catalog([("cut", server.url("/cut").absoluteString)])
        let partials = folder.appending(path: "cache/classicphotos/partial").path
        for (options, count) in [(["--cache", "off"], 0), ([], 1)] {
            let run = try ProgramRun(
                ["develop", catalog, "--output", output.path, "--fresh", "--retries", "0"] + options,
                limits: "export XDG_CACHE_HOME='\(folder.path)/cache'")
            XCTAssertEqual(run.wait(), 1, run.error)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: partials)) ?? []
            XCTAssertEqual(names.count, count, "\(options)")
        }
    }

    func testABrokenEntryIsAFailedRowWithItsPlace() throws {
        let path = folder.appending(path: "catalog.json").path
        try Data("[{\"name\": \"a\", \"url\": \"\(server.url("/a.jpg"))\"},\n {\"name\": \"b\"},\n 7]".utf8)
            .write(to: URL(filePath: path))
        let (status, rows, run) = try develop(path)
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(rows.map { $0[3] }, ["", "invalid-entry", "invalid-entry"])
        XCTAssert(rows[1][4].contains("[1]") || rows[1][4].contains("line 2"), rows[1][4])
    }

    func testACatalogThatCannotBeReadEndsWith3() throws {
        let damaged = folder.appending(path: "damaged.json")
        try Data("[\"http://a/1\", ".utf8).write(to: damaged)
        let image = folder.appending(path: "picture.jpg")
        try Self.image(.jpeg).write(to: image)
        for catalog in [
            damaged.path, image.path, folder.path + "/none", server.url("/status/404").absoluteString,
            server.url("/page.jpg").absoluteString, "http://127.0.0.1:1/catalog",
        ] {
            let (status, rows, run) = try develop(catalog)
            XCTAssertEqual(status, 3, "\(catalog): \(run.error)")
            XCTAssert(run.error.hasPrefix("classicphotos: "), run.error)
            XCTAssertEqual(rows, [])
            XCTAssertFalse(FileManager.default.fileExists(atPath: output.path))
        }
    }

    func testAnOutputThatCannotBeUsedEndsWith4BeforeAnythingIsFetched() throws {
        try Data().write(to: output)
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let (status, _, run) = try develop(catalog)
        XCTAssertEqual(status, 4, run.error)
        XCTAssert(run.error.contains(output.path), run.error)
        XCTAssertEqual(server.requestCount(), 0)

        for option in ["--report", "--contact-sheet", "--trace"] {
            let file = folder.path + "/no/such/file"
            let elsewhere = try ProgramRun(
                ["develop", catalog, "-o", folder.appending(path: "x").path, option, file])
            XCTAssertEqual(elsewhere.wait(), 4, elsewhere.error)
            XCTAssert(elsewhere.error.contains(file), elsewhere.error)
            XCTAssertEqual(server.requestCount(), 0)
        }
    }

    func testADiskThatIsFullStopsTheRunAndLeavesNothingHalfWritten() throws {
        server.serve(try Self.image(.png, width: 640, height: 640), at: "/large.png")
        let addresses = (0..<200).map {
            ("\($0)", server.url($0 < 5 ? "/a.jpg?\($0)" : "/large.png?\($0)").absoluteString)
        }
        // The limit on a file's size stands in for the disk: writing fails in the middle of a file.
        let run = try ProgramRun(
            [
                "develop", try catalog(addresses), "--output", output.path, "--report", report.path, "--format", "png",
                "--filter", "none", "--jobs", "1",
            ], limits: "ulimit -f 200")
        XCTAssertEqual(run.wait(), 4, run.error)
        let rows = try rows()
        XCTAssertEqual(rows.count, 200)
        XCTAssert(rows.contains { $0[3] == "write-failed" })
        XCTAssert(rows.contains { $0[2] == "cancelled" && $0[3].isEmpty })
        XCTAssertEqual(try files(), rows.filter { $0[2] == "filtered" }.map { $0[5] }.sorted())
        for file in try files() {
            XCTAssertNoThrow(
                try ImageDecoder.decode(Data(contentsOf: output.appending(path: file)), longestSide: nil))
        }
    }

    func testAPictureThatItsFormatCannotHoldFailsAlone() throws {
        server.serve(try Self.image(.png, width: 17_000, height: 4), at: "/wide.png")
        let rows = [("wide", server.url("/wide.png").absoluteString), ("a", server.url("/a.jpg").absoluteString)]
        let (status, report, run) = try develop(try catalog(rows), ["--format", "webp", "--size", "65535"])
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(report.map { $0[2] }, ["failed", "filtered"])
        XCTAssertEqual(report[0][3], "write-failed")
    }

    func testAReportReplacesNeitherTheCatalogNorWhatIsNoFile() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let before = try Data(contentsOf: URL(filePath: catalog))
        let socket = try makeSocket()
        for options in [
            ["--report", catalog], ["--contact-sheet", catalog], ["--report", socket], ["--report", folder.path],
            ["--report", folder.path + "/x", "--contact-sheet", folder.path + "/./x"],
            ["--trace", catalog], ["--trace", socket],
            ["--report", folder.path + "/x", "--trace", folder.path + "/./x"],
        ] {
            let run = try ProgramRun(["develop", catalog, "-o", output.path] + options)
            XCTAssertEqual(run.wait(), 4, "\(options): \(run.error)")
        }
        XCTAssertEqual(try Data(contentsOf: URL(filePath: catalog)), before)
        XCTAssertEqual(server.requestCount(), 0)
        var status = stat()
        XCTAssertEqual(stat(socket, &status), 0)
        XCTAssertEqual(status.st_mode & S_IFMT, S_IFSOCK)
    }

    func testClosedStandardDescriptorsAreNotTakenForFiles() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let run = try ProgramRun(
            ["develop", catalog, "-o", output.path, "--report", report.path], limits: "exec 0<&- 1>&- 2>&-")
        XCTAssertEqual(run.wait(), 0)
        XCTAssertEqual(try rows().map { $0[2] }, ["filtered"])
        XCTAssertEqual(try String(contentsOf: report, encoding: .utf8).split(separator: "\n").count, 2)
    }

    func testManyPicturesTakeTheMemoryOfAFew() throws {
        server.serve(try Self.image(.jpeg, width: 1_000, height: 1_000), at: "/large.jpg")
        let catalog = try catalog((0..<150).map { ("\($0)", server.url("/large.jpg").absoluteString + "?\($0)") })
        // As many at once on every machine.
        let run = try ProgramRun(["develop", catalog, "-o", output.path, "--quiet", "--jobs", "2"])
        var (peak, reserved) = (0, 0)
        while run.isRunning {
            peak = max(peak, run.residentMegabytes)
            reserved = max(reserved, run.reservedMegabytes)
        }
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssertGreaterThan(peak, 0)
        // A sanitizer keeps what is freed.
        if reserved < 1_000_000 { XCTAssertLessThan(peak, 250) }
    }

    func testAReportThatCannotBeWrittenStopsTheRun() throws {
        // Rows that fail at once fill the report before the last one is reached.
        var addresses = (0..<5_000).map { ("\($0)", "ftp://example.org/\($0)") }
        addresses.append(("last", server.url("/a.jpg").absoluteString))
        let run = try ProgramRun(
            ["develop", try catalog(addresses), "--output", output.path, "--report", report.path],
            limits: "ulimit -f 200")
        XCTAssertEqual(run.wait(), 4, run.error)
        XCTAssert(run.error.contains(report.path), run.error)
        XCTAssertEqual(server.requestCount(), 0)
        XCTAssertFalse(FileManager.default.fileExists(atPath: report.path))
    }

    func testCtrlCStopsInOrderAndTheNextRunGoesOn() throws {
        var rows = (0..<5).map { ("done \($0)", server.url("/a.jpg").absoluteString + "?\($0)") }
        rows += (0..<50).map { ("held \($0)", server.url(.gate).absoluteString + "?\($0)") }
        let catalog = try catalog(rows)
        let run = try ProgramRun(["develop", catalog, "--output", output.path, "--report", report.path, "--jobs", "1"])
        XCTAssert(server.waitForRequests(Fault.gate.rawValue, count: 4, seconds: 60))
        let end = Date(timeIntervalSinceNow: 60)
        while try files().count(where: { !$0.hasPrefix(".") }) < 5, Date() < end { usleep(2_000) }
        run.send(SIGINT)
        XCTAssertEqual(run.wait(), 130, run.error)
        XCTAssert(run.output.contains("the same command goes on"), run.output)
        XCTAssert(server.waitForPeerClose(Fault.gate.rawValue, count: 4, seconds: 60))
        let first = try self.rows()
        XCTAssertEqual(first.count, 55)
        XCTAssertEqual(first.map { $0[0] }, rows.map { $0.0 })
        XCTAssertEqual(first.filter { $0[2] == "cancelled" && $0[3].isEmpty }.count, 50)
        XCTAssertEqual(try files(), first.filter { $0[2] == "filtered" }.map { $0[5] }.sorted())

        server.openGate()
        let (status, all, next) = try develop(catalog)
        XCTAssertEqual(status, 1, next.error)
        XCTAssertEqual(all.filter { $0[2] == "filtered" }.count, 5)
        XCTAssertEqual(all.filter { $0[3] == "not-an-image" }.count, 50)
        XCTAssertEqual(server.requestCount("/a.jpg"), 5)
    }

    /// Where processors are busy Dispatch takes long to put its handler in place; here it takes until the test says.
    func testCtrlCIsNotLostWhileTheProgramBeginsToListen() throws {
        let library = try slowSignalSources()
        let catalog = try catalog([("held", server.url(.gate).absoluteString)])
        let run = try ProgramRun(
            ["develop", catalog, "--output", output.path], limits: "export LD_PRELOAD='\(library.path)'", in: folder)
        let deadline = Date(timeIntervalSinceNow: 60)
        let begun = folder.appending(path: "begun").path
        while !FileManager.default.fileExists(atPath: begun), run.isRunning, Date() < deadline { usleep(2_000) }
        XCTAssert(FileManager.default.fileExists(atPath: begun), run.error)
        run.send(SIGINT)
        try Data().write(to: folder.appending(path: "go"))
        XCTAssertEqual(run.wait(), 128 + SIGINT, run.error)
    }

    /// A library that makes the program wait before it has a handler for Ctrl-C.
    private func slowSignalSources() throws -> URL {
        try PreloadedLibrary.make(
            "slow",
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <fcntl.h>
            #include <signal.h>
            #include <unistd.h>
            int sigaction(int number, const struct sigaction *wanted, struct sigaction *before) {
                if (number == SIGINT && wanted && wanted->sa_handler != SIG_DFL && wanted->sa_handler != SIG_IGN) {
                    close(open("begun", O_CREAT | O_WRONLY, 0600));
                    for (int i = 0; i < 10000 && access("go", F_OK); i++) usleep(2000);
                }
                int (*next)(int, const struct sigaction *, struct sigaction *) = dlsym(RTLD_NEXT, "sigaction");
                return next(number, wanted, before);
            }
            """, in: folder)
    }

    /// Threads of a run that was cancelled may still compute when the program ends.
    func testTheEndOfTheProgramClearsNothingUpThatThreadsMayUse() throws {
        let library = try PreloadedLibrary.watchingExit(in: folder)
        let catalog = try catalog([("one", server.url("/a.jpg").absoluteString)])
        let run = try ProgramRun(
            ["develop", catalog, "--output", output.path], limits: "export LD_PRELOAD='\(library.path)'", in: folder)
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssertEqual(try files().count, 1)
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.appending(path: "cleared-up").path))
    }

    func testASecondCtrlCEndsAtOnce() throws {
        let catalog = try catalog([("held", server.url(.gate).absoluteString)])
        // The orderly end cannot tell what became of the run: standard output takes no more.
        let pipe = folder.appending(path: "pipe").path
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        let descriptor = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(descriptor) }
        let bytes = [UInt8](repeating: 0, count: 4_096)
        while write(descriptor, bytes, bytes.count) > 0 {}
        let run = try ProgramRun(
            ["develop", catalog, "--output", output.path, "--report", report.path], limits: "exec 1>'\(pipe)'")
        XCTAssert(server.waitForRequests(Fault.gate.rawValue, seconds: 60))
        run.send(SIGINT)
        wait("the report of an orderly end") { FileManager.default.fileExists(atPath: report.path) }
        XCTAssert(run.isRunning)
        run.send(SIGINT)
        XCTAssertEqual(run.wait(), 130)
    }

    func testAKilledRunLeavesOnlyWholePicturesAndTheNextOneClearsUp() throws {
        let rows = (0..<300).map { ("\($0)", server.url("/a.jpg").absoluteString + "?\($0)") }
        // Its last row is held for many seconds, so that it is not over when it is killed.
        let endless = try catalog(rows + [("held", server.url(.gate).absoluteString)])
        let run = try ProgramRun(["develop", endless, "--output", output.path])
        XCTAssert(server.waitForRequests("/a.jpg", count: 60, seconds: 60))
        run.send(SIGKILL)
        XCTAssertEqual(run.wait(), 128 + SIGKILL)
        for file in try files() where !file.hasPrefix(".") {
            XCTAssertNoThrow(
                try ImageDecoder.decode(Data(contentsOf: output.appending(path: file)), longestSide: nil))
        }
        let (status, all, next) = try develop(try catalog(rows), ["--fresh", "--skip-existing"])
        XCTAssertEqual(status, 0, next.error)
        XCTAssertEqual(try files(), all.map { $0[5] }.sorted())
    }

    /// A PNG of 225,000 x 225,000 pixels in a few bytes.
    private static func pixelBomb() -> Data {
        func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
            func number(_ value: UInt32) -> [UInt8] {
                (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
            }
            let content = Array(type.utf8) + body
            var check: UInt32 = ~0
            for byte in content {
                check ^= UInt32(byte)
                for _ in 0..<8 { check = check & 1 == 1 ? check >> 1 ^ 0xEDB8_8320 : check >> 1 }
            }
            return number(UInt32(body.count)) + content + number(~check)
        }
        let side: [UInt8] = [0, 3, 0x6E, 0xE8]
        return Data(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", side + side + [1, 0, 0, 0, 0])
                + chunk("IDAT", [0x78, 0x9C, 3, 0, 0, 0, 0, 1]) + chunk("IEND", []))
    }

    func testTheProxyOfTheEnvironmentIsUsed() throws {
        let address = "http://photos.example.org/a.jpg"
        server.serve(try Self.image(.jpeg), at: address)
        let run = try ProgramRun(
            ["develop", try catalog([("a", address)]), "--output", output.path],
            limits: "export http_proxy=http://127.0.0.1:\(server.port) no_proxy=")
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssertEqual(server.requestCount(address), 1)
    }
}
