import Foundation
import ImageCodecs
import Operations
import OperationsTesting
import Pixels
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// Several who want the same at the same time.
final class SharingTests: PipelineTestCase {
    func testTheSameWantedTwiceIsDoneOnce() async throws {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        let tasks = (0..<10).map { _ in pipeline.imageTask(for: request(1, filter: "invert(1)")) }
        XCTAssertEqual(pipeline.stageCount, 3)
        pipeline.pending.isSuspended = false
        var images: [PixelBuffer] = []
        for task in tasks { images.append(try await value(of: task)) }
        XCTAssertEqual(Set(images.map(Self.first)), [255 - 11])
        XCTAssertEqual(server.requestCount("/1.png"), 1)
        XCTAssertEqual(decodings.withLock { $0 }, 1)
        eventuallyEmpty(pipeline)
    }

    func testOneTransferForManySizesAndOneDecodingForManyFilters() async throws {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        let tasks = [
            (10, "none"), (20, "none"), (20, "invert(1)"), (20, "sepia(1) blur(1px)"), (20, "sepia(1)"),
            (20, "sepia(1) blur(2px)"),
        ].map { pipeline.imageTask(for: request(1, size: $0.0, filter: $0.1)) }
        // A download, two decodings; the run of sepia(1) is shared by three.
        XCTAssertEqual(pipeline.stageCount, 1 + 2 + 6)
        pipeline.pending.isSuspended = false
        var images: [PixelBuffer] = []
        for task in tasks { images.append(try await value(of: task)) }
        XCTAssertEqual(server.requestCount("/1.png"), 1)
        XCTAssertEqual(decodings.withLock { $0 }, 2)
        XCTAssertEqual(images.map(\.size.width), [10, 20, 20, 20, 20, 20])
        for (image, chain) in zip(
            images[1...], ["none", "invert(1)", "sepia(1) blur(1px)", "sepia(1)", "sepia(1) blur(2px)"])
        {
            var expected = images[1]
            try FilterChain(parsing: chain).apply(to: &expected, scale: 20.0 / 40)
            XCTAssertEqual(image, expected, chain)
        }
        eventuallyEmpty(pipeline)
    }

    func testAPhotoThatIsCancelledTwiceIsOverOnlyWhenItsMemoryIsBack() async throws {
        let mayDecode = DispatchSemaphore(value: 0)
        var configuration = configuration()
        configuration.decoders = [
            AnyDecoder { [decodings] (bytes, options, isCancelled) throws(ImageCodecError) in
                decodings.withLock { $0 += 1 }
                _ = mayDecode.wait(timeout: .now() + 60)
                return try ImageDecoder.decodeWithInfo(bytes, options, isCancelled: isCancelled).pixels
            }
        ]
        let pipeline = PhotoPipeline(configuration: configuration)
        let memoryAtEnd = Lock<Int?>(nil)
        let task = pipeline.task(for: request(1), of: Photo.ID(1)) { _ in }
        task.start { memoryAtEnd.withLock { $0 = pipeline.memoryInUse } }
        eventually("it is being decoded") { decodings.withLock { $0 } == 1 }
        task.cancel()
        task.cancel()
        XCTAssertNil(memoryAtEnd.withLock { $0 })
        XCTAssertGreaterThan(pipeline.memoryInUse, 0)
        mayDecode.signal()
        eventually("it is over") { memoryAtEnd.withLock { $0 } != nil }
        XCTAssertEqual(memoryAtEnd.withLock { $0 }, 0)
        eventuallyEmpty(pipeline)
    }

    func testCancellingOneOfTwoKillsNeither() async throws {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        let tasks = [pipeline.imageTask(for: request(1)), pipeline.imageTask(for: request(1))]
        tasks[0].cancel()
        let first = try await outcome(of: tasks[0])
        XCTAssertEqual(Self.reason(first), .cancelled)
        pipeline.pending.isSuspended = false
        let image = try await value(of: tasks[1])
        XCTAssertEqual(Self.first(image), 11)
        eventuallyEmpty(pipeline)
    }

    func testWhatIsCancelledBeforeItsStartStartsNothing() {
        let pipeline = pipeline()
        let task = pipeline.task(for: request(1), of: Photo.ID(0)) { _ in XCTFail("nothing happens") }
        let isRun = Lock(false)
        task.append(BlockOperation { isRun.withLock { $0 = true } }, to: OperationQueue())
        task.cancel()
        let finished = expectation(description: "finished")
        task.start { finished.fulfill() }
        wait(for: [finished], timeout: 60)
        XCTAssertFalse(isRun.withLock { $0 })
        XCTAssertEqual(server.requestCount(), 0)
        eventuallyEmpty(pipeline)
    }

