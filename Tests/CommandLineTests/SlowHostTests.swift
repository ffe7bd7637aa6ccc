import Foundation
import ImageCodecs
import TestServers
import XCTest

/// `develop` beside hosts that are silent, busy or far away: the photos of the others come as if those were not there.
final class SlowHostTests: DevelopTestCase {
    private func good(_ count: Int) -> [(String, String)] {
        (0..<count).map { ("good \($0)", server.url("/a.jpg?\($0)").absoluteString) }
    }

    /// How long it takes until so many pictures are there; the run is ended then.
    private func seconds(until count: Int, of rows: [(String, String)], atMost limit: Double) throws -> Double {
        try? FileManager.default.removeItem(at: output)
        let began = Date()
        let run = try ProgramRun(["develop", try catalog(rows), "--output", output.path, "--filter", "none"])
        func written() -> Int { ((try? files()) ?? []).filter { $0.hasSuffix(".jpg") && !$0.hasPrefix(".") }.count }
        while written() < count, run.isRunning, Date().timeIntervalSince(began) < limit { usleep(20_000) }
        let seconds = Date().timeIntervalSince(began)
        XCTAssertEqual(written(), count, "after \(seconds) s: \(run.error)")
        if run.isRunning { run.send(SIGINT) }
        run.wait()
        print("\(count) pictures of \(rows.count) rows in \(seconds) s")
        return seconds
    }

    func testEightSilentAddressesHoldUpNobody() throws {
        let silent = try FaultServer()
        defer { silent.stop() }
        let dead = (0..<8).map { ("silent \($0)", silent.url(.stall, query: "\($0)").absoluteString) }
        let alone = try seconds(until: 500, of: good(500), atMost: 60)
        let beside = try seconds(until: 500, of: dead + good(500), atMost: 40)
        // A silent address is given up after 15 s; this machine is slow at times.
        XCTAssertLessThan(beside, alone * 2 + 2)
    }

    /// As many addresses of silent hosts as there are connections for, before the good ones.
    func testSilentHostsWithManyAddressesHoldUpNobody() throws {
        let silent = try (0..<10).map { _ in try FaultServer() }
        defer { for server in silent { server.stop() } }
        let dead = (0..<100).map {
            ("silent \($0)", silent[$0 % 10].url(.stall, query: "\($0)").absoluteString)
        }
        let alone = try seconds(until: 200, of: good(200), atMost: 60)
        let beside = try seconds(until: 200, of: dead + good(200), atMost: 60)
        // They are given up after 15 s.
        XCTAssertLessThan(beside, alone * 2 + 5)
    }

    func testEightBusyAddressesHoldUpNobody() throws {
        let busy = try FaultServer()
        defer { busy.stop() }
        let rows = (0..<8).map { number in
            let path = "/busy\(number)"
            busy.serve(FaultScript(Data(), [.status(429, ["Retry-After": "60"])]), at: path)
            return ("busy \(number)", busy.url(path).absoluteString)
        }
        _ = try seconds(until: 100, of: rows + good(100), atMost: 40)
        // The host has asked to be left alone.
        XCTAssertLessThanOrEqual((0..<8).map { busy.requestCount("/busy\($0)") }.reduce(0, +), 8)
    }

    func testAHostThatIsGivenUpIsToldInTheReport() throws {
        let broken = try FaultServer()
        defer { broken.stop() }
        broken.serve(FaultScript(Data(), [.status(502)]), at: "/broken")
        let rows = (0..<40).map { ("broken \($0)", broken.url("/broken?\($0)").absoluteString) } + good(4)
        let (status, report, run) = try develop(
            try catalog(rows), ["--retries", "0", "--host-patience", "1", "--per-host", "1", "--progress", "json"])
        XCTAssertEqual(status, 1, run.error)
        let reasons = report.map { $0[3] }
        // Three, and the one that tries it after the rest. It is tried again each second, so that more fail on a slow machine.
        let (tried, refused) = (reasons.count { $0 == "http" }, reasons.count { $0 == "host-resting" })
        XCTAssert((4...12).contains(tried), "\(tried)")
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
