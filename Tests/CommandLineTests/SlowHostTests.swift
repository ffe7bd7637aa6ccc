import Foundation
import ImageCodecs
import TestServers
import XCTest

/// `develop` beside hosts that are slow, busy or far away: the photos of the others come as if those were not there.
final class SlowHostTests: DevelopTestCase {
    private func good(_ count: Int) -> [(String, String)] {
        (0..<count).map { ("good \($0)", server.url("/a.jpg?\($0)").absoluteString) }
    }

    /// Begins a run that gives no transfer up that goes on, and waits until so many pictures are there.
    private func run(until count: Int, of rows: [(String, String)]) throws -> ProgramRun {
        let run = try ProgramRun([
            "develop", try catalog(rows), "--output", output.path, "--filter", "none", "--timeout", "3600",
        ])
        func written() -> Int { ((try? files()) ?? []).filter { $0.hasSuffix(".jpg") && !$0.hasPrefix(".") }.count }
        wait("\(count) pictures") { written() >= count || !run.isRunning }
        XCTAssertEqual(written(), count, run.error)
        return run
    }

    /// Addresses of hosts that never answer, or would take days: half of them are silent, half send a byte now and then.
    private func slow(_ count: Int, at servers: [FaultServer]) -> [(String, String)] {
        (0..<count).map { number in
            let server = servers[number % servers.count]
            let isSilent = number / servers.count % 2 == 0
            return (
                "slow \(number)",
                isSilent
                    ? server.url(.stall, query: "\(number)").absoluteString
                    : server.url(.drip, query: "ms=\(5_000 + number)").absoluteString
            )
        }
    }

    /// All that was asked of a server is waited for still.
    private func expectPatience(_ server: FaultServer, with fault: Fault, requests: Int) {
        XCTAssertTrue(server.waitForRequests(fault.rawValue, count: requests, seconds: 60))
        XCTAssertEqual(server.peerCloseCount(fault.rawValue), 0, fault.rawValue)
    }

    func testEightSlowAddressesHoldUpNobody() throws {
        let server = try FaultServer()
        defer { server.stop() }
        let run = try run(until: 300, of: slow(8, at: [server]) + good(300))
        for fault in [Fault.stall, .drip] { expectPatience(server, with: fault, requests: 4) }
        run.send(SIGINT)
        XCTAssertEqual(run.wait(), 130, run.error)
    }

    /// As many addresses of slow hosts as there are connections for, before the good ones.
    func testSlowHostsWithManyAddressesHoldUpNobody() throws {
        let servers = try (0..<10).map { _ in try FaultServer() }
        defer { for server in servers { server.stop() } }
        let run = try run(until: 200, of: slow(100, at: servers) + good(200))
        for server in servers { expectPatience(server, with: .stall, requests: 1) }
        run.send(SIGINT)
        XCTAssertEqual(run.wait(), 130, run.error)
    }

    func testEightBusyAddressesHoldUpNobody() throws {
        let busy = try FaultServer()
        defer { busy.stop() }
        let rows = (0..<8).map { number in
            let path = "/busy\(number)"
            busy.serve(FaultScript(Data(), [.status(429, ["Retry-After": "60"])]), at: path)
            return ("busy \(number)", busy.url(path).absoluteString)
        }
        let run = try run(until: 100, of: rows + good(100))
        // The host has asked to be left alone for a minute.
        XCTAssertLessThanOrEqual((0..<8).map { busy.requestCount("/busy\($0)") }.reduce(0, +), 8)
        run.send(SIGINT)
        XCTAssertEqual(run.wait(), 130, run.error)
    }

