import Foundation
import ImageCodecs
import Operations
import OperationsTesting
import PhotoPipeline
import Pixels
import TestServers
import Transfers
import XCTest

/// Photos on their way through the stages, against a server that misbehaves on request.
final class PhotoTaskTests: XCTestCase {
    private var server: FaultServer!
    private let updates = Lock<[Photo.Update]>([])

    override func setUpWithError() throws {
        server = try FaultServer()
        server.serve(try Self.image(width: 200, height: 100), at: "/a.png")
    }

    override func tearDown() {
        server.stop()
    }

    func testStatesComeInOrderWithTheirPictures() throws {
        let pipeline = PhotoPipeline()
        try run(pipeline, server.url("/a.png"), filter: FilterChain(parsing: "invert(1)"))
        // Between the transfer and the decoding may be a moment of waiting.
        XCTAssertEqual(states.filter { $0 != .waiting }, [.downloading, .decoding, .downloaded, .filtering, .filtered])
        XCTAssertEqual(states.first, .waiting)
        let images = updates.withLock { $0.compactMap(\.image) }
        XCTAssertEqual(images.count, 2)
        let downloaded = try XCTUnwrap(images.first)
        let filtered = try XCTUnwrap(images.last)
        XCTAssertEqual(downloaded.size, PixelSize(width: 100, height: 50))
        XCTAssertEqual(first(filtered), first(downloaded).map { 255 - $0 })
        XCTAssertEqual(pipeline.memoryInUse, 0)
        XCTAssertEqual(pipeline.pending.count, 0)
    }

    /// A filter that looks at neighbours is applied to the picture as one piece.
    func testAFailureIsTypedAndLeavesNothingBehind() throws {
        let pipeline = PhotoPipeline()
        try run(pipeline, server.url("/status/404"))
        guard case .failed(let error) = states.last else { return XCTFail("\(states)") }
        XCTAssertEqual(error.reason, .http)
        XCTAssertEqual(states.filter { $0 != .waiting }.count, 2)
        XCTAssertEqual(pipeline.memoryInUse, 0)
        XCTAssertEqual(pipeline.pending.count, 0)
    }

    func testAPriorityThatIsSetWhileAPhotoIsAskedForCounts() throws {
        let pipeline = PhotoPipeline()
        for queue in pipeline.pending.queues { queue.isSuspended = true }
        let tasks = (0..<2_000).map { number in
            let request = ImageRequest(address: server.url("/\(number).png"))
            return pipeline.task(for: request, of: Photo.ID(number)) { _ in }
        }
        for task in tasks {
            DispatchQueue.concurrentPerform(iterations: 2) { part in
                if part == 0 { task.start() } else { task.priority = .veryHigh }
            }
        }
        let operations = pipeline.pending.queues.flatMap(\.operations)
        XCTAssertGreaterThanOrEqual(operations.count, 2 * tasks.count)
        XCTAssertEqual(operations.filter { $0.queuePriority != .veryHigh }.count, 0)
        for task in tasks { task.cancel() }
        for queue in pipeline.pending.queues {
            queue.isSuspended = false
            queue.waitUntilAllOperationsAreFinished()
        }
    }

    func testACancelledDownloadIsReallyEndedAndThePhotoIsNewAgain() throws {
        let pipeline = PhotoPipeline()
        let finished = expectation(description: "finished")
        let task = start(pipeline, server.url(.stallMidBody)) { finished.fulfill() }
        XCTAssert(server.waitForRequests(Fault.stallMidBody.rawValue))
        task.cancel()
        wait(for: [finished], timeout: 60)
        XCTAssert(server.waitForPeerClose(Fault.stallMidBody.rawValue))
        XCTAssertEqual(states, [.waiting, .downloading, .new])
        XCTAssertEqual(pipeline.memoryInUse, 0)
        XCTAssertEqual(pipeline.pending.count, 0)
    }

    func testACancelledDecodingStopsAtItsNextCheck() throws {
        let began = expectation(description: "decoding")
        var configuration = PhotoPipeline.Configuration()
        configuration.decoders = [
            AnyDecoder { (_, _, isCancelled) throws(ImageCodecError) in
                began.fulfill()
                while !isCancelled() { usleep(1_000) }
                throw .cancelled
            }
        ]
        let pipeline = PhotoPipeline(configuration: configuration)
        let finished = expectation(description: "finished")
        let task = start(pipeline, server.url("/a.png")) { finished.fulfill() }
        wait(for: [began], timeout: 60)
        task.cancel()
        wait(for: [finished], timeout: 60)
        XCTAssertEqual(states.filter { $0 != .waiting }, [.downloading, .decoding, .new])
        XCTAssertEqual(pipeline.memoryInUse, 0)
    }

