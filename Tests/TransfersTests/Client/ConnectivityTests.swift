import Foundation
import Operations
import OperationsCore
import OperationsTesting
import TestServers
import XCTest

@testable import Transfers

/// A machine that loses its network, and gets it back.
final class ConnectivityTests: DownloadTestCase {
    /// The default route, as far as the client can tell.
    private final class Route: Sendable {
        let isThere = Lock(true)
    }

    private static let body = SeededRandom.data(200_000)
    private let route = Route()

    private func useWaitingClient(
        isNear: @escaping @Sendable (WebAddress.Origin) -> Bool = { _ in false },
        change: (inout TransferClient.Configuration) -> Void = { _ in }
    ) {
        var configuration = TransferClient.Configuration()
        configuration.waitsForConnectivity = true
        configuration.hasDefaultRoute = { [route] in route.isThere.withLock { $0 } }
        configuration.isNear = isNear
        change(&configuration)
        useClient(configuration)
    }

    private func set(_ isThere: Bool) { route.isThere.withLock { $0 = isThere } }

    private func waits(seconds: Double = 60) -> Bool {
        wait(seconds: seconds) { self.client.activity.isWaitingForConnectivity }
    }

    private func serve(_ steps: [FaultScript.Step], at path: String) {
        server.serve(FaultScript(Self.body, headers: ["ETag": "\"v1\""], steps), at: path)
    }

    private func once(_ url: URL, bytesInMemory: Int = 1_000_000) -> DownloadOperation {
        var request = DownloadRequest(url: url, limits: .test)
        request.retry = .once
        request.maxBytesInMemory = bytesInMemory
        return DownloadOperation(request, client: client)
    }

    private func expectUnreachable(_ operation: DownloadOperation, line: UInt = #line) {
        if case .failure(.unreachable) = operation.result { return }
        XCTFail("\(operation.result as Any)", line: line)
    }

    func testTransfersWaitWhileTheNetworkIsLostAndThenGoOn() throws {
        useWaitingClient()
        serve([.noAnswer, .answer], at: "/first")
        serve([.answer], at: "/other")
        set(false)
        let first = once(server.url("/first"))
        queue.addOperation(first)
        XCTAssert(waits())
        let others = (0..<20).map { once(server.url("/other?\($0)")) }
        queue.addOperations(others, waitUntilFinished: false)
        // One can be cancelled meanwhile.
        others[3].cancel()
        end(others[3])
        XCTAssertEqual(server.requestCount("/other"), 0)
        set(true)
        for operation in [first] + others { end(operation) }
        for (index, operation) in ([first] + others).enumerated() where index != 4 {
            XCTAssertEqual(try operation.result?.get().body, Self.body)
            XCTAssertEqual(operation.failedAttempts, [])
        }
        XCTAssertFalse(waits(seconds: 0))
        XCTAssertEqual(server.requestCount("/first"), 2)
    }

    func testWithANetworkAFailureIsOne() throws {
        useWaitingClient()
        serve([.noAnswer], at: "/file")
        let operation = once(server.url("/file"))
        run([operation])
        expectUnreachable(operation)
    }

    /// Such as one in a closed network.
    func testAMachineThatHadNoDefaultRouteDoesNotWait() throws {
        set(false)
        useWaitingClient()
        serve([.noAnswer], at: "/file")
        let operation = once(server.url("/file"))
        run([operation])
        expectUnreachable(operation)
    }

    /// Who refuses a connection is there.
    func testARefusedConnectionIsAnAnswer() throws {
        useWaitingClient()
        let gone = try FaultServer(address: "127.0.0.9")
        let url = gone.url("/ok")
        gone.stop()
        set(false)
        let operation = once(url)
        queue.addOperation(operation)
        XCTAssert(wait(seconds: 60) { operation.isFinished || self.client.activity.isWaitingForConnectivity })
        XCTAssert(operation.isFinished)
        expectUnreachable(operation)
    }

    func testWithoutTheOptionNothingWaits() throws {
        let asked = Lock(0)
        var configuration = TransferClient.Configuration()
        configuration.isNear = { _ in false }
        configuration.hasDefaultRoute = {
            asked.withLock { $0 += 1 }
            return false
        }
        useClient(configuration)
        serve([.noAnswer], at: "/file")
        let operation = once(server.url("/file"))
        run([operation])
        expectUnreachable(operation)
        XCTAssertEqual(asked.withLock { $0 }, 0)
    }

