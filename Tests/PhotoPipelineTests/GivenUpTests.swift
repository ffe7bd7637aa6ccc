import Operations
import OperationsTesting
import Pixels
import TestServers
import XCTest

@testable import PhotoPipeline

/// Who gives something up is told so at once, whatever the queues do.
final class GivenUpTests: PipelineTestCase {
    func testAPictureWhileThePipelineIsPaused() async throws {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        let waiting = Task { [request = request(1)] in try await pipeline.image(for: request) }
        eventually("it waits") { pipeline.pending.count == 1 }
        waiting.cancel()
        try await assertCancelled { _ = try await waiting.value }
        pipeline.pending.isSuspended = false
        eventuallyEmpty(pipeline)
    }

    /// The transfer and the memory are there; the decoding cannot come to its end.
    func testAPictureBehindOneStageThatIsPaused() async throws {
        for queue in [\PendingOperations.decodeQueue, \.filtrationQueue] {
            let pipeline = pipeline()
            let queue = pipeline.pending[keyPath: queue]
            queue.isSuspended = true
            let waiting = Task { [request = request(2, filter: "blur(1px)")] in
                try await pipeline.image(for: request)
            }
            eventually("it waits for its turn") { queue.operations.first?.isReady == true }
            waiting.cancel()
            try await assertCancelled { _ = try await waiting.value }
            queue.isSuspended = false
            eventuallyEmpty(pipeline)
        }
    }

    func testImageTasksAndTheirUpdates() async throws {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        let tasks = (1...3).map { pipeline.imageTask(for: request($0)) }
        let calls = Lock<[PhotoError.Reason?]>([])
        pipeline.imageTask(for: request(4)) { result in calls.withLock { $0.append(Self.reason(result)) } }
        let following = Task { for try await _ in tasks[1].updates {} }
        eventually("all wait") { pipeline.pending.count == 4 }
        tasks[0].cancel()
        let first = try await outcome(of: tasks[0])
        XCTAssertEqual(Self.reason(first), .cancelled)
        // The others, as a program does that ends.
        pipeline.pending.cancelAll()
        for task in tasks[1...] {
            let result = try await outcome(of: task)
            XCTAssertEqual(Self.reason(result), .cancelled)
        }
        try await assertCancelled { try await following.value }
        eventually("the caller is told") { calls.withLock { $0 } == [.cancelled] }
        pipeline.pending.isSuspended = false
        eventuallyEmpty(pipeline)
        // What comes of it in the end changes nothing.
        let later = try await outcome(of: tasks[0])
        XCTAssertEqual(Self.reason(later), .cancelled)
        XCTAssertEqual(calls.withLock { $0 }, [.cancelled])
    }

    /// One of two who share a transfer leaves; the other one has its picture.
    func testTheOtherOneGetsIt() async throws {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        let tasks = (0..<2).map { _ in pipeline.imageTask(for: request(5)) }
        tasks[0].cancel()
        let given = try await outcome(of: tasks[0])
        XCTAssertEqual(Self.reason(given), .cancelled)
        pipeline.pending.isSuspended = false
        let image = try await value(of: tasks[1])
        XCTAssertEqual(Self.first(image), 55)
        eventuallyEmpty(pipeline)
    }

    /// By somebody who has only the queue. Who asks afterwards has a transfer of his own.
    func testTransfersThatAreCancelledInTheirQueue() async throws {
        server.serve(FaultScript(try Self.image(3), [.stall(after: 10), .answer]), at: "/late.png")
        let request = ImageRequest(address: server.url("/late.png"))
        let pipeline = pipeline()
        // What is behind a transfer stays for as long.
        pipeline.pending.decodeQueue.isSuspended = true
        let (states, over) = (Lock<[Photo.State]>([]), expectation(description: "over"))
        let photo = pipeline.task(for: request, of: Photo.ID(0)) { update in
            states.withLock { $0.append(update.state) }
        }
        photo.start { over.fulfill() }
        let task = pipeline.imageTask(for: request)
        XCTAssert(server.waitForRequests("/late.png"))
        pipeline.pending.downloadQueue.cancelAllOperations()
        let again = pipeline.imageTask(for: request)
        let result = try await outcome(of: task)
        XCTAssertEqual(result, .failure(.cancelled))
        await fulfillment(of: [over], timeout: 60)
        XCTAssertEqual(states.withLock { $0 }, [.waiting, .downloading, .new])
        pipeline.pending.decodeQueue.isSuspended = false
        let image = try await value(of: again)
        XCTAssertEqual(Self.first(image), 33)
        XCTAssertEqual(server.requestCount("/late.png"), 2)
        eventuallyEmpty(pipeline)
    }

    func testAnimationsAndTheirFrames() async throws {
        server.serve(GIF.frames(3), at: "/moving.gif")
        let request = ImageRequest(address: server.url("/moving.gif"))
        let pipeline = PhotoPipeline()
        let animation = try await soon { try await pipeline.animation(for: request) }
        pipeline.pending.isSuspended = true
        let opening = (0..<2).map { _ in Task { try await pipeline.animation(for: request) } }
        eventually("they wait") { pipeline.pending.count == 2 }
        opening[0].cancel()
        try await assertCancelled { _ = try await opening[0].value }
        pipeline.pending.cancelAll()
        try await assertCancelled { _ = try await opening[1].value }
        let frames = (0..<2).map { index in Task { try await animation.frame(index) } }
        // Before them in the queue is what would have opened the other one.
        eventually("one has its memory") {
            pipeline.memoryInUse == 12 * 9 * 4 && pipeline.pending.decodeQueue.operationCount == 3
        }
        frames[0].cancel()
        try await assertCancelled { _ = try await frames[0].value }
        pipeline.pending.isSuspended = false
        _ = try await soon { try await frames[1].value }
        eventuallyEmpty(pipeline)
    }

    /// Cancels at any moment: each wait ends once, with the picture or without.
    func testCancelsAtAnyMoment() async throws {
        let pipeline = pipeline()
        let seed = UInt64.random(in: 0 ... .max)
        print("cancels at any moment, seed \(seed)")
        var random = SeededRandom(seed: seed)
        for round in 0..<100 {
            let waiting = Task { [request = request(round % 8)] in try await pipeline.image(for: request) }
            for _ in 0..<Int.random(in: 0..<40, using: &random) { await Task.yield() }
            waiting.cancel()
            let result = try await soon { await waiting.result }
            if case .failure(let error) = result { XCTAssertEqual((error as? PhotoError)?.reason, .cancelled) }
            pipeline.cache.removeAll()
        }
        eventuallyEmpty(pipeline)
    }

    private func assertCancelled(
        line: UInt = #line, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        do {
            try await soon(body)
            XCTFail("no error", line: line)
        } catch let error as PhotoError {
            XCTAssertEqual(error.reason, .cancelled, line: line)
        }
    }
}
