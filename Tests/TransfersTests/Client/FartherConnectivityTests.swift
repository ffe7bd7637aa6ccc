import Foundation
import Glibc
import Operations
import OperationsCore
import OperationsTesting
import TestServers
import XCTest

@testable import Transfers

/// A network that is lost farther away than at this machine, as where a router has no line.
final class FartherConnectivityTests: DownloadTestCase {
    /// Whether hosts that have answered can be reached, and how often that was asked.
    private final class Line: Sendable {
        let isThere = Lock(true)
        let questions = Lock<[[AnsweringHosts.Place]]>([])
    }

    private static let body = SeededRandom.data(20_000)
    private let line = Line()
    private var servers: [FaultServer] = []

    override func tearDown() {
        stopServers()
        super.tearDown()
    }

    private func stopServers() {
        for server in servers { server.stop() }
        servers = []
    }

    /// A client that waits, and servers of different addresses that have answered it.
    private func useWaitingClient(
        servers count: Int, isNear: @escaping @Sendable (WebAddress.Origin) -> Bool = { _ in false },
        change: (inout TransferClient.Configuration) -> Void = { _ in }
    ) throws {
        var configuration = TransferClient.Configuration()
        configuration.waitsForConnectivity = true
        configuration.hasDefaultRoute = { true }
        configuration.isNear = isNear
        configuration.isAnyThere = { [line] places in
            line.questions.withLock { $0.append(places) }
            return line.isThere.withLock { $0 }
        }
        change(&configuration)
        useClient(configuration)
        for number in 0..<count {
            let server = try FaultServer(address: "127.0.0.\(20 + number)")
            servers.append(server)
            server.serve(FaultScript(Self.body, [.silence, .answer]), at: "/file")
            let operation = once(server.url("/ok"))
            run([operation])
            XCTAssertEqual(try operation.result?.get().body, FaultServer.okBody)
        }
    }

    /// - Parameter idle: Long enough for the client to notice that all is silent, and to ask.
    private func once(_ url: URL, idle: Double = 6) -> DownloadOperation {
        var request = DownloadRequest(url: url, limits: .limits(idle: idle))
        request.retry = .once
        return DownloadOperation(request, client: client)
    }

    private var questions: [[AnsweringHosts.Place]] { line.questions.withLock { $0 } }

    func testTransfersWaitForHostsThatHaveAnsweredAndThenGoOn() throws {
        try useWaitingClient(servers: 2)
        line.isThere.withLock { $0 = false }
        let lost = servers.map { once($0.url("/file")) }
        queue.addOperations(lost, waitUntilFinished: false)
        XCTAssert(wait(seconds: 60) { self.client.activity.isWaitingForConnectivity })
        XCTAssertEqual(Set(questions.first?.map(\.host) ?? []), ["127.0.0.20", "127.0.0.21"])
        XCTAssertEqual(Set(questions.first?.map { Int($0.port) } ?? []), Set(servers.compactMap { $0.url("/").port }))
        let later = once(servers[0].url("/ok?later"))
        queue.addOperation(later)
        // They are tried to be reached again.
        XCTAssert(wait(seconds: 60) { self.questions.count > 1 })
        XCTAssertEqual(servers[0].requestCount("/ok?later"), 0)
        line.isThere.withLock { $0 = true }
        end(later)
        for operation in lost {
            end(operation)
            XCTAssertEqual(try operation.result?.get().body, Self.body)
            XCTAssertEqual(operation.failedAttempts, [])
        }
        XCTAssertFalse(client.activity.isWaitingForConnectivity)
    }

    /// Bytes that this machine sends itself tell nothing of the network.
    func testWhatComesFromThisMachineIsNoSignOfTheNetwork() throws {
        try useWaitingClient(servers: 3, isNear: { $0.host == "127.0.0.22" })
        line.isThere.withLock { $0 = false }
        let near = once(servers[2].url("/drip?ms=100"), idle: 60)
        queue.addOperation(near)
        let lost = servers.prefix(2).map { once($0.url("/file")) }
        queue.addOperations(lost, waitUntilFinished: false)
        XCTAssert(wait(seconds: 60) { self.client.activity.isWaitingForConnectivity })
        line.isThere.withLock { $0 = true }
        for operation in lost {
            end(operation)
            XCTAssertEqual(try operation.result?.get().body, Self.body)
        }
        XCTAssertFalse(near.isFinished, "it says something all the time")
        near.cancel()
        end(near)
    }

    /// Where the others are there, a host that is silent fails.
    func testASilentHostIsToldFromALostNetwork() throws {
        try useWaitingClient(servers: 2)
        servers[0].serve(FaultScript(Self.body, [.silence]), at: "/dead")
        var request = DownloadRequest(url: servers[0].url("/dead"), limits: .limits(idle: 3))
        request.retry = .transfers(retries: 1)
        let operation = DownloadOperation(request, client: client)
        run([operation])
        guard case .failure(.timeout(.idle, _)) = operation.result else { return XCTFail("\(operation.result as Any)") }
        XCTAssertFalse(client.activity.isWaitingForConnectivity)
        XCTAssertFalse(questions.isEmpty)
    }

