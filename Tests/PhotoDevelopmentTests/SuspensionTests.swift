import Foundation
import ImageCodecs
import Operations
import PhotoPipeline
import TestServers
import XCTest

@testable import PhotoDevelopment

/// Runs that somebody suspends, and has go on or ends.
final class SuspensionTests: JournalTestCase {
    private static let photos = 12
    /// As many transfers as there may be with a host that has not answered yet.
    private static let width = 2
    private var server: FaultServer?

    override func tearDown() {
        server?.stop()
        super.tearDown()
    }

    /// A run over photos that a server holds back until its gate is open.
    private func development() async throws -> (Development, FaultServer) {
        _ = try await catalog(["a.jpg"])
        let server = try FaultServer()
        self.server = server
        server.serve(try Data(contentsOf: URL(filePath: folder + "/a.jpg")), at: "/gate")
        let lines = (0..<Self.photos).map { "photo \($0),\(server.url("/gate?\($0)"))\n" }
        try Data(("name,url\n" + lines.joined()).utf8).write(to: URL(filePath: folder + "/web.csv"))
        return (try await again(), server)
    }

    private func again() async throws -> Development {
        var options = options
        (options.connections, options.connectionsPerHost) = (Self.width, Self.width)
        return try Development(of: await Catalog.load(from: .path(folder + "/web.csv")), options: options)
    }

    /// Somebody else's run, from its beginning to its end: what was to begin meanwhile would have begun.
    private func runAnother() async throws {
        var options = options
        options.output = folder + "/others-\(UUID())"
        let development = try Development(of: try await catalog((0..<20).map { "\($0).jpg" }), options: options)
        let summary = await development.run()
        XCTAssertEqual(summary.progress.filtered, 20)
    }

    private func wait(for what: String, until isMet: () -> Bool) async throws {
        let end = Date(timeIntervalSinceNow: 60)
        while !isMet() {
            if Date() > end { return XCTFail("\(what) did not come") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Suspends a run when as many transfers are under way as there may be, and lets these come to their end.
    private func suspend(_ development: Development, _ server: FaultServer) async throws {
        XCTAssert(server.waitForRequests("/gate", count: Self.width))
        development.isSuspended = true
        server.openGate()
        let pending = development.pipeline.pending
        try await wait(for: "the end of the transfers") {
            development.pipeline.transferActivity.running == 0 && pending.decodeQueue.operationCount >= Self.width
        }
    }

    private func assertNothingBegins(_ development: Development, _ server: FaultServer, requests: Int) async throws {
        try await runAnother()
        XCTAssert(development.isSuspended)
        XCTAssertEqual(server.requestCount("/gate"), requests)
        let pending = development.pipeline.pending
        for queue in [pending.downloadQueue, pending.decodeQueue, pending.filtrationQueue, development.writeQueue] {
            XCTAssert(queue.isSuspended)
            XCTAssertEqual(queue.operations.filter(\.isExecuting).count, 0, queue.name ?? "")
        }
        XCTAssertEqual(development.progress.done, 0)
        XCTAssertEqual(try pictures(), [])
    }

    private func pictures() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: output).filter { $0 != ".classicphotos" }.sorted()
    }

    private func assertAllAreWhole(_ server: FaultServer, requests: Int = photos) throws {
        let files = try pictures()
        XCTAssertEqual(files.count, Self.photos)
        for file in files {
            let image = try ImageDecoder.decode(
                Data(contentsOf: URL(filePath: output + "/" + file)), longestSide: nil)
            XCTAssertEqual(image.size, PixelSize(width: 16, height: 9), file)
        }
        XCTAssertEqual(try recorded().filter { $0.contains(",filtered,") }.count, Self.photos)
        XCTAssertEqual(server.requestCount("/gate"), requests)
    }

    func testASuspendedRunBeginsNothingUntilItGoesOn() async throws {
        let (development, server) = try await development()
        XCTAssertFalse(development.isSuspended)
        async let summary = development.run()
        try await suspend(development, server)
        try await assertNothingBegins(development, server, requests: Self.width)
        development.isSuspended = false
        XCTAssertFalse(development.isSuspended)
        let ended = await summary
        XCTAssertEqual(ended.progress.filtered, Self.photos)
        XCTAssertNil(ended.stop)
        try assertAllAreWhole(server)
    }

    func testASuspendedRunThatIsCancelledEndsAndTheNextGoesOn() async throws {
        let server = try await suspendAndCancel()
        XCTAssertEqual(try pictures(), [])
        let summary = await (try await again()).run()
        XCTAssertEqual(summary.progress.filtered, Self.photos)
        // What had come and was not decoded is fetched again.
        try assertAllAreWhole(server, requests: Self.width + Self.photos)
    }

    /// A run that is gone when this returns.
    private func suspendAndCancel() async throws -> FaultServer {
        let (development, server) = try await development()
        async let summary = development.run()
        try await suspend(development, server)
        development.cancel()
        let ended = await summary
        guard case .cancelled = ended.stop else {
            XCTFail("\(String(describing: ended.stop))")
            return server
        }
        XCTAssertEqual(ended.cancelled, Self.photos)
        XCTAssertFalse(development.isSuspended)
        // Nobody can suspend it any more.
        development.isSuspended = true
        XCTAssertFalse(development.isSuspended)
        return server
    }

    func testARunEndsWhereverItIsSuspendedAndCancelled() async throws {
        let (development, server) = try await development()
        server.openGate()
        async let summary = development.run()
        try await wait(for: "the first photo") { development.progress.done > 0 }
        development.isSuspended = true
        development.cancel()
        let done = await summary.progress.filtered
        XCTAssertGreaterThan(done, 0)
        XCTAssertEqual(try pictures().count, done)
    }

    func testARunThatIsSuspendedBeforeItsBeginWaits() async throws {
        for goesOn in [true, false] {
            let (development, server) = try await development()
            server.openGate()
            development.isSuspended = true
            async let summary = development.run()
            try await assertNothingBegins(development, server, requests: 0)
            XCTAssertEqual(development.atWork, 0)
            if goesOn { development.isSuspended = false } else { development.cancel() }
            let ended = await summary
            XCTAssertEqual(ended.progress.filtered, goesOn ? Self.photos : 0)
            if goesOn { try assertAllAreWhole(server) } else { XCTAssertEqual(ended.cancelled, Self.photos) }
            server.stop()
            try FileManager.default.removeItem(atPath: output)
        }
    }

    func testTheJournalAndAPauseDoNotUndoOneAnother() {
        let pending = PhotoPipeline().pending
        let queue = OperationQueue()
        func check(_ isHeld: Bool, _ isPaused: Bool, line: UInt = #line) {
            XCTAssertEqual(queue.isSuspended, isHeld, line: line)
            XCTAssertEqual(pending.isSuspended, isPaused, line: line)
        }
        let hold = RunHold(of: pending, and: [queue])
        check(false, false)
        hold.holdBack(true)
        check(true, false)
        hold.pause(true)
        check(true, true)
        hold.holdBack(false)
        check(true, true)
        hold.holdBack(true)
        hold.pause(false)
        check(true, false)
        hold.pause(true)
        hold.endPause()
        // The journal still has to keep up.
        check(true, false)
        hold.pause(true)
        XCTAssertFalse(hold.isPaused)
        hold.holdBack(false)
        check(false, false)
    }
}
