import Foundation
import Operations
import Pixels
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// What becomes of photos whose transfer fails while the stage behind it starts nothing.
final class FailedTransferTests: PipelineTestCase {
    private let states = Lock<[Photo.State]>([])

    func testAFailureIsToldAtOnceAndARetryTriesAnew() throws {
        server.serve(FaultScript(try Self.image(1), [.status(404), .answer]), at: "/late.png")
        let pipeline = pipeline()
        pipeline.pending.decodeQueue.isSuspended = true
        let failed = expectation(description: "the first attempt is over")
        let first = start(pipeline, "/late.png") { failed.fulfill() }
        wait(for: [failed], timeout: 60)
        let last = states.withLock { $0.last }
        guard case .failed(let error) = last else { return XCTFail("\(String(describing: last))") }
        XCTAssertEqual(error.reason, .http)
        XCTAssertEqual(Self.reason(try XCTUnwrap(first.takeResult())), .http)
        eventuallyEmpty(pipeline)

        states.withLock { $0 = [] }
        let filtered = expectation(description: "the retry is over")
        let second = start(pipeline, "/late.png") { filtered.fulfill() }
        eventually("its bytes are there") {
            states.withLock { $0 } == [.waiting, .downloading, .waiting]
        }
        XCTAssertEqual(server.requestCount("/late.png"), 2)
        pipeline.pending.decodeQueue.isSuspended = false
        wait(for: [filtered], timeout: 60)
        XCTAssertEqual(states.withLock { $0.last }, .filtered)
        XCTAssertEqual(try second.takeResult()?.get().size.width, 40)
        eventuallyEmpty(pipeline)
        pipeline.pending.decodeQueue.waitUntilAllOperationsAreFinished()
    }

    func testAllWhoShareATransferAreToldAndOthersGoOn() async throws {
        let pipeline = pipeline()
        pipeline.pending.decodeQueue.isSuspended = true
        let missing = server.url("/status/404")
        // Three sizes are three decodings and steps behind one transfer.
        pipeline.pending.downloadQueue.isSuspended = true
        let tasks = [20, 30, 40].map { size in
            pipeline.imageTask(for: ImageRequest(address: missing, longestSide: size, filter: .none))
        }
        let sound = pipeline.imageTask(for: request(2))
        pipeline.pending.downloadQueue.isSuspended = false
        for task in tasks {
            let result = try await outcome(of: task, in: pipeline)
            XCTAssertEqual(Self.reason(result), .http)
        }
        XCTAssertEqual(server.requestCount("/status/404"), 1)
        XCTAssertEqual(pipeline.pending.count, 1)
        pipeline.pending.decodeQueue.isSuspended = false
        let value = try await value(of: sound)
        XCTAssertEqual(Self.first(value), 22)
        eventuallyEmpty(pipeline)
    }

    func testAStageOfOnesOwnHearsOfTheFailure() throws {
        let pipeline = pipeline()
        pipeline.pending.decodeQueue.isSuspended = true
        let heard = Lock<PhotoError.Reason?>(nil)
        let finished = expectation(description: "finished")
        let task = pipeline.task(for: ImageRequest(address: server.url("/status/404")), of: Photo.ID(0)) { _ in }
        let own = BlockOperation { [unowned task] in
            let result = task.takeResult()
            heard.withLock { $0 = result.flatMap { Self.reason($0) } }
        }
        task.append(own, to: OperationQueue())
        task.start { finished.fulfill() }
        wait(for: [finished], timeout: 60)
        XCTAssertEqual(heard.withLock { $0 }, .http)
        eventuallyEmpty(pipeline)
        pipeline.pending.decodeQueue.isSuspended = false
    }

    func testWhoTriesAgainAmidTheNewsOfAFailureTriesAnew() throws {
        server.serve(FaultScript(try Self.image(1), [.status(404), .answer]), at: "/late.png")
        let pipeline = pipeline()
        // Three of each size: some share the transfer, and some the decoding and the step behind it too.
        let requests = (0..<12).map { index in
            ImageRequest(address: server.url("/late.png"), longestSide: 10 + index / 3, filter: .classic)
        }
        let again = expectation(description: "all have tried again")
        let left = Countdown(requests.count) { again.fulfill() }
        let results = Lock<[Result<PixelBuffer, PhotoError>]>([])
        pipeline.pending.downloadQueue.isSuspended = true
        for (index, request) in requests.enumerated() {
            let task = pipeline.task(for: request, of: Photo.ID(index)) { update in
                guard case .failed = update.state else { return }
                // While others have yet to hear of it, and hold what has failed.
                pipeline.imageTask(for: request) { result in
                    results.withLock { $0.append(result) }
                    left.countDown()
                }
            }
            task.start()
        }
        pipeline.pending.downloadQueue.isSuspended = false
        wait(for: [again], timeout: 60)
        for result in results.withLock({ $0 }) { XCTAssertNil(Self.reason(result)) }
        // Some may have come too late for the transfer, and to a memory that kept nothing of it yet.
        XCTAssertGreaterThanOrEqual(server.requestCount("/late.png"), 2)
        eventuallyEmpty(pipeline)
    }

    private func start(
        _ pipeline: PhotoPipeline, _ path: String, whenFinished: @escaping @Sendable () -> Void
    ) -> PhotoTask {
        let request = ImageRequest(address: server.url(path))
        let task = pipeline.task(for: request, of: Photo.ID(0)) { [states] update in
            states.withLock { $0.append(update.state) }
        }
        task.start(whenFinished: whenFinished)
        return task
    }
}
