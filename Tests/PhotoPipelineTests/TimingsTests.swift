import Foundation
import Operations
import TestServers
import XCTest

@testable import PhotoPipeline

/// How long photos wait and are worked on.
final class TimingsTests: PipelineTestCase {
    private func described(_ timings: PhotoTimings?) -> [String] {
        timings?.stages.map { "\($0.work) \($0.origin)" } ?? []
    }

    private func processing(_ step: ProcessingStep = .processor(Processor.adding(1))) throws -> ProcessingChain {
        [.filter(try FilterChain(parsing: "sepia(1)")), step]
    }

    func testEachStageSaysWhatItWasAndForWhom() async throws {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        let chain = try processing()
        let first = pipeline.imageTask(for: ImageRequest(address: server.url("/1.png"), processing: chain))
        let second = pipeline.imageTask(for: request(1, filter: "sepia(1)"))
        XCTAssertNil(first.timings)
        pipeline.pending.isSuspended = false
        for task in [first, second] { _ = try await value(of: task) }
        XCTAssertEqual(
            described(first.timings),
            ["download own", "decode own", "processing(sepia(1)) own", "processing(Processor(add 1)) own"])
        XCTAssertEqual(described(second.timings), ["download shared", "decode shared", "processing(sepia(1)) shared"])
        let timings = try XCTUnwrap(first.timings)
        // Waiting and work follow each other.
        XCTAssertLessThanOrEqual(
            timings.stages.map { $0.waited + $0.worked }.reduce(.zero, +), timings.total)
        XCTAssert(timings.stages.allSatisfy { $0.worked > .zero })
        eventuallyEmpty(pipeline)
    }

    func testItIsTheStartThatCounts() async throws {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        let over = expectation(description: "over")
        let prepared = pipeline.task(for: request(1), of: Photo.ID(0)) { _ in }
        let other = pipeline.imageTask(for: request(1))
        prepared.start { over.fulfill() }
        pipeline.pending.isSuspended = false
        await fulfillment(of: [over], timeout: 60)
        _ = try await value(of: other)
        XCTAssertEqual(described(prepared.timings).first, "download shared")
        XCTAssertEqual(described(other.timings).first, "download own")
    }

    func testWhatComesFromMemoryHasNothingBeforeIt() async throws {
        let pipeline = pipeline()
        _ = try await value(of: pipeline.imageTask(for: request(1, filter: "sepia(1)")))
        let chain = try processing()
        let again = pipeline.imageTask(for: request(1, filter: "sepia(1)"))
        let longer = pipeline.imageTask(for: ImageRequest(address: server.url("/1.png"), processing: chain))
        let other = pipeline.imageTask(for: request(1, filter: "invert(1)"))
        let plain = pipeline.imageTask(for: request(1))
        for task in [again, longer, other, plain] { _ = try await value(of: task) }
        XCTAssertEqual(described(again.timings), ["processing(sepia(1)) memory"])
        XCTAssertEqual(
            described(longer.timings), ["processing(sepia(1)) memory", "processing(Processor(add 1)) own"])
        XCTAssertEqual(described(other.timings), ["decode memory", "processing(invert(1)) own"])
        XCTAssertEqual(described(plain.timings), ["decode memory"])
        XCTAssertEqual(again.timings?.stages.first?.worked, .zero)
    }

    func testWaitingAndWorkAreToldApart() async throws {
        let (began, mayEnd) = (expectation(description: "began"), DispatchSemaphore(value: 0))
        var configuration = configuration()
        configuration.filtrationWidth = 1
        let pipeline = PhotoPipeline(configuration: configuration)
        let slow = Processor("slow") { image, _ in
            began.fulfill()
            _ = mayEnd.wait(timeout: .now() + 60)
            return image
        }
        let working = pipeline.imageTask(
            for: ImageRequest(address: server.url("/1.png"), processing: [.processor(slow)]))
        await fulfillment(of: [began], timeout: 60)
        let (isDecoded, over) = (expectation(description: "decoded"), expectation(description: "over"))
        let updates = Lock<[Photo.Update]>([])
        let waiting = pipeline.task(for: request(2, filter: "invert(1)"), of: Photo.ID(2)) { update in
            updates.withLock { $0.append(update) }
            if update.state == .downloaded { isDecoded.fulfill() }
        }
        waiting.start { over.fulfill() }
        await fulfillment(of: [isDecoded], timeout: 60)
        let interval = ContinuousClock.now
        // Somebody who comes now finds the slow one at work.
        let late = pipeline.imageTask(
            for: ImageRequest(address: server.url("/1.png"), processing: [.processor(slow)]))
        usleep(20_000)
        let lasted = ContinuousClock.now - interval
        mayEnd.signal()
        for task in [working, late] { _ = try await value(of: task) }
        await fulfillment(of: [over], timeout: 60)
        let worked = try XCTUnwrap(working.timings?.stages.last)
        XCTAssertGreaterThanOrEqual(worked.worked, lasted)
        let waited = try XCTUnwrap(waiting.timings?.stages.last)
        XCTAssertGreaterThanOrEqual(waited.waited, lasted)
        XCTAssertLessThan(waited.worked, waiting.timings?.total ?? .zero)
        // What was done before it came counts as work, and is no wait.
        let shared = try XCTUnwrap(late.timings?.stages.last)
        XCTAssertEqual(shared.origin, .shared)
        XCTAssertEqual(shared.worked, worked.worked)
        XCTAssertEqual(shared.waited, .zero)
        // Only the result's update has them.
        XCTAssertEqual(
            updates.withLock { $0.map { $0.timings != nil } }.firstIndex(of: true), updates.withLock { $0.count - 1 })
        XCTAssertEqual(updates.withLock { $0.last?.timings }, waiting.timings)
    }

    func testAFailureHasThoseOfTheStagesThatHaveBegun() async throws {
        let pipeline = pipeline()
        let missing = pipeline.imageTask(for: ImageRequest(address: server.url("/status/404")))
        _ = try await outcome(of: missing)
        XCTAssertEqual(described(missing.timings), ["download own"])
        struct Refusal: Error {}
        let refusing = try processing(.processor(Processor("refuses") { _, _ in throw Refusal() }))
        let failed = pipeline.imageTask(for: ImageRequest(address: server.url("/1.png"), processing: refusing))
        _ = try await outcome(of: failed)
        XCTAssertEqual(
            described(failed.timings),
            ["download own", "decode own", "processing(sepia(1)) own", "processing(Processor(refuses)) own"])
        let cancelled = pipeline.imageTask(for: ImageRequest(address: server.url(.stall)))
        cancelled.cancel()
        _ = try await outcome(of: cancelled)
        XCTAssertNil(cancelled.timings)
        eventuallyEmpty(pipeline)
    }
}
