import Foundation
import Operations
import OperationsCore
import OperationsTesting
import TestServers
import XCTest

@testable import Transfers

/// What hosts' robots.txt lets be fetched, with real servers.
final class RobotsTransferTests: DownloadTestCase {
    private func use(_ change: (inout TransferClient.Configuration) -> Void = { _ in }) {
        var configuration = TransferClient.Configuration()
        configuration.obeysRobots = true
        configuration.userAgent = "PhotoBot/2 (test)"
        change(&configuration)
        useClient(configuration)
    }

    private func serveRobots(_ text: String, from server: FaultServer? = nil) {
        (server ?? self.server).serve(Data(text.utf8), at: "/robots.txt")
    }

    /// One file a host, before all else, also where there is one place in all.
    func testOneFileAHostDecides() throws {
        for width in [1, 8] {
            use {
                $0.transfersPerHost = width
                $0.transfersInAll = width
            }
            serveRobots("User-agent: photobot\nDisallow: /status\nDisallow: /head$\n")
            let before = (server.requestCount("/robots.txt"), server.requestCount())
            let paths = ["/ok", "/status/404", "/head", "/head?1", "/status/200", "/ok?2", "/redirect-to?/status/200"]
            let operations = paths.map { operation(server.url($0)) }
            run(operations)
            XCTAssertEqual(
                operations.map { $0.result?.error },
                [
                    nil, .disallowed(by: .robots), .disallowed(by: .robots), nil, .disallowed(by: .robots), nil,
                    .disallowed(by: .robots),
                ])
            XCTAssertEqual(server.requestCount("/robots.txt") - before.0, 1)
            // What is forbidden is not asked for.
            XCTAssertEqual(server.requestCount() - before.1, 5)
            // Counted by the client's own thread, which tells of an end first.
            XCTAssertTrue(wait { self.client.activity.waiting == 0 })
        }
        use { $0.userAgent = "Other" }
        XCTAssertEqual(failure(server.url("/status/404")), .http(status: 404))
    }

    func testAHostWithoutAFileAllowsAll() throws {
        use()
        for status in [404, 403, 410] {
            let other = try FaultServer()
            defer { other.stop() }
            other.serve(FaultScript(Data(), [.status(status)]), at: "/robots.txt")
            XCTAssertNil(failure(other.url("/ok")), "\(status)")
        }
        // Further than it has to be followed.
        server.serve(FaultScript(Data(), [.status(302, ["Location": "/robots.txt"])]), at: "/robots.txt")
        XCTAssertNil(failure(server.url("/ok")))
        XCTAssertEqual(server.requestCount("/robots.txt"), 6)
    }

    func testAFileThatCannotBeHadForbidsAll() throws {
        use()
        server.serve(FaultScript(Data(), [.status(500)]), at: "/robots.txt")
        let error = TransferError.disallowed(by: .unreachableRobots(.http(status: 500)))
        XCTAssertEqual(failure(server.url("/ok")), error)
        // It was tried again, and is not asked for any more.
        XCTAssertEqual(server.requestCount("/robots.txt"), 3)
        XCTAssertEqual(failure(server.url("/ok")), error)
        XCTAssertEqual(server.requestCount(), 3)
        let gone = try FaultServer()
        let address = gone.url("/ok")
        gone.stop()
        guard case .disallowed(by: .unreachableRobots(.unreachable))? = failure(address) else {
            return XCTFail("a host that is not there")
        }
    }

    func testAFaultThatPassesIsTriedAgain() throws {
        use()
        server.serve(FaultScript(Data("User-agent: *\nDisallow: /ok\n".utf8), [.noAnswer, .answer]), at: "/robots.txt")
        XCTAssertEqual(failure(server.url("/ok")), .disallowed(by: .robots))
        XCTAssertNil(failure(server.url("/head")))
    }