    func testTheLastOneToLeaveEndsTheTransfer() async throws {
        let pipeline = pipeline()
        let request = ImageRequest(address: server.url(.stallMidBody))
        let tasks = [pipeline.imageTask(for: request), pipeline.imageTask(for: request)]
        XCTAssert(server.waitForRequests(Fault.stallMidBody.rawValue))
        tasks[0].cancel()
        let result0 = try await outcome(of: tasks[0])
        XCTAssertEqual(Self.reason(result0), .cancelled)
        XCTAssertEqual(server.peerCloseCount(Fault.stallMidBody.rawValue), 0)
        tasks[1].cancel()
        let result1 = try await outcome(of: tasks[1])
        XCTAssertEqual(Self.reason(result1), .cancelled)
        XCTAssert(server.waitForPeerClose(Fault.stallMidBody.rawValue))
        XCTAssertEqual(server.requestCount(Fault.stallMidBody.rawValue), 1)
        eventuallyEmpty(pipeline)
    }

    func testCancellingTheCallersTaskEndsIt() async throws {
        let pipeline = pipeline()
        let request = ImageRequest(address: server.url(.stall))
        let task = Task { () -> PhotoError? in
            do throws(PhotoError) {
                _ = try await pipeline.image(for: request)
                return nil
            } catch {
                return error
            }
        }
        XCTAssert(server.waitForRequests(Fault.stall.rawValue))
        task.cancel()
        let error = try await soon { await task.value }
        XCTAssertEqual(error?.reason, .cancelled)
        XCTAssert(server.waitForPeerClose(Fault.stall.rawValue))
    }

    func testTheMostUrgentOneCountsInAllStages() {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        let low = pipeline.imageTask(for: request(1, priority: .low))
        XCTAssertEqual(priorities(pipeline), [.low, .low, .low])
        let high = pipeline.imageTask(for: request(1, filter: "invert(1)", priority: .high))
        XCTAssertEqual(priorities(pipeline), [.high, .high, .high, .low])
        low.priority = .veryHigh
        XCTAssertEqual(priorities(pipeline), [.veryHigh, .veryHigh, .high, .veryHigh])
        low.cancel()
        XCTAssertEqual(priorities(pipeline), [.high, .high, .high])
        high.priority = .veryLow
        XCTAssertEqual(priorities(pipeline), [.veryLow, .veryLow, .veryLow])
        high.cancel()
        pipeline.pending.isSuspended = false
        eventuallyEmpty(pipeline)
    }

    func testWhoIsRaisedOvertakes() async throws {
        var configuration = configuration()
        configuration.downloadWidth = 1
        configuration.decodeWidth = 1
        configuration.cacheLimit = 0
        let pipeline = PhotoPipeline(configuration: configuration)
        pipeline.pending.isSuspended = true
        let order = Lock<[Int]>([])
        let ended = expectation(description: "all")
        ended.expectedFulfillmentCount = 5
        let tasks = (0..<5).map { number in
            pipeline.task(for: request(number), of: Photo.ID(number)) { update in
                // In the order of the queue; what comes behind it depends on threads as well.
                if update.state == .downloading { order.withLock { $0.append(number) } }
            }
        }
        for task in tasks { task.start { ended.fulfill() } }
        // What is prefetched becomes visible.
        tasks[3].priority = .high
        pipeline.pending.isSuspended = false
        await fulfillment(of: [ended], timeout: 60)
        XCTAssertEqual(order.withLock { $0.first }, 3)
    }

    /// Many ask for and give up the same few pictures at random; everybody gets the right one or is cancelled, and
    /// nothing is left behind.
    func testAStormOfSharers() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        for cacheLimit in [0, 30_000] {
            var configuration = PhotoPipeline.Configuration()
            configuration.cacheLimit = cacheLimit
            configuration.memoryLimit = 20_000
            let pipeline = PhotoPipeline(configuration: configuration)
            var tasks: [(number: Int, isInverted: Bool, isGivenUp: Bool, task: ImageTask)] = []
            for _ in 0..<400 {
                let number = Int.random(in: 0..<8, using: &random)
                let chain = ["none", "invert(1)", "invert(1) blur(1px)"].randomElement(using: &random) ?? "none"
                let size = Bool.random(using: &random) ? 40 : 20
                let task = pipeline.imageTask(for: request(number, size: size, filter: chain))
                let isGivenUp = Int.random(in: 0..<3, using: &random) == 0
                tasks.append((number, chain != "none", isGivenUp, task))
                if isGivenUp { tasks.filter(\.isGivenUp).randomElement(using: &random)?.task.cancel() }
                if Bool.random(using: &random) { await Task.yield() }
            }
            for entry in tasks where entry.isGivenUp { entry.task.cancel() }
            for entry in tasks {
                switch try await outcome(of: entry.task, in: pipeline) {
                case .success(let image):
                    let expected = UInt8(entry.number * 11)
                    // Blurring rounds a little at the borders.
                    let right = Int(entry.isInverted ? 255 - expected : expected)
                    XCTAssertLessThan(abs(Int(Self.first(image)) - right), 5)
                case .failure(let error):
                    XCTAssert(entry.isGivenUp && error.reason == .cancelled, "\(error)")
                }
            }
            XCTAssertLessThanOrEqual(pipeline.cache.byteCount, cacheLimit)
            eventuallyEmpty(pipeline)
        }
    }
}
