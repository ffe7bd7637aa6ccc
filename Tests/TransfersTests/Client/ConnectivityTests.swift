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

    private func useWaitingClient() {
        var configuration = TransferClient.Configuration()
        configuration.waitsForConnectivity = true
        configuration.hasDefaultRoute = { [route] in route.isThere.withLock { $0 } }
        useClient(configuration)
    }

    private func set(_ isThere: Bool) { route.isThere.withLock { $0 = isThere } }

    private func waits(seconds: Double = 60) -> Bool {
        wait(seconds: seconds) { self.client.activity.isWaitingForConnectivity }
    }

    /// An address at which nobody listens, until a server is started there.
    private func deadPort() throws -> Int {
        let server = try FaultServer(address: "127.0.0.9")
        defer { server.stop() }
        return server.port
    }

    private func once(_ url: URL) -> DownloadOperation {
        var request = DownloadRequest(url: url, limits: .test)
        request.retry = .once
        return DownloadOperation(request, client: client)
    }

    func testTransfersWaitWhileTheNetworkIsLostAndThenGoOn() throws {
        useWaitingClient()
        let port = try deadPort()
        set(false)
        let operations = try (0..<20).map { once(try url("http://127.0.0.9:\(port)/ok?\($0)")) }
        queue.addOperations(operations, waitUntilFinished: false)
        XCTAssert(waits())
        XCTAssertEqual(operations.count { $0.isFinished }, 0)
        // One can be cancelled meanwhile.
        operations[3].cancel()
        end(operations[3])
        let back = try FaultServer(address: "127.0.0.9", port: port)
        defer { back.stop() }
        set(true)
        for operation in operations { end(operation) }
        for (index, operation) in operations.enumerated() where index != 3 {
            XCTAssertEqual(try operation.result?.get().body, FaultServer.okBody)
            XCTAssertEqual(operation.failedAttempts, [])
        }
        XCTAssertFalse(waits(seconds: 0))
        XCTAssertEqual(back.requestCount(), 19)
    }

    func testWithANetworkAHostThatIsNotThereFailsAtOnce() throws {
        useWaitingClient()
        let port = try deadPort()
        let operation = once(try url("http://127.0.0.9:\(port)/ok"))
        run([operation])
        guard case .failure(.unreachable) = operation.result else { return XCTFail("\(operation.result as Any)") }
    }

    /// Such as one in a closed network.
    func testAMachineThatHadNoDefaultRouteDoesNotWait() throws {
        set(false)
        useWaitingClient()
        let port = try deadPort()
        let operation = once(try url("http://127.0.0.9:\(port)/ok"))
        run([operation])
        guard case .failure(.unreachable) = operation.result else { return XCTFail("\(operation.result as Any)") }
    }

    func testWithoutTheOptionNothingWaits() throws {
        let asked = Lock(0)
        var configuration = TransferClient.Configuration()
        configuration.hasDefaultRoute = {
            asked.withLock { $0 += 1 }
            return false
        }
        useClient(configuration)
        let operation = once(try url("http://127.0.0.9:\(try deadPort())/ok"))
        run([operation])
        guard case .failure(.unreachable) = operation.result else { return XCTFail("\(operation.result as Any)") }
        XCTAssertEqual(asked.withLock { $0 }, 0)
    }

    /// Some VPNs keep their routes elsewhere.
    func testAnAnswerSaysThatNoRouteIsNeeded() {
        var connectivity = Connectivity { [route] in route.isThere.withLock { $0 } }
        var now = SteadyTime.now
        set(false)
        XCTAssert(connectivity.didFail(at: now) && connectivity.isWaiting)
        // One that had begun before may have brought what was there already.
        connectivity.hostAnswered(now)
        XCTAssert(connectivity.isWaiting)
        for second in 1...30 {
            XCTAssert(connectivity.isWaiting, "\(second)")
            now = now.advanced(by: .seconds(1))
            connectivity.look(at: now)
        }
        // Transfers try.
        XCTAssertFalse(connectivity.isWaiting)
        XCTAssert(connectivity.didFail(at: now) && connectivity.isWaiting)
        connectivity.hostAnswered(now)
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
            connectivity.look(at: now)
        }
        XCTAssertEqual(rounds, 24 * 60 * 2)
        XCTAssertFalse(connectivity.isWaiting)
    }

    /// One that is suspended as well begins nothing when the network is back.
    func testTheNetworkDoesNotEndASuspension() throws {
        useWaitingClient()
        let port = try deadPort()
        set(false)
        let operation = once(try url("http://127.0.0.9:\(port)/ok"))
        queue.addOperation(operation)
        XCTAssert(waits())
        client.suspend(true)
        let back = try FaultServer(address: "127.0.0.9", port: port)
        defer { back.stop() }
        set(true)
        XCTAssert(wait(seconds: 60) { !self.client.activity.isWaitingForConnectivity })
        XCTAssertEqual(back.requestCount(), 0)
        client.suspend(false)
        end(operation)
        XCTAssertEqual(try operation.result?.get().body, FaultServer.okBody)
    }

    /// The network goes amid a body, of which the rest is asked for.
    func testABodyGoesOn() throws {
        useWaitingClient()
        set(false)
        let script = FaultScript(Self.body, headers: ["ETag": "\"v1\""], [.cut(after: 150_000), .answer])
        server.serve(script, at: "/file")
        let operation = once(server.url("/file"))
        queue.addOperation(operation)
        XCTAssert(waits())
        set(true)
        end(operation)
        XCTAssertEqual(try operation.result?.get().body, Self.body)
        XCTAssertEqual(server.requestHeaders("Range", at: "/file"), [nil, "bytes=150000-"])
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
