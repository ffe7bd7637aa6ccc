import Foundation
import TestServers
import XCTest

/// `develop` that is asked to end by signals other than Ctrl-C.
final class SignalTests: DevelopTestCase {
    private func held() throws -> ProgramRun {
        let rows = [("a", server.url("/a.jpg").absoluteString), ("held", server.url(.gate).absoluteString)]
        let run = try ProgramRun([
            "develop", try catalog(rows), "--output", output.path, "--report", report.path, "--jobs", "1",
        ])
        XCTAssert(server.waitForRequests(Fault.gate.rawValue, seconds: 60))
        let end = Date(timeIntervalSinceNow: 60)
        while (try? files().contains { $0.hasSuffix(".jpg") }) != true, Date() < end { usleep(10_000) }
        return run
    }

    func testTheStatusTellsTheSignalAndTheReportIsWritten() throws {
        for (signal, status) in [(SIGHUP, Int32(129)), (SIGINT, 130), (SIGTERM, 143)] {
            let run = try held()
            run.send(signal)
            XCTAssertEqual(run.wait(), status, run.error)
            XCTAssertEqual(try rows().map { $0[2] }, ["filtered", "cancelled"])
            XCTAssert(run.output.contains("the same command goes on"), run.output)
            try FileManager.default.removeItem(at: report)
            try FileManager.default.removeItem(at: output)
        }
    }

    /// `nohup` has hangups ignored, for runs that go on when the terminal is closed, and scripts Ctrl-C for what they start in the
    /// background.
    func testWhatIsIgnoredFromTheBeginningStaysSo() throws {
        for (round, (name, signal)) in [("HUP", SIGHUP), ("INT", SIGINT)].enumerated() {
            server.closeGate()
            let photo = "/a.jpg?\(name)"
            let rows = [
                ("held", server.url(.gate, query: name).absoluteString), ("a", server.url(photo).absoluteString),
            ]
            let run = try ProgramRun(
                ["develop", try catalog(rows), "--output", output.path, "--report", report.path, "--jobs", "1"],
                limits: "trap '' \(name)")
            XCTAssert(server.waitForRequests(Fault.gate.rawValue, count: round + 1, seconds: 60))
            run.send(signal)
            server.openGate()
            XCTAssertEqual(run.wait(), 1, run.error)
            XCTAssertEqual(try self.rows().map { $0[2] }, ["failed", "filtered"], name)
            try FileManager.default.removeItem(at: report)
            try FileManager.default.removeItem(at: output)
        }
    }
}
