import Catalogs
import Foundation
import ImageCodecs
import PhotoPipeline
import Pixels
import TestServers
import Transfers
import XCTest

@testable import PhotoDevelopment

/// One task, that two workers do at once, or whose hosts rest.
final class TaskRunTests: JournalTestCase {
    /// A plan of one task with a shard for each of these lists of addresses, which are as long as each other.
    private func plan(_ shards: [[String]], _ options: DevelopmentOptions) throws -> String {
        let catalog = folder + "/catalog.csv"
        try Data(("url\n" + shards.joined().map { $0 + "\n" }.joined()).utf8).write(to: URL(filePath: catalog))
        _ = try Planner.plan(
            catalog, keys: CatalogKeys(), into: folder + "/plan", tasks: 1, rowsPerShard: shards[0].count,
            options: options,
            words: [])
        return folder + "/plan"
    }

    /// Shards of one good photo each, and of four at an address of this machine that refuses.
    private func shardsWithDeadHosts(_ server: FaultServer) throws -> [[String]] {
        let image = try ImageEncoder(format: .jpeg).encode(PixelBuffer(size: PixelSize(width: 16, height: 9)))
        return (0..<4).map { shard in
            server.serve(image, at: "/\(shard).jpg")
            return [server.url("/\(shard).jpg").absoluteString]
                + (0..<4).map { "http://127.0.0.\(shard + 2):1/\($0).jpg" }
        }
    }

    /// Each would otherwise wait for as long as the one before it.
    func testShardsThatOnlyWaitForDeadHostsAreOpenTogether() async throws {
        let server = try FaultServer()
        defer { server.stop() }
        var options = DevelopmentOptions(output: folder + "/out")
        let plan = try plan(try shardsWithDeadHosts(server), options)
        // None comes to its end.
        options.hostPatience = .seconds(3_600)
        let run = try TaskRun(0, ofPlanIn: plan, options: options)
        let ended = Task { try await run.run() }
        XCTAssert(server.waitForRequests("/3.jpg", seconds: 60))
        XCTAssertEqual(run.progress.committed, 0)
        run.cancel()
        guard case .cancelled = try await ended.value else { return XCTFail("it was not cancelled") }
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder + "/out/data"), [])
        // The same command goes on.
        options.hostPatience = .seconds(1)
        let second = try TaskRun(0, ofPlanIn: plan, options: options)
        guard case .finished = try await second.run() else { return XCTFail("it did not finish") }
        XCTAssertEqual(second.progress.committed, 4)
        XCTAssertEqual([second.progress.written, second.progress.failed], [4, 16])
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder + "/out/data").count, 12)
        XCTAssert(try PlanVerification(of: folder + "/out", collectsGarbage: false).isWhole)
    }

    /// What keeps a shard from being written is in the way of those that wait, too.
    func testWhereAShardCannotBeWrittenThoseThatWaitAreGivenUp() async throws {
        let server = try FaultServer()
        defer { server.stop() }
        var shards = try shardsWithDeadHosts(server)
        server.serve(try Data(contentsOf: try await image()), at: Fault.gate.rawValue)
        shards[3][0] = server.url(.gate).absoluteString
        var options = DevelopmentOptions(output: folder + "/out")
        let plan = try plan(shards, options)
        options.hostPatience = .seconds(3_600)
        let run = try TaskRun(0, ofPlanIn: plan, options: options)
        let ended = Task { try await run.run() }
        XCTAssert(server.waitForRequests(Fault.gate.rawValue, seconds: 60))
        let data = folder + "/out/data"
        try FileManager.default.moveItem(atPath: data, toPath: folder + "/away")
        server.openGate()
        let end = try await ended.value
        guard case .outputFailed = end else { return XCTFail("\(end)") }
        XCTAssertEqual(run.progress.committed, 0)
    }

    func testAShardThatIsAtWorkIsAlone() async throws {
        let server = try FaultServer()
        defer { server.stop() }
        let image = try Data(contentsOf: try await image())
        for path in ["/a.jpg", "/b.jpg", Fault.gate.rawValue] { server.serve(image, at: path) }
        let options = DevelopmentOptions(output: folder + "/out")
        let shards = [[server.url("/a.jpg"), server.url(.gate)], [server.url("/b.jpg"), server.url("/b.jpg")]]
        let plan = try plan(shards.map { $0.map(\.absoluteString) }, options)
        let run = try TaskRun(0, ofPlanIn: plan, options: options)
        let ended = Task { try await run.run() }
        XCTAssert(server.waitForRequests(Fault.gate.rawValue, seconds: 60))
        XCTAssert(server.waitForAnswers("/a.jpg", seconds: 60))
        XCTAssertEqual(server.requestCount("/b.jpg"), 0)
        server.openGate()
        guard case .finished = try await ended.value else { return XCTFail("it did not finish") }
        XCTAssertEqual([run.progress.committed, run.progress.written], [2, 4])
    }

    private func image() async throws -> URL {
        _ = try await catalog(["a.jpg"])
        return URL(filePath: folder + "/a.jpg")
    }

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