    /// One host, two that are near, and a client without the option tell nothing.
    func testOneHostAloneMayBeGoneItself() throws {
        for (count, isNear, waits) in [(1, false, true), (2, true, true), (2, false, false)] {
            try useWaitingClient(servers: count, isNear: { _ in isNear }) { $0.waitsForConnectivity = waits }
            line.isThere.withLock { $0 = false }
            let operation = once(servers[0].url("/file"), idle: 3)
            run([operation])
            guard case .failure(.timeout(.idle, _)) = operation.result else {
                return XCTFail("\(operation.result as Any)")
            }
            XCTAssertEqual(questions, [])
            stopServers()
        }
    }

    // MARK: Without a network

    private var now = SteadyTime.now

    private func pass(_ duration: Duration) { now = now.advanced(by: duration) }

    private func place(_ number: Int, host: Int? = nil) -> AnsweringHosts.Place {
        AnsweringHosts.Place(
            host: "host\(host ?? number).example", address: IPAddress(v4: UInt32(number)), port: 443)
    }

    /// One that has heard of two hosts.
    private func connectivity(_ hasRoute: @escaping @Sendable () -> Bool = { true }) -> Connectivity {
        var connectivity = Connectivity(hasRoute)
        for number in 1...2 {
            connectivity.hostAnswered(now, at: now)
            connectivity.hosts.remember(place(number), at: now)
        }
        return connectivity
    }

    func testWhatIsSilentIsAskedAbout() {
        var connectivity = connectivity()
        let before = now
        XCTAssertFalse(connectivity.didHearNothing(since: before, at: now), "somebody has just answered")
        pass(.seconds(2))
        XCTAssertFalse(connectivity.didHearNothing(since: now, at: now), "something came")
        XCTAssert(connectivity.didHearNothing(since: before, at: now))
        XCTAssert(connectivity.isReaching && connectivity.isWaiting && !connectivity.isLost)
        XCTAssertFalse(connectivity.didHearNothing(since: before, at: now), "not twice at a time")
        XCTAssertFalse(connectivity.didFail(at: now), "it is not known yet why")
        connectivity.reached(true, lastHeard: before, at: now)
        XCTAssertFalse(connectivity.isWaiting || connectivity.isLost)
        XCTAssertFalse(connectivity.didFail(at: now))
        pass(.seconds(9))
        XCTAssertFalse(connectivity.didHearNothing(since: before, at: now), "not at once again")
        pass(.seconds(1))
        XCTAssert(connectivity.didHearNothing(since: before, at: now))
        connectivity.reached(false, lastHeard: before, at: now)
        XCTAssert(connectivity.isLost && connectivity.didFail(at: now))
        XCTAssertFalse(connectivity.didHearNothing(since: before, at: now))
    }

    func testTheHostsAreTriedAgainForAnHour() {
        var connectivity = connectivity()
        let before = now
        pass(.seconds(2))
        XCTAssert(connectivity.didHearNothing(since: before, at: now))
        let start = now
        var pauses: [Duration] = []
        while true {
            connectivity.reached(false, lastHeard: before, at: now)
            guard connectivity.isLost else { break }
            // Later transfers try as well, which do not count.
            XCTAssertEqual(connectivity.isWaiting, pauses.count < 3)
            XCTAssert(connectivity.didFail(at: now) && connectivity.isWaiting)
            XCTAssertFalse(connectivity.didHearNothing(since: before, at: now))
            let last = now
            while !connectivity.look(at: now) { pass(.seconds(1)) }
            pauses.append(last.duration(to: now))
        }
        XCTAssertEqual(pauses.prefix(5), [.seconds(5), .seconds(10), .seconds(20), .seconds(30), .seconds(30)])
        XCTAssertEqual(start.duration(to: now) / .seconds(1), 3_600, accuracy: 30)
        // They are gone themselves, and say nothing any more.
        XCTAssertFalse(connectivity.isLost)
        pass(.seconds(60))
        XCTAssertFalse(connectivity.didHearNothing(since: before, at: now))
    }

    func testAnAnswerEndsTheWait() {
        var connectivity = connectivity()
        let before = now
        pass(.seconds(2))
        XCTAssert(connectivity.didHearNothing(since: before, at: now))
        connectivity.reached(false, lastHeard: before, at: now)
        pass(.seconds(1))
        // A body that stopped a while ago.
        connectivity.hostAnswered(before, at: nil)
        XCTAssert(connectivity.isWaiting)
        pass(.seconds(4))
        XCTAssert(connectivity.look(at: now) && connectivity.isReaching)
        connectivity.hostAnswered(before, at: now)
        XCTAssertFalse(connectivity.isWaiting || connectivity.isLost)
        // Who has tried to reach them meanwhile comes too late.
        connectivity.reached(false, lastHeard: before, at: now)
        XCTAssertFalse(connectivity.isWaiting || connectivity.isLost)
    }