    func testAHostThatIsGivenUpIsToldInTheReport() throws {
        let broken = try FaultServer()
        defer { broken.stop() }
        broken.serve(FaultScript(Data(), [.status(502)]), at: "/broken")
        let rows = (0..<40).map { ("broken \($0)", broken.url("/broken?\($0)").absoluteString) } + good(4)
        let began = Date()
        let (status, report, run) = try develop(
            try catalog(rows), ["--retries", "0", "--host-patience", "1", "--per-host", "1", "--progress", "json"])
        let seconds = Int(Date().timeIntervalSince(began))
        XCTAssertEqual(status, 1, run.error)
        let reasons = report.map { $0[3] }
        // Three, and the one that tries it after the rest. It is tried again each second, so that more fail on a slow machine.
        let (tried, refused) = (reasons.count { $0 == "http" }, reasons.count { $0 == "host-resting" })
        XCTAssert((4...4 + seconds).contains(tried), "\(tried) in \(seconds) s")
        XCTAssertGreaterThan(refused, 0)
        XCTAssertEqual(tried + refused, 40)
        XCTAssertEqual(reasons.suffix(4), ["", "", "", ""])
        XCTAssert(report.contains { $0[4].contains("again and again") && $0[4].contains("502") }, run.output)
        XCTAssertEqual(broken.requestCount("/broken"), tried)
        XCTAssert(run.error.contains("\"resting_hosts\": 1"), run.error)
        XCTAssert(run.output.contains("\(refused) host-resting"), run.output)
    }

    func testARateIsKept() throws {
        let began = Date()
        let (status, _, run) = try develop(try catalog(good(30)), ["--rate", "10"])
        XCTAssertEqual(status, 0, run.error)
        // Much longer than the program takes to start, on a slow machine too.
        XCTAssertGreaterThan(Date().timeIntervalSince(began), 2.8)
        for options in [["--rate", "0"], ["--rate", "x"], ["--connections", "0"], ["--limit-rate", "-1"]] {
            XCTAssertEqual(try develop(try catalog(good(1)), options).status, 2)
        }
    }

    func testABytesRateIsKept() throws {
        // What follows the picture in its file comes over the network, too.
        let padded = try Self.image(.jpeg, width: 64, height: 40) + Data(count: 100_000)
        server.serve(padded, at: "/padded.jpg")
        let began = Date()
        let rows = (0..<6).map { ("\($0)", server.url("/padded.jpg?\($0)").absoluteString) }
        let (status, _, run) = try develop(try catalog(rows), ["--limit-rate", "200k"])
        XCTAssertEqual(status, 0, run.error)
        // 600 kB, of which a tenth of a second's come at once, and the last piece need not be waited for.
        XCTAssertGreaterThan(Date().timeIntervalSince(began), 2.4)
    }

    func testAHostHasEightTransfersAtATime() throws {
        server.serve(try Self.image(.jpeg, width: 64, height: 40), at: Fault.gate.rawValue)
        let rows = (0..<40).map { ("\($0)", server.url(.gate, query: "\($0)").absoluteString) }
        let run = try ProgramRun(["develop", try catalog(rows), "--output", output.path, "--filter", "none"])
        XCTAssert(server.waitForRequests(Fault.gate.rawValue, count: 8, seconds: 60))
        server.openGate()
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssertEqual(server.peakConnections, 8)
    }

    func testHostsThatAreFarAwayAreAskedAtTheSameTime() throws {
        let image = try Self.image(.jpeg, width: 64, height: 40)
        let servers = try (0..<64).map { _ in try FaultServer() }
        defer { for server in servers { server.stop() } }
        for server in servers { server.serve(image, at: Fault.gate.rawValue) }
        let rows = (0..<640).map { ("far \($0)", servers[$0 % 64].url(.gate, query: "\($0)").absoluteString) }
        let run = try ProgramRun(["develop", try catalog(rows), "--output", output.path, "--filter", "none"])
        // None is answered before all 64 are asked.
        for (number, server) in servers.enumerated() {
            XCTAssert(server.waitForRequests(Fault.gate.rawValue, seconds: 60), "\(number)")
        }
        for server in servers { server.openGate() }
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssertEqual(try files().count { $0.hasSuffix(".jpg") }, 640)
    }
}
