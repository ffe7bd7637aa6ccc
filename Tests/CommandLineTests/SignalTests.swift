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

    /// `nohup` has it ignored, for runs that go on when the terminal is closed.
    func testAHangupThatIsIgnoredFromTheBeginningStaysSo() throws {
        let rows = [("held", server.url(.gate).absoluteString), ("a", server.url("/a.jpg").absoluteString)]
        let run = try ProgramRun(
            ["develop", try catalog(rows), "--output", output.path, "--report", report.path, "--jobs", "1"],
            limits: "trap '' HUP")
        XCTAssert(server.waitForRequests(Fault.gate.rawValue, seconds: 60))
        run.send(SIGHUP)
        server.openGate()
        XCTAssertEqual(run.wait(), 1, run.error)
        XCTAssertEqual(try self.rows().map { $0[2] }, ["failed", "filtered"])
    }
}