    func testWhatComesWhileTheHostsAreAskedSaysThatTheNetworkIsThere() {
        for comes in ["an answer", "a part of one"] {
            var connectivity = connectivity()
            let before = now
            pass(.seconds(2))
            XCTAssert(connectivity.didHearNothing(since: before, at: now))
            pass(.seconds(1))
            if comes == "an answer" {
                connectivity.hostAnswered(before, at: now)
                XCTAssertFalse(connectivity.isWaiting)
            }
            let last = now
            pass(.seconds(1))
            connectivity.reached(false, lastHeard: last, at: now)
            XCTAssertFalse(connectivity.isWaiting || connectivity.isLost, comes)
        }
    }

    /// A router that begins anew: first there is no carrier, and then no line.
    func testTheRouteAndTheLineAreLostOneAfterTheOther() {
        let route = Lock(true)
        var connectivity = connectivity { route.withLock { $0 } }
        let before = now
        pass(.seconds(1))
        route.withLock { $0 = false }
        XCTAssert(connectivity.didFail(at: now) && connectivity.isLost && !connectivity.isReaching)
        pass(.seconds(1))
        route.withLock { $0 = true }
        XCTAssertFalse(connectivity.look(at: now))
        XCTAssertFalse(connectivity.isWaiting)
        pass(.seconds(1))
        XCTAssertFalse(connectivity.didFail(at: now))
        XCTAssert(connectivity.didHearNothing(since: before, at: now))
        connectivity.reached(false, lastHeard: before, at: now)
        XCTAssert(connectivity.isLost)
        // And the other way round.
        route.withLock { $0 = false }
        pass(.seconds(5))
        XCTAssert(connectivity.look(at: now))
        connectivity.reached(false, lastHeard: before, at: now)
        route.withLock { $0 = true }
        pass(.seconds(1))
        XCTAssertFalse(connectivity.look(at: now))
        XCTAssertFalse(connectivity.isWaiting, "the route is back")
    }

    /// At the end of a catalog, where only hosts are left that are gone.
    func testThereAreFewQuestionsWithoutAnAnswerBetweenThem() {
        var hosts = AnsweringHosts()
        let before = now
        hosts.answered(at: now)
        for number in 1...2 { hosts.remember(place(number), at: now) }
        func questions() -> Int {
            var count = 0
            for _ in 0..<100 {
                pass(.seconds(2))
                if hosts.takeQuestion(since: before, at: now) { count += 1 }
            }
            return count
        }
        XCTAssertEqual(questions(), AnsweringHosts.questions)
        hosts.answered(at: now)
        XCTAssertEqual(questions(), AnsweringHosts.questions)
        hosts.answered(at: now)
        pass(.seconds(2))
        XCTAssert(hosts.takeQuestion(since: before, at: now))
        hosts.answered(at: now)
        pass(.seconds(2))
        XCTAssertFalse(hosts.takeQuestion(since: before, at: now), "there is a pause between them")
    }

    func testHostsOfDifferentNamesAndAddressesAreRemembered() {
        var hosts = AnsweringHosts()
        XCTAssert(hosts.wantsPlace(at: now))
        for other in [place(1), place(1, host: 2), place(2, host: 2)] { hosts.remember(other, at: now) }
        XCTAssertEqual(hosts.places, [place(2)])
        for number in 3...5 { hosts.remember(place(number), at: now) }
        XCTAssertEqual(hosts.places, [3, 4, 5].map { place($0) })
        XCTAssertFalse(hosts.wantsPlace(at: now))
        pass(AnsweringHosts.lifetime)
        XCTAssert(hosts.wantsPlace(at: now))
    }

    // MARK: By TCP

    func testHostsAreReachedByTCP() throws {
        func places(_ ports: Int...) throws -> [AnsweringHosts.Place] {
            let address = try XCTUnwrap(IPAddress("127.0.0.1"))
            return ports.map { AnsweringHosts.Place(host: "", address: address, port: UInt16($0)) }
        }
        let silent = try FullBacklog()
        defer { silent.close() }
        let gone = try FaultServer()
        let refused = try XCTUnwrap(gone.url("/").port)
        gone.stop()
        let there = try XCTUnwrap(server.url("/").port)
        XCTAssert(Reachability.isAnyThere(try places(there)))
        XCTAssert(Reachability.isAnyThere(try places(refused)))
        XCTAssert(Reachability.isAnyThere(try places(silent.port, there)))
        let start = SteadyTime.now
        XCTAssertFalse(Reachability.isAnyThere(try places(silent.port)))
        XCTAssertGreaterThanOrEqual(start.duration(to: .now), Reachability.limit)
        XCTAssertFalse(Reachability.isAnyThere([]))
        let six = try XCTUnwrap(IPAddress("::1"))
        XCTAssert(Reachability.isAnyThere([AnsweringHosts.Place(host: "", address: six, port: UInt16(refused))]))
    }
}