    /// Files, and servers of this machine.
    func testWhatIsNearGoesOn() throws {
        let far = try FaultServer(address: "127.0.0.9")
        defer { far.stop() }
        useWaitingClient(isNear: { $0.host != "127.0.0.9" })
        far.serve(FaultScript(Self.body, [.noAnswer, .answer]), at: "/file")
        set(false)
        let lost = once(far.url("/file"))
        queue.addOperation(lost)
        XCTAssert(waits())
        serve([.noAnswer], at: "/broken")
        let (good, broken) = (once(server.url("/ok")), once(server.url("/broken")))
        run([good, broken])
        XCTAssertEqual(try good.result?.get().body, FaultServer.okBody)
        expectUnreachable(broken)
        XCTAssert(waits(seconds: 0))
        XCTAssertFalse(lost.isFinished)
        set(true)
        end(lost)
        for (host, isNear) in [
            ("127.0.0.1", true), ("127.1.2.3", true), ("[::1]", true), ("localhost", true), ("a.localhost", true),
            ("127.example.org", false), ("10.0.0.1", false), ("example.org", false), ("mylocalhost", false),
        ] {
            XCTAssertEqual(try WebAddress("http://\(host)/").origin.isNear, isNear, host)
        }
        XCTAssert(WebAddress.Origin.localFiles.isNear)
    }

    /// Whoever makes the attempts itself is told that this one does not count.
    func testAnAttemptThatIsLeftToOthersDoesNotCount() throws {
        useWaitingClient()
        serve([.noAnswer, .noAnswer], at: "/file")
        for isThere in [true, false] {
            set(isThere)
            var request = DownloadRequest(url: server.url("/file"), limits: .test)
            request.retry = .transfers(retries: 3)
            request.earlierAttempts = 1
            let operation = DownloadOperation(request, client: client)
            run([operation])
            XCTAssertEqual(operation.nextAttempt?.isCounted, isThere)
            XCTAssertEqual(operation.failedAttempts.count, isThere ? 1 : 0)
            expectUnreachable(operation)
        }
    }

    /// Some VPNs keep their routes elsewhere.
    func testAnAnswerSaysThatNoRouteIsNeeded() {
        var connectivity = Connectivity { [route] in route.isThere.withLock { $0 } }
        var now = SteadyTime.now
        set(false)
        XCTAssert(connectivity.didFail(at: now) && connectivity.isWaiting)
        // One that had begun before may have brought what was there already.
        connectivity.hostAnswered(now, at: now)
        XCTAssert(connectivity.isWaiting)
        for second in 1...30 {
            XCTAssert(connectivity.isWaiting, "\(second)")
            now = now.advanced(by: .seconds(1))
            _ = connectivity.look(at: now)
        }
        // Transfers try.
        XCTAssertFalse(connectivity.isWaiting)
        XCTAssert(connectivity.didFail(at: now) && connectivity.isWaiting)
        connectivity.hostAnswered(now, at: now)
        XCTAssertFalse(connectivity.isWaiting)
        XCTAssertFalse(connectivity.didFail(at: now))
        // A route that comes may be lost again.
        set(true)
        XCTAssertFalse(connectivity.didFail(at: now))
        set(false)
        XCTAssert(connectivity.didFail(at: now))
    }

    func testNobodyWaitsForMoreThanADay() {
        var connectivity = Connectivity { [route] in route.isThere.withLock { $0 } }
        var now = SteadyTime.now
        set(false)
        var rounds = 0
        while connectivity.didFail(at: now), rounds < 5_000 {
            rounds += 1
            now = now.advanced(by: Connectivity.probeInterval)
            _ = connectivity.look(at: now)
        }
        XCTAssertEqual(rounds, 24 * 60 * 2)
        XCTAssertFalse(connectivity.isWaiting)
    }