    /// The line of a host stands while its file is on its way, but not for that file.
    func testRedirectsOfTheFileAndOfWhatIsFetched() throws {
        let other = try FaultServer()
        defer { other.stop() }
        serveRobots("User-agent: *\nDisallow: /head\n", from: other)
        for inAll in [1, 8] {
            use {
                $0.transfersPerHost = 1
                $0.transfersInAll = inAll
            }
            let rules = Data("User-agent: *\nDisallow: /status\n".utf8)
            server.serve(rules, at: "/moved")
            for places in [["/moved"], ["/second", "/moved"], [other.url("/robots.txt").absoluteString]] {
                use {
                    $0.transfersPerHost = 1
                    $0.transfersInAll = inAll
                }
                for (from, to) in zip(["/robots.txt"] + places, places) {
                    server.serve(FaultScript(Data(), [.status(302, ["Location": to])]), at: from)
                }
                let operations = ["/ok", "/ok?2", "/status/404"].map { operation(server.url($0)) }
                run(operations)
                XCTAssertNil(operations[0].result?.error)
                XCTAssertNil(operations[1].result?.error)
                let isOther = places[0].hasPrefix("http")
                XCTAssertEqual(operations[2].result?.error, isOther ? .http(status: 404) : .disallowed(by: .robots))
                server.serve(rules, at: "/moved")
            }
            // A photo that leads to another host is that host's.
            let forbidden = other.url("/head").absoluteString
            XCTAssertEqual(failure(server.url("/redirect-to?\(forbidden)")), .disallowed(by: .robots))
            XCTAssertNil(failure(server.url("/redirect-to?\(other.url("/ok").absoluteString)")))
        }
        XCTAssertEqual(other.requestCount("/head"), 0)
    }

    /// A redirect that may not lead to a host may not have it asked for its file, and says nothing to those who may.
    func testAHostThatARedirectMayNotLeadToIsNotAsked() throws {
        let other = try FaultServer()
        defer { other.stop() }
        use {
            // Both are names in this network, of different machines.
            $0.resolvedNames = ["nas:\(server.port):127.0.0.1", "db:\(other.port):127.0.0.2"]
        }
        let inside = try url("http://db:\(other.port)/ok")
        server.serve(Data(), at: "/there", headers: ["Status": "302", "Location": inside.absoluteString])
        func error(_ url: URL) -> TransferError? {
            let request = DownloadRequest(url: url, limits: .test, addressGuard: .named)
            let operation = DownloadOperation(request, client: client)
            run([operation])
            return operation.result?.error
        }
        guard
            case .disallowed(by: .unreachableRobots(.forbiddenAddress)) = error(
                try url("http://nas:\(server.port)/there"))
        else { return XCTFail("it was asked") }
        XCTAssertEqual(other.connectionCount, 0)
        // Whoever names it is not refused because of that; nobody answers there.
        guard case .disallowed(by: .unreachableRobots(.unreachable)) = error(inside) else {
            return XCTFail("it was not asked")
        }
    }

    func testTheFileCountsForTheRate() throws {
        let clock = ManualClock()
        use {
            $0.clock = clock
            $0.requestsPerSecond = 2
        }
        serveRobots("User-agent: *\nDisallow: /status\n")
        let forbidden = (0..<20).map { operation(server.url("/status/\($0)")) }
        queue.addOperations(forbidden, waitUntilFinished: false)
        XCTAssertTrue(wait { self.server.requestCount() == 1 && clock.sleeperCount == 1 })
        XCTAssertEqual(server.requestCount("/robots.txt"), 1)
        clock.advance(by: .milliseconds(500))
        // What is not asked for takes none of the host's time.
        for operation in forbidden { end(operation) }
        XCTAssertEqual(Set(forbidden.compactMap { $0.result?.error }), [.disallowed(by: .robots)])
        XCTAssertNil(failure(server.url("/ok")))
        XCTAssertEqual(server.requestCount(), 2)
        let next = operation(server.url("/ok"))
        queue.addOperation(next)
        XCTAssertTrue(wait { self.client.activity.waiting == 1 && clock.sleeperCount == 1 })
        XCTAssertEqual(server.requestCount(), 2)
        clock.advance(by: .milliseconds(500))
        end(next)
        XCTAssertEqual(server.requestCount(), 3)
    }

    func testWhoWaitsForAFileCanBeCancelled() throws {
        use()
        server.serve(FaultScript(Data(), [.silence]), at: "/robots.txt")
        let operations = (0..<20).map { operation(server.url("/ok?\($0)")) }
        queue.addOperations(operations, waitUntilFinished: false)
        XCTAssertTrue(server.waitForRequests("/robots.txt"))
        queue.cancelAllOperations()
        for operation in operations { end(operation) }
        XCTAssertEqual(server.requestCount(), 1)
    }

    /// By the time of its turn the answer might be too old.
    func testWhoHasAskedIsRefusedAtOnce() {
        let clock = ManualClock()
        use {
            $0.clock = clock
            $0.requestsPerSecond = 0.001
        }
        serveRobots("User-agent: *\nDisallow: /status\n")
        XCTAssertEqual(failure(server.url("/status/1")), .disallowed(by: .robots))
        XCTAssertEqual(server.requestCount(), 1)
    }