    func testASuspendedPipelineStartsNothingAndGoesOn() throws {
        let pipeline = PhotoPipeline()
        pipeline.pending.isSuspended = true
        let finished = expectation(description: "finished")
        _ = start(pipeline, server.url("/a.png")) { finished.fulfill() }
        XCTAssertEqual(server.requestCount(), 0)
        XCTAssertEqual(pipeline.pending.count, 1)
        pipeline.pending.isSuspended = false
        wait(for: [finished], timeout: 60)
        XCTAssertEqual(states.last, .filtered)
    }

    func testAStateIsReportedWhenItHappensAndNotAhead() throws {
        let pipeline = PhotoPipeline()
        let pending = pipeline.pending
        pending.isSuspended = true
        let finished = expectation(description: "finished")
        _ = start(pipeline, server.url("/a.png")) { finished.fulfill() }
        XCTAssertEqual(states.map { "\($0)" }, ["waiting"], "no stage has begun")
        pending.downloadQueue.isSuspended = false
        XCTAssert(server.waitForAnswers("/a.png"))
        let end = Date(timeIntervalSinceNow: 60)
        // The picture is there, and nothing is done about it.
        while pending.downloadQueue.operationCount > 0 || states.count < 3, Date() < end { usleep(2_000) }
        XCTAssertEqual(states.map { "\($0)" }, ["waiting", "downloading", "waiting"])
        pending.isSuspended = false
        wait(for: [finished], timeout: 60)
        XCTAssertEqual(states.dropFirst(3).map { "\($0)" }, ["decoding", "downloaded", "filtering", "filtered"])
        // What is in memory has no stages.
        updates.withLock { $0 = [] }
        try run(pipeline, server.url("/a.png"))
        XCTAssertEqual(states.map { "\($0)" }, ["waiting", "downloaded", "filtering", "filtered"])
    }

    func testLengthsInFiltersAreOfThePublishedPicture() throws {
        // Shown at half its size, 8 px of the picture are 4 px of what is shown.
        let pipeline = PhotoPipeline()
        try run(pipeline, server.url("/a.png"), filter: FilterChain(parsing: "blur(8px)"))
        let images = updates.withLock { $0.compactMap(\.image) }
        var expected = try XCTUnwrap(images.first)
        FilterChain([.blur(deviation: 4)]).apply(to: &expected)
        XCTAssertEqual(images.last, expected)
    }

