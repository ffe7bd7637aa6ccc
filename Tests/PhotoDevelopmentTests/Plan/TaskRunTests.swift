import Catalogs
import Foundation
import PhotoPipeline
import TestServers
import Transfers
import XCTest

@testable import PhotoDevelopment

/// One task that two workers do at once.
final class TaskRunTests: JournalTestCase {
    /// A worker that waits for a photo looks meanwhile whether somebody else has committed its shard.
    func testAWorkerLeavesAShardThatAnotherOneHasCommitted() async throws {
        let server = try FaultServer()
        defer { server.stop() }
        // Who asks first waits for an answer that never comes.
        server.serve(FaultScript(Data("no picture".utf8), [.silence, .answer]), at: "/a.jpg")
        let catalog = folder + "/catalog.csv"
        try Data("url\n\(server.url("/a.jpg").absoluteString)\n".utf8).write(to: URL(filePath: catalog))
        var options = DevelopmentOptions(output: folder + "/out")
        options.transferLimits.idleTimeout = .seconds(600)
        options.transferLimits.totalTimeout = .seconds(600)
        let plan = folder + "/plan"
        _ = try Planner.plan(catalog, keys: CatalogKeys(), into: plan, tasks: 1, options: options, words: [])
        let first = try TaskRun(0, ofPlanIn: plan, options: options, markerInterval: .milliseconds(20))
        let ended = Task { try await first.run() }
        XCTAssert(server.waitForRequests("/a.jpg", seconds: 60))
        let second = try TaskRun(0, ofPlanIn: plan, options: options)
        guard case .finished = try await second.run() else { return XCTFail("the second worker did not finish") }
        XCTAssertEqual(second.progress.committed, 1)
        // Long before its photo is given up.
        guard case .finished = try await ended.value else { return XCTFail("the first worker did not finish") }
        XCTAssertEqual(first.progress.committed, 0)
        XCTAssertEqual(first.progress.passed, 1)
        XCTAssertEqual(server.requestCount("/a.jpg"), 2)
    }
}
