import Foundation
import OperationsCore
import PhotoPipeline
import TestServers
import Transfers
import XCTest

@testable import PhotoDevelopment

/// Rows that wait for another try.
final class WaitingRowTests: JournalTestCase {
    private var servers: [FaultServer] = []

    override func tearDown() {
        for server in servers { server.stop() }
        super.tearDown()
    }

    private func catalog(_ addresses: [URL]) async throws -> Catalog {
        let text = "name,url\n" + addresses.enumerated().map { "photo \($0),\($1.absoluteString)\n" }.joined()
        try Data(text.utf8).write(to: URL(filePath: folder + "/web.csv"))
        return try await Catalog.load(from: .path(folder + "/web.csv"))
    }

    private func wait(until isMet: () -> Bool) async throws -> Bool {
        let end = Date(timeIntervalSinceNow: 120)
        while !isMet() {
            if Date() > end { return false }
            try await Task.sleep(for: .milliseconds(5))
        }
        return true
    }

    /// A row that waits is a few numbers, and not the operations of its photo.
    func testRowsThatWaitForAnotherTryAreNoOperations() async throws {
        servers = try (0..<16).map { _ in try FaultServer() }
        for server in servers {
            server.serve(FaultScript(Data(), [.status(503, ["Retry-After": "50"])]), at: "/busy")
        }
        let catalog = try await catalog((0..<64).map { servers[$0 % 16].url("/busy?\($0)") })
        let development = try Development(of: catalog, options: options)
        async let summary = development.run()
        for server in servers { XCTAssert(server.waitForRequests("/busy")) }
        let areSetAside = try await wait { development.progress.waiting == 64 && development.atWork == 0 }
        XCTAssert(areSetAside, "\(development.atWork) of \(development.progress.waiting) that wait are operations")
        XCTAssertEqual(development.progress.done, 0)
        development.cancel()
        let (ended, began) = (await summary, Date())
        XCTAssertEqual(ended.cancelled, 64)
        XCTAssertLessThan(Date().timeIntervalSince(began), 20)
    }

    /// A list that is sorted by host, with a slow one first.
    func testAHostWithManyRowsDoesNotHoldUpThoseBehindIt() async throws {
        servers = [try FaultServer(), try FaultServer()]
        let image = try Data(contentsOf: URL(filePath: try await imagePath()))
        for server in servers { server.serve(image, at: "/gate") }
        servers[1].openGate()
        let slow = (0..<200).map { servers[0].url("/gate?\($0)") }
        let catalog = try await catalog(slow + (0..<10).map { servers[1].url("/gate?\($0)") })
        var options = options
        options.mostSetAside = 20
        let development = try Development(of: catalog, options: options)
        async let summary = development.run()
        let areDone = try await wait { development.progress.filtered == 10 }
        XCTAssert(areDone, "\(development.progress)")
        // What is kept back waits for its host as well.
        let areWaiting = try await wait { development.progress.waiting >= 190 }
        XCTAssert(areWaiting, "\(development.progress)")
        // No more than the line of one host beyond what may be set aside.
        let window = development.state.withLock { $0.window }
        XCTAssertLessThanOrEqual(window.setAside, 20 + 16)
        XCTAssertGreaterThanOrEqual(window.keptBack, 190 - 20 - 16)
        servers[0].openGate()
        let ended = await summary
        XCTAssertEqual(ended.progress.filtered, 210)
        XCTAssertNil(ended.stop)
    }

    /// Rows that name the address of one that was kept back wait for it, until it never comes.
    func testARunWithRowsThatAreKeptBackCanBeStopped() async throws {
        servers = [try FaultServer()]
        let slow = (0..<300).map { servers[0].url("/gate?\($0)") }
        let catalog = try await catalog(slow + slow.reversed())
        var options = options
        options.mostSetAside = 4
        // At most ten are at work: the last run has looked at all rows, and the others look at them when they are stopped.
        for count in [20, 60, 150, 250, 290] {
            options.output = folder + "/pictures-\(count)"
            let development = try Development(of: catalog, options: options)
            async let summary = development.run()
            let areWaiting = try await wait { development.progress.waiting >= count }
            XCTAssert(areWaiting, "\(development.progress)")
            development.cancel()
            let ended = await summary
            XCTAssertEqual(ended.cancelled, 600)
            XCTAssertEqual(development.progress.waiting, 0)
        }
    }

    /// Its client lives on, as that of a task with many shards does.
    func testARunThatIsOverIsNotKeptByItsClient() async throws {
        servers = [try FaultServer()]
        servers[0].serve(try Data(contentsOf: URL(filePath: try await imagePath())), at: "/a")
        var development: Development? = try Development(of: try await catalog([servers[0].url("/a")]), options: options)
        weak let run = development
        let pipeline = try XCTUnwrap(run?.pipeline)
        // So many rows never wait.
        if let run { pipeline.client.tellWhenTurnsOnlyWait(run, count: 99) }
        let summary = await development?.run()
        XCTAssertEqual(summary?.progress.filtered, 1)
        development = nil
        let isGone = try await wait { run == nil }
        XCTAssertTrue(isGone)
        withExtendedLifetime(pipeline) {}
    }

    /// Who is tried again comes with all of its attempts into the report.
    func testAttemptsBelongToTheirRow() async throws {
        servers = [try FaultServer()]
        let image = try Data(contentsOf: URL(filePath: try await imagePath()))
        servers[0].serve(FaultScript(image, [.status(503), .noAnswer, .answer]), at: "/third")
        servers[0].serve(FaultScript(image, [.status(500)]), at: "/never")
        servers[0].serve(FaultScript(image, headers: ["ETag": "\"1\""], [.cut(after: 100), .answer]), at: "/cut")
        var options = options
        options.report = folder + "/report.csv"
        options.hostPatience = .zero
        let paths = ["/third", "/never", "/cut"]
        let development = try Development(
            of: try await catalog(paths.map { servers[0].url($0) }), options: options)
        let summary = await development.run()
        XCTAssertEqual(summary.progress.filtered, 2)
        XCTAssertEqual(paths.map { servers[0].requestCount($0) }, [3, 3, 2])
        let lines = try String(contentsOfFile: folder + "/report.csv", encoding: .utf8).split(separator: "\n")
        XCTAssert(lines[1].contains(",filtered,"), "\(lines)")
        XCTAssert(lines[2].contains("It was tried 3 times."), "\(lines)")
        // What came before the connection was lost counts.
        XCTAssert(lines[3].contains(",\(image.count + 100),"), "\(image.count): \(lines)")
    }

    private func imagePath() async throws -> String {
        _ = try await catalog(["a.jpg"])
        return folder + "/a.jpg"
    }
}