    func testALocalFileNeedsLeave() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "classicphotos-\(UUID()).png")
        try Self.image(width: 8, height: 8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let pipeline = PhotoPipeline()
        try run(pipeline, file)
        guard case .failed(let error) = states.last else { return XCTFail("\(states)") }
        XCTAssertEqual(error.reason, .forbiddenAddress)
        updates.withLock { $0 = [] }
        try run(pipeline, file, allowsLocalFiles: true)
        XCTAssertEqual(states.last, .filtered)
    }

    func testAStageOfOnesOwnHoldsThePhotosMemoryUntilItIsDone() throws {
        let pipeline = PhotoPipeline()
        let finished = expectation(description: "finished")
        let held = Lock(0)
        let task = pipeline.task(
            for: ImageRequest(address: server.url("/a.png"), longestSide: 100), of: Photo.ID(0)
        ) { _ in }
        task.append(BlockOperation { held.withLock { $0 = pipeline.memoryInUse } }, to: OperationQueue())
        task.start { finished.fulfill() }
        wait(for: [finished], timeout: 60)
        XCTAssertEqual(held.withLock { $0 }, 100 * 50 * 4)
        XCTAssertEqual(pipeline.memoryInUse, 0)
    }

    func testManyLargePicturesShareTheMemoryAndAllArrive() throws {
        let bytes = try Self.image(width: 600, height: 600)
        server.serve(bytes, at: "/large.png")
        let one = 600 * 600 * 4
        var configuration = PhotoPipeline.Configuration()
        configuration.memoryLimit = 2 * one
        configuration.decodeWidth = 4
        let most = Lock(0)
        let pipeline = PhotoPipeline(configuration: configuration)
        let arrived = expectation(description: "all")
        arrived.expectedFulfillmentCount = 40
        for index in 0..<40 {
            let request = ImageRequest(address: server.url("/large.png?\(index)"))
            pipeline.task(for: request, of: Photo.ID(index)) { update in
                most.withLock { $0 = max($0, pipeline.memoryInUse) }
                if update.state == .filtered { arrived.fulfill() }
            }.start()
        }
        wait(for: [arrived], timeout: 120)
        // What is over the limit is at most the need of the photo that stands longest.
        XCTAssertLessThanOrEqual(most.withLock { $0 }, 3 * one + bytes.count)
        XCTAssertGreaterThan(most.withLock { $0 }, one)
    }

    func testPicturesAreMadeAtThePipelinesQualityOfService() throws {
        for (quality, niceness) in [(QualityOfService.default, Int32(0)), (.utility, 5)] {
            var configuration = PhotoPipeline.Configuration()
            configuration.qualityOfService = quality
            let measured = Lock(Int32.min)
            configuration.decoders = [
                AnyDecoder { (bytes, options, isCancelled) throws(ImageCodecError) in
                    let which = __priority_which_t(PRIO_PROCESS.rawValue)
                    measured.withLock { $0 = getpriority(which, 0) - getpriority(which, id_t(getpid())) }
                    return try ImageDecoder.decodeWithInfo(bytes, options, isCancelled: isCancelled).pixels
                }
            ]
            let finished = expectation(description: "finished")
            let pipeline = PhotoPipeline(configuration: configuration)
            pipeline.task(for: ImageRequest(address: server.url("/a.png")), of: Photo.ID(0)) { _ in }
                .start { finished.fulfill() }
            wait(for: [finished], timeout: 60)
            XCTAssertEqual(measured.withLock { $0 }, niceness)
            XCTAssertEqual(pipeline.pending.filtrationQueue.qualityOfService, quality)
            XCTAssertEqual(pipeline.pending.previewQueue.qualityOfService, quality)
        }
    }

    func testAStormOfCancelsLeavesNothingBehind() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let pipeline = PhotoPipeline()
        let finished = expectation(description: "all")
        finished.expectedFulfillmentCount = 300
        var tasks: [PhotoTask] = []
        for index in 0..<300 {
            let path = ["/a.png", "/ok", "/drip", "/stall", "/half-body"].randomElement(using: &random) ?? "/ok"
            let request = ImageRequest(address: server.url(path + "?\(index)"), longestSide: 50, filter: .classic)
            let task = pipeline.task(for: request, of: Photo.ID(index)) { _ in }
            task.start { finished.fulfill() }
            tasks.append(task)
            if Bool.random(using: &random), let other = tasks.randomElement(using: &random) { other.cancel() }
        }
        for task in tasks.shuffled(using: &random) { task.cancel() }
        wait(for: [finished], timeout: 120)
        // A stage that has ended gives its memory back a moment later, on its own thread.
        let soon = ContinuousClock.now + .seconds(60)
        while pipeline.memoryInUse > 0, .now < soon { usleep(1_000) }
        XCTAssertEqual(pipeline.memoryInUse, 0)
        XCTAssertEqual(pipeline.pending.count, 0)
        XCTAssert(server.waitForOpenConnections(atMost: 64))
    }

    // MARK: -

    private var states: [Photo.State] { updates.withLock { $0.map(\.state) } }

    private func start(
        _ pipeline: PhotoPipeline, _ address: URL, filter: FilterChain = .none, allowsLocalFiles: Bool = false,
        whenFinished: @escaping @Sendable () -> Void
    ) -> PhotoTask {
        let request = ImageRequest(
            address: address, longestSide: 100, filter: filter, allowsLocalFiles: allowsLocalFiles)
        let task = pipeline.task(for: request, of: Photo.ID(0)) { [updates] update in
            updates.withLock { $0.append(update) }
        }
        task.start(whenFinished: whenFinished)
        return task
    }

    private func run(
        _ pipeline: PhotoPipeline, _ address: URL, filter: FilterChain = .none, allowsLocalFiles: Bool = false
    ) throws {
        let finished = expectation(description: "finished")
        _ = start(pipeline, address, filter: filter, allowsLocalFiles: allowsLocalFiles) { finished.fulfill() }
        wait(for: [finished], timeout: 60)
    }

    private func first(_ image: PixelBuffer) -> [UInt8] { image.withUnsafeBytes { Array($0.prefix(3)) } }

    private static func image(width: Int, height: Int) throws -> Data {
        let buffer = PixelBuffer(uninitialized: PixelSize(width: width, height: height), isOpaque: true) { bytes in
            for index in bytes.indices {
                bytes[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index / 4 &* 7)
            }
        }
        return try ImageEncoder(format: .png).encode(buffer)
    }
}