    /// One that is suspended as well begins nothing when the network is back.
    func testTheNetworkDoesNotEndASuspension() throws {
        useWaitingClient()
        serve([.noAnswer, .answer], at: "/file")
        set(false)
        let operation = once(server.url("/file"))
        queue.addOperation(operation)
        XCTAssert(waits())
        client.suspend(true)
        set(true)
        XCTAssert(wait(seconds: 60) { !self.client.activity.isWaitingForConnectivity })
        // What is near is not begun either; a round of the client has passed when its file is refused.
        let near = once(server.url("/ok"))
        queue.addOperation(near)
        near.cancel()
        end(near)
        XCTAssertEqual(server.requestCount("/file"), 1)
        client.suspend(false)
        end(operation)
        XCTAssertEqual(try operation.result?.get().body, Self.body)
    }

    /// The network goes amid a body, in memory or on the disk, of which the rest is asked for.
    func testABodyGoesOn() throws {
        for bytesInMemory in [1_000_000, 100_000] {
            set(true)
            useWaitingClient()
            set(false)
            serve([.cut(after: 150_000), .answer], at: "/file")
            let operation = once(server.url("/file"), bytesInMemory: bytesInMemory)
            queue.addOperation(operation)
            XCTAssert(waits())
            set(true)
            end(operation)
            XCTAssertEqual(try operation.result?.get().body, Self.body)
            XCTAssertEqual(server.requestHeaders("Range", at: "/file"), [nil, "bytes=150000-"])
        }
    }

    /// An address that was signed for a while may have run out.
    func testARedirectIsAskedForAnew() throws {
        useWaitingClient()
        // The first time over the connection of the redirect, which may be an old one.
        serve([.noAnswer, .noAnswer, .answer], at: "/target")
        set(false)
        let operation = once(server.url("/redirect-to?/target"))
        queue.addOperation(operation)
        XCTAssert(waits())
        set(true)
        end(operation)
        XCTAssertEqual(try operation.result?.get().body, Self.body)
        XCTAssertEqual(server.requestCount("/redirect-to"), 2)
    }

    func testRobotsFilesAreWaitedFor() throws {
        useWaitingClient(change: { $0.obeysRobots = true })
        serve([.noAnswer, .status(404)], at: "/robots.txt")
        serve([.answer], at: "/file")
        set(false)
        let operation = once(server.url("/file"))
        queue.addOperation(operation)
        XCTAssert(waits())
        set(true)
        end(operation)
        XCTAssertEqual(try operation.result?.get().body, Self.body)
        XCTAssertEqual(server.requestCount("/robots.txt"), 2)
    }

    func testTablesOfRoutes() {
        let names = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
        let near = "eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
        XCTAssert(
            DefaultRoute.hasDefault(names + near + "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"))
        // A way to the lower half of all addresses is none to all of them, nor is one that refuses.
        let lower = "tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000080\t0\t0\t0\n"
        let upper = "tun0\t00000080\t00000000\t0001\t0\t0\t0\t00000080\t0\t0\t0\n"
        let refused = "*\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0\n"
        for other in [lower, upper, refused] { XCTAssertFalse(DefaultRoute.hasDefault(names + near + other), other) }
        XCTAssert(DefaultRoute.hasDefault(names + lower + upper))
        XCTAssertFalse(DefaultRoute.hasDefault(names))
        // A cable that is pulled leaves the route where it is.
        XCTAssertFalse(
            DefaultRoute.hasDefault(
                names + "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n", hasCarrier: { $0 != "eth0" }))
        XCTAssertFalse(DefaultRoute.hasDefault(""))
        let zero = String(repeating: "0", count: 32)
        let refusing = "\(zero) 00 \(zero) 00 \(zero) ffffffff 00000001 00000000 00200200       lo\n"
        XCTAssertFalse(DefaultRoute.hasDefault6(refusing))
        XCTAssertFalse(
            DefaultRoute.hasDefault6(
                "fe80\(zero.dropFirst(4)) 40 \(zero) 00 \(zero) 00000100 00000001 00000000 00000001     eth0\n"))
        let hop = "fd\(zero.dropFirst(3))1"
        XCTAssert(
            DefaultRoute.hasDefault6(
                refusing + "\(zero) 00 \(zero) 00 \(hop) 00000400 00000003 00000000 00000003     eth0\n"))
    }
}
