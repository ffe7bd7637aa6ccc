import Foundation
import ImageCodecs
import Operations
import OperationsTesting
import Pixels
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// Several who want the same, and those who want it again.
final class SharingTests: XCTestCase {
    private var server: FaultServer!
    private let decodings = Lock(0)

    override func setUpWithError() throws {
        server = try FaultServer()
        for number in 0..<8 { server.serve(try Self.picture(number), at: "/\(number).png") }
    }

    override func tearDown() { server.stop() }

    // MARK: Twice at the same time

    func testTheSameWantedTwiceIsDoneOnce() async throws {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        let tasks = (0..<10).map { _ in pipeline.imageTask(for: request(1, filter: "invert(1)")) }
        XCTAssertEqual(pipeline.stages.count, 3)
        pipeline.pending.isSuspended = false
        var pictures: [PixelBuffer] = []
        for task in tasks { pictures.append(try await value(of: task)) }
        XCTAssertEqual(Set(pictures.map(Self.first)), [255 - 11])
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
        XCTAssertEqual(pipeline.stages.count, 1 + 2 + 6)
        pipeline.pending.isSuspended = false
        var pictures: [PixelBuffer] = []
        for task in tasks { pictures.append(try await value(of: task)) }
        XCTAssertEqual(server.requestCount("/1.png"), 1)
        XCTAssertEqual(decodings.withLock { $0 }, 2)
        XCTAssertEqual(pictures.map(\.size.width), [10, 20, 20, 20, 20, 20])
        for (picture, chain) in zip(
            pictures[1...], ["none", "invert(1)", "sepia(1) blur(1px)", "sepia(1)", "sepia(1) blur(2px)"])
        {
            var expected = pictures[1]
            try FilterChain(parsing: chain).apply(to: &expected, scale: 20.0 / 40)
            XCTAssertEqual(picture, expected, chain)
        }
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
        let picture = try await value(of: tasks[1])
        XCTAssertEqual(Self.first(picture), 11)
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
        XCTAssertEqual(priorities(pipeline), [.high, .high, .low, .high])
        low.priority = .veryHigh
        XCTAssertEqual(priorities(pipeline), [.veryHigh, .veryHigh, .veryHigh, .high])
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
                if update.state == .downloaded { order.withLock { $0.append(number) } }
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
                switch try await outcome(of: entry.task) {
                case .success(let picture):
                    let expected = UInt8(entry.number * 11)
                    // Blurring rounds a little at the borders.
                    let right = Int(entry.isInverted ? 255 - expected : expected)
                    XCTAssertLessThan(abs(Int(Self.first(picture)) - right), 5)
                case .failure(let error):
                    XCTAssert(entry.isGivenUp && error.reason == .cancelled, "\(error)")
                }
            }
            XCTAssertLessThanOrEqual(pipeline.cache.byteCount, cacheLimit)
            eventuallyEmpty(pipeline)
        }
    }

    // MARK: Again

    func testWhatIsInMemoryIsThereAtOnce() async throws {
        let pipeline = pipeline()
        XCTAssertNil(pipeline.cachedImage(for: request(1)))
        _ = try await value(from: pipeline, request(1, filter: "invert(1)"))
        // The decoded picture and the filtered one.
        XCTAssertEqual(pipeline.cache.count, 2)
        let picture = try XCTUnwrap(pipeline.cachedImage(for: request(1, filter: "invert(1)")))
        XCTAssertEqual(Self.first(picture), 255 - 11)
        // A row that asks for it shows it before the call returns, and no placeholder.
        let states = Lock<[Photo.State]>([])
        let task = pipeline.task(for: request(1, filter: "invert(1)"), of: Photo.ID(0)) { update in
            states.withLock { $0.append(update.state) }
        }
        let finished = Lock(false)
        task.start { finished.withLock { $0 = true } }
        XCTAssertEqual(states.withLock { $0.last }, .filtered)
        XCTAssert(finished.withLock { $0 })
        // Another filter needs neither a transfer nor a decoding.
        _ = try await value(from: pipeline, request(1, filter: "sepia(1)"))
        XCTAssertEqual(server.requestCount("/1.png"), 1)
        XCTAssertEqual(decodings.withLock { $0 }, 1)
    }

    func testAFilterOfWhatIsInMemoryIsSharedToo() async throws {
        let pipeline = pipeline()
        _ = try await value(from: pipeline, request(1))
        pipeline.pending.isSuspended = true
        let tasks = (0..<3).map { _ in pipeline.imageTask(for: request(1, filter: "invert(1)")) }
        XCTAssertEqual(pipeline.stages.count, 1)
        pipeline.pending.isSuspended = false
        for task in tasks {
            let picture = try await value(of: task)
            XCTAssertEqual(Self.first(picture), 255 - 11)
        }
        XCTAssertEqual(decodings.withLock { $0 }, 1)
    }

    func testABeginningOfAFilterIsRunOnceAlsoLater() async throws {
        let pipeline = pipeline()
        let first = try await value(from: pipeline, request(1, filter: "sepia(1) blur(1px)"))
        XCTAssertNotNil(pipeline.cachedImage(for: request(1, filter: "sepia(1)")))
        let fresh = self.pipeline()
        eventuallyEmpty(pipeline)
        pipeline.pending.isSuspended = true
        let task = pipeline.imageTask(for: request(1, filter: "sepia(1) blur(2px)"))
        // Only what is behind the beginning is left to do.
        XCTAssertEqual(pipeline.stages.count, 1)
        pipeline.pending.isSuspended = false
        let second = try await value(of: task)
        let expected = try await value(from: fresh, request(1, filter: "sepia(1) blur(2px)"))
        XCTAssertEqual(second, expected)
        XCTAssertNotEqual(first, second)
    }

    func testAFailureIsNotRemembered() async throws {
        let pipeline = pipeline()
        let request = ImageRequest(address: server.url("/late.png"))
        for _ in 0..<2 {
            let result = try await outcome(of: pipeline.imageTask(for: request))
            XCTAssertEqual(Self.reason(result), .http)
        }
        server.serve(try Self.picture(3), at: "/late.png")
        let picture = try await value(from: pipeline, request)
        XCTAssertEqual(Self.first(picture), 33)
    }

    func testABodyIsCountedOnce() async throws {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        let ended = expectation(description: "all")
        ended.expectedFulfillmentCount = 4
        let requests = [request(1), request(1), request(1, size: 20), request(1, filter: "invert(1)")]
        let tasks = requests.map { pipeline.task(for: $0, of: Photo.ID(0)) { _ in } }
        for task in tasks { task.start { ended.fulfill() } }
        pipeline.pending.isSuspended = false
        await fulfillment(of: [ended], timeout: 60)
        XCTAssertEqual(tasks.map(\.receivedByteCount), [try Self.picture(1).count, 0, 0, 0])
        eventuallyEmpty(pipeline)
    }

    /// Who gives it up has nothing of what others get, and the last one has what came until then.
    func testTheBytesOfWhoLeavesAreTheOthers() async throws {
        let pipeline = pipeline()
        let address = server.url(.stallMidBody)
        let tasks = (0..<3).map { _ in
            pipeline.task(for: ImageRequest(address: address), of: Photo.ID(0)) { _ in }
        }
        let ended = expectation(description: "all")
        ended.expectedFulfillmentCount = 3
        for task in tasks { task.start { ended.fulfill() } }
        eventually("half of it is there") { pipeline.memoryInUse > 0 }
        for task in tasks { task.cancel() }
        await fulfillment(of: [ended], timeout: 60)
        XCTAssertEqual(tasks.map(\.receivedByteCount), [0, 0, 500])
        eventuallyEmpty(pipeline)
    }

    /// So that a trace shows them as what they are.
    func testWhatFailsHasAnError() async throws {
        server.serve(Data("no picture".utf8), at: "/text")
        for (path, reason) in [("/text", PhotoError.Reason.notAnImage), ("/nothing", .http)] {
            let pipeline = pipeline()
            let queues = [pipeline.pending.decodeQueue, pipeline.pending.filtrationQueue]
            pipeline.pending.isSuspended = true
            let chain = try FilterChain(parsing: "invert(1)")
            let task = pipeline.imageTask(for: ImageRequest(address: server.url(path), filter: chain))
            let operations = queues.flatMap(\.operations)
            XCTAssertEqual(operations.count, 2)
            pipeline.pending.isSuspended = false
            _ = try await outcome(of: task)
            XCTAssertEqual(operations.map { ($0.error as? PhotoError)?.reason }, [reason, reason])
        }
    }

    func testAHeaderOfAnySizeIsNoCrash() async throws {
        var png = try Self.picture(1)
        png.replaceSubrange(16..<24, with: [UInt8](repeating: 0xFF, count: 8))
        server.serve(png, at: "/huge.png")
        let request = ImageRequest(address: server.url("/huge.png"))
        let pipeline = pipeline()
        let result = try await outcome(of: pipeline.imageTask(for: request))
        XCTAssertEqual(Self.reason(result), .tooManyPixels)
        do throws(PhotoError) {
            _ = try await pipeline.animation(for: request).frame(0)
            XCTFail("no error")
        } catch {
            XCTAssertEqual(error.reason, .tooManyPixels)
        }
        eventuallyEmpty(pipeline)
    }

    func testTheMemoryOfPicturesNeverExceedsItsLimit() async throws {
        var configuration = configuration()
        configuration.cacheLimit = 3 * 40 * 30 * 4
        let pipeline = PhotoPipeline(configuration: configuration)
        for round in 0..<3 {
            for number in 0..<8 {
                _ = try await value(from: pipeline, request(number, filter: round == 1 ? "invert(1)" : "none"))
                XCTAssertLessThanOrEqual(pipeline.cache.byteCount, configuration.cacheLimit)
                XCTAssertGreaterThan(pipeline.cache.byteCount, 0)
            }
        }
        pipeline.cache.limit = 40 * 30 * 4
        XCTAssertEqual(pipeline.cache.count, 1)
    }

    func testEqualRequestsReadTheDiskOnceAndCancelledOnesNot() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-cache-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        server.serve(try Self.picture(5), at: "/kept.png", headers: ["Cache-Control": "max-age=600"])
        let request = ImageRequest(address: server.url("/kept.png"))
        let cache = DiskCache(folder: folder.path, limit: 8_000_000)
        var configuration = configuration()
        configuration.diskCache = cache
        configuration.cacheLimit = 0
        let pipeline = PhotoPipeline(configuration: configuration)
        _ = try await value(from: pipeline, request)
        await cache.flush()
        let before = cache.statistics
        pipeline.pending.isSuspended = true
        let tasks = (0..<10).map { _ in pipeline.imageTask(for: request) }
        let other = pipeline.imageTask(for: self.request(2))
        other.cancel()
        for task in tasks[..<5] { task.cancel() }
        pipeline.pending.isSuspended = false
        for task in tasks[5...] { _ = try await value(of: task) }
        _ = try await outcome(of: other)
        XCTAssertEqual(cache.statistics.lookups - before.lookups, 1)
        XCTAssertEqual(cache.statistics.bodiesRead - before.bodiesRead, 1)
        XCTAssertEqual(server.requestCount("/kept.png"), 1)
        eventuallyEmpty(pipeline)
    }

    func testPoliciesAreNotMixed() async throws {
        let pipeline = pipeline()
        _ = try await value(from: pipeline, request(1))
        server.serve(try Self.picture(2), at: "/1.png")
        var reloading = request(1)
        reloading.cachePolicy = .reload
        let picture = try await value(from: pipeline, reloading)
        XCTAssertEqual(Self.first(picture), 22)
        let standard = try await value(from: pipeline, request(1))
        XCTAssertEqual(Self.first(standard), 22)
        var ignoring = request(3)
        ignoring.cachePolicy = .ignored
        _ = try await value(from: pipeline, ignoring)
        XCTAssertNil(pipeline.cachedImage(for: request(3)))
    }

    func testPrefetchingFillsTheMemoryAndGivesUpWhatIsNotWanted() async throws {
        let pipeline = pipeline()
        let prefetcher = ImagePrefetcher(pipeline)
        pipeline.pending.isSuspended = true
        prefetcher.update(to: (0..<4).map { request($0) })
        prefetcher.update(to: (2..<6).map { request($0) })
        XCTAssertEqual(prefetcher.count, 4)
        // One becomes visible.
        let visible = pipeline.imageTask(for: request(5, priority: .high))
        XCTAssertEqual(priorities(pipeline).filter { $0 == .high }.count, 3)
        pipeline.pending.isSuspended = false
        _ = try await value(of: visible)
        for number in 2..<6 {
            eventually("\(number) is in memory") { pipeline.cachedImage(for: self.request(number)) != nil }
        }
        XCTAssertEqual((0..<2).map { server.requestCount("/\($0).png") }, [0, 0])
        XCTAssertEqual((2..<6).map { server.requestCount("/\($0).png") }, [1, 1, 1, 1])
        eventuallyEmpty(pipeline)
    }

    // MARK: -

    /// What an asynchronous function returns, unless it takes so long that it can be said to hang.
    private func soon<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let ended = expectation(description: "it ends")
        let result = Lock<Result<Value, any Error>?>(nil)
        Task {
            do {
                let value = try await work()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            ended.fulfill()
        }
        await fulfillment(of: [ended], timeout: 30)
        return try XCTUnwrap(result.withLock { $0 }).get()
    }

    private func outcome(of task: ImageTask) async throws -> Result<PixelBuffer, PhotoError> {
        try await soon { await task.result }
    }

    private func value(of task: ImageTask) async throws -> PixelBuffer { try await soon { try await task.value } }

    private func value(from pipeline: PhotoPipeline, _ request: ImageRequest) async throws -> PixelBuffer {
        try await soon { try await pipeline.image(for: request) }
    }

    private func configuration() -> PhotoPipeline.Configuration {
        var configuration = PhotoPipeline.Configuration()
        configuration.decoding = { [decodings] (bytes, longestSide, isCancelled) throws(ImageCodecError) in
            decodings.withLock { $0 += 1 }
            return try ImageDecoder.decodeWithInfo(bytes, longestSide: longestSide, isCancelled: isCancelled)
        }
        return configuration
    }

    private func pipeline() -> PhotoPipeline { PhotoPipeline(configuration: configuration()) }

    private func request(
        _ number: Int, size: Int? = nil, filter: String = "none", priority: Operation.QueuePriority = .normal
    ) -> ImageRequest {
        let chain = (try? FilterChain(parsing: filter)) ?? .none
        return ImageRequest(
            address: server.url("/\(number).png"), longestSide: size, filter: chain, priority: priority)
    }

    private func priorities(_ pipeline: PhotoPipeline) -> [Operation.QueuePriority] {
        let pending = pipeline.pending
        return [pending.downloadQueue, pending.decodeQueue, pending.filtrationQueue].flatMap { queue in
            queue.operations.filter { !$0.isCancelled }.map(\.queuePriority)
        }
    }

    private func eventuallyEmpty(_ pipeline: PhotoPipeline, line: UInt = #line) {
        eventually("nothing is left", line: line) {
            pipeline.stages.count == 0 && pipeline.memoryInUse == 0 && pipeline.pending.count == 0
        }
    }

    private func eventually(_ what: String, line: UInt = #line, _ isMet: () -> Bool) {
        let end = Date(timeIntervalSinceNow: 60)
        while !isMet(), Date() < end { usleep(2_000) }
        XCTAssert(isMet(), what, line: line)
    }

    private static func first(_ picture: PixelBuffer) -> UInt8 { picture.withUnsafeBytes { $0[0] } }

    private static func reason(_ result: Result<PixelBuffer, PhotoError>) -> PhotoError.Reason? {
        if case .failure(let error) = result { error.reason } else { nil }
    }

    /// A picture of one grey, 11 for each number.
    private static func picture(_ number: Int) throws -> Data {
        let buffer = PixelBuffer(uninitialized: PixelSize(width: 40, height: 30), isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : UInt8(number * 11) }
        }
        return try ImageEncoder(format: .png).encode(buffer)
    }
}