    func testNothingIsFetchedForNobody() throws {
        use { $0.transfersPerHost = 1 }
        server.serve(FaultScript(Data(), [.silence, .answer]), at: "/robots.txt")
        let operations = (0..<3).map { operation(server.url("/ok?\($0)")) }
        queue.addOperations(operations, waitUntilFinished: false)
        XCTAssertTrue(server.waitForRequests("/robots.txt"))
        XCTAssertTrue(wait { self.client.activity.waiting == 2 })
        operations[0].cancel()
        end(operations[0])
        // The others are in line, and need it.
        let other = try FaultServer()
        defer { other.stop() }
        for _ in 1...3 { XCTAssertNil(failure(other.url("/ok"))) }
        XCTAssertTrue(wait { self.client.activity.running == 1 })
        XCTAssertEqual(server.requestCounts, ["/robots.txt": 1])
        for operation in operations { operation.cancel() }
        for operation in operations { end(operation) }
        XCTAssertTrue(server.waitForPeerClose("/robots.txt"))
        XCTAssertTrue(wait { self.client.activity.running == 0 })
        XCTAssertNil(failure(server.url("/ok")))
        XCTAssertEqual(server.requestCount("/robots.txt"), 2)
    }

    /// Also where its length is known before.
    func testOfAFileWithoutEndTheBeginningCounts() throws {
        use()
        let rules = "User-agent: *\nDisallow: /head\n" + String(repeating: "# and so on\n", count: 1_000_000)
        serveRobots(rules)
        XCTAssertEqual(failure(server.url("/head")), .disallowed(by: .robots))
        XCTAssertNil(failure(server.url("/ok")))
        XCTAssertEqual(server.requestCount("/robots.txt"), 1)
    }

    func testAFileIsAskedForAgainAfterADay() {
        let clock = ManualClock()
        use { $0.clock = clock }
        serveRobots("User-agent: *\nDisallow: /head\n")
        XCTAssertEqual(failure(server.url("/head")), .disallowed(by: .robots))
        serveRobots("User-agent: *\nDisallow: /ok\n")
        clock.advance(by: .seconds(86_399))
        XCTAssertEqual(failure(server.url("/head")), .disallowed(by: .robots))
        XCTAssertEqual(server.requestCount("/robots.txt"), 1)
        clock.advance(by: .seconds(1))
        XCTAssertNil(failure(server.url("/head")))
        XCTAssertEqual(failure(server.url("/ok")), .disallowed(by: .robots))
        XCTAssertEqual(server.requestCount("/robots.txt"), 2)
    }

    func testAnswersThatAskNotToBeUsed() throws {
        use {
            $0.obeysRobots = false
            $0.respectedDirectives = ["noai", "noindex"]
        }
        let cases: [(String, String?)] = [
            ("noai", "noai"), ("all, NOINDEX", "noindex"), ("photobot: noai", "noai"), ("otherbot: noai", nil),
            ("nofollow", nil), ("none", "none"),
        ]
        for (number, (field, directive)) in cases.enumerated() {
            server.serve(FaultServer.okBody, at: "/tagged\(number)", headers: ["X-Robots-Tag": field])
            let expected = directive.map { TransferError.disallowed(by: .tag($0)) }
            XCTAssertEqual(failure(server.url("/tagged\(number)")), expected, field)
        }
        use { $0.obeysRobots = false }
        XCTAssertNil(failure(server.url("/tagged0")))
        XCTAssertEqual(server.requestCount("/robots.txt"), 0)
    }

    /// Also where it was kept by somebody who did not mind.
    func testKeptAnswersThatAskNotToBeUsed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "robots-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let headers = ["X-Robots-Tag": "noai", "Cache-Control": "max-age=1000"]
        server.serve(FaultServer.okBody, at: "/kept", headers: headers)
        let cache = DiskCache(folder: folder)
        for (respected, error) in [([], nil), (["noai"], .disallowed(by: .tag("noai")))]
            as [(Set<String>, TransferError?)]
        {
            use {
                $0.obeysRobots = false
                $0.respectedDirectives = respected
            }
            let request = DownloadRequest(url: server.url("/kept"), limits: .test)
            let download = CachedDownloadOperation(request, client: client, cache: cache)
            run([download])
            flush(cache)
            XCTAssertEqual(download.result?.error, error)
        }
        XCTAssertEqual(server.requestCount("/kept"), 1)
    }
}
