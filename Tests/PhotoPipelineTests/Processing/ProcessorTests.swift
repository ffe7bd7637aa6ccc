import Foundation
import Operations
import TestServers
import XCTest

@testable import PhotoPipeline

/// Processors of one's own, beside the functions of CSS.
final class ProcessorTests: PipelineTestCase {
    private let runs = Lock<[String]>([])

    private func noting(_ name: String) -> @Sendable () -> Void {
        { [runs] in runs.withLock { $0.append(name) } }
    }

    private func request(_ number: Int, size: Int? = nil, _ processing: ProcessingChain) -> ImageRequest {
        ImageRequest(address: server.url("/\(number).png"), longestSide: size, processing: processing)
    }

    private func invert() throws -> ProcessingStep { .filter(try FilterChain(parsing: "invert(1)")) }

    func testStepsAreDoneInTheirOrder() async throws {
        let pipeline = pipeline()
        let chain: ProcessingChain = [
            try invert(), .processor(Processor.adding(5)), try invert(), .processor(Processor.adding(7)),
        ]
        let image = try await value(from: pipeline, request(1, chain))
        XCTAssertEqual(Self.first(image), 255 - (255 - 11 + 5) + 7)
        eventuallyEmpty(pipeline)
    }

    func testWhoComesWhileTheStepsAreDoneIsToldOfTheDecodedPictureInMemory() throws {
        let pipeline = pipeline()
        let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let slow = Processor("slow") { image, _ in
            began.signal()
            _ = mayEnd.wait(timeout: .now() + 60)
            return image
        }
        let over = expectation(description: "both are over")
        over.expectedFulfillmentCount = 2
        let first = pipeline.task(for: request(1, [.processor(slow)]), of: Photo.ID(0)) { _ in }
        first.start { over.fulfill() }
        XCTAssertEqual(began.wait(timeout: .now() + 60), .success)
        let images = Lock<[UInt8]>([])
        let late = pipeline.task(for: request(1, [.processor(slow)]), of: Photo.ID(1)) { update in
            guard update.state == .downloaded, let image = update.image else { return }
            images.withLock { $0.append(Self.first(image)) }
        }
        late.start { over.fulfill() }
        XCTAssertEqual(images.withLock { $0 }, [11], "The step has taken the one that was decoded.")
        mayEnd.signal()
        wait(for: [over], timeout: 60)
        eventuallyEmpty(pipeline)
    }

    func testTheSameFirstStepsAreDoneOnceAndKeptByKey() async throws {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        let shared = Processor.adding(5, note: noting("shared"))
        let chains: [ProcessingChain] = [
            [.processor(shared), .processor(Processor.adding(1, note: noting("one")))],
            [.processor(shared), .processor(Processor.adding(2, note: noting("two")))],
            [.processor(shared), try invert()],
            [.processor(shared)],
        ]
        let tasks = chains.map { pipeline.imageTask(for: request(1, $0)) }
        // A transfer, a decoding, the shared step, and the last step of three.
        XCTAssertEqual(pipeline.stageCount, 1 + 1 + 1 + 3)
        pipeline.pending.isSuspended = false
        var values: [UInt8] = []
        for task in tasks { values.append(Self.first(try await value(of: task))) }
        XCTAssertEqual(values, [17, 18, 255 - 16, 16])
        XCTAssertEqual(runs.withLock { $0.sorted() }, ["one", "shared", "two"])
        XCTAssertEqual(decodings.withLock { $0 }, 1)
        eventuallyEmpty(pipeline)
        // From memory: whole, and as a beginning.
        let kept = try XCTUnwrap(pipeline.cachedImage(for: request(1, chains[0])))
        XCTAssertEqual(Self.first(kept), 17)
        let other: ProcessingChain = [.processor(shared), .processor(Processor.adding(3, note: noting("three")))]
        let image = try await value(from: pipeline, request(1, other))
        XCTAssertEqual(Self.first(image), 19)
        XCTAssertEqual(runs.withLock { $0.sorted() }, ["one", "shared", "three", "two"])
        XCTAssertEqual(server.requestCount("/1.png"), 1)
        eventuallyEmpty(pipeline)
    }

    /// As documented: who gives one key to two kinds of work gets either for both.
    func testTheSameKeyIsTakenForTheSameWork() async throws {
        let pipeline = pipeline()
        let first = try await value(from: pipeline, request(1, [.processor(Processor.adding(1, key: "add"))]))
        let second = try await value(from: pipeline, request(1, [.processor(Processor.adding(2, key: "add"))]))
        XCTAssertEqual([first, second].map(Self.first), [12, 12])
        // Another type with that key is another processor.
        let third = try await value(from: pipeline, request(1, [.processor(Whitening(cacheKey: "add"))]))
        XCTAssertEqual(Self.first(third), 255)
    }

    func testAnErrorIsTypedAndTheNextOneTriesAgain() async throws {
        struct Refusal: Error, CustomStringConvertible { let description = "no such look" }
        let pipeline = pipeline()
        let fails = Lock(true)
        let processor = Processor("moody") { image, _ in
            if fails.withLock({ $0 }) { throw Refusal() }
            return image
        }
        let task = pipeline.imageTask(for: request(1, [.processor(processor), .processor(Processor.adding(1))]))
        let result = try await outcome(of: task)
        XCTAssertEqual(
            result, .failure(PhotoError(.processorFailed, "Processor(moody) failed: no such look")))
        eventuallyEmpty(pipeline)
        fails.withLock { $0 = false }
        let image = try await value(from: pipeline, request(1, [.processor(processor)]))
        XCTAssertEqual(Self.first(image), 11)
        eventuallyEmpty(pipeline)
    }

    func testAbsurdSizesAreRefused() async throws {
        var configuration = configuration()
        configuration.decodeLimits.maxPixels = 1_200
        let pipeline = PhotoPipeline(configuration: configuration)
        for (size, reason) in [((0, 30), PhotoError.Reason.processorFailed), ((1_201, 1), .tooManyPixels)] {
            let task = pipeline.imageTask(for: request(1, [.processor(Processor.sized(size.0, size.1))]))
            let result = try await outcome(of: task)
            XCTAssertEqual(Self.reason(result), reason)
            eventuallyEmpty(pipeline)
        }
        let largest = try await value(from: pipeline, request(1, [.processor(Processor.sized(1_200, 1))]))
        XCTAssertEqual(largest.size, PixelSize(width: 1_200, height: 1))
        eventuallyEmpty(pipeline)
    }

    /// What a processor makes counts as it is, larger or smaller, from the cache or not.
    func testTheMemoryOfWhatItMakesCounts() async throws {
        for cacheLimit in [0, 1_000_000] {
            var configuration = configuration()
            configuration.cacheLimit = cacheLimit
            configuration.memoryLimit = 10_000
            let pipeline = PhotoPipeline(configuration: configuration)
            for (width, height) in [(400, 300), (4, 3), (40, 30)] {
                let held = Lock<Int?>(nil)
                let over = expectation(description: "over")
                let steps: ProcessingChain = [.processor(Processor.sized(width, height)), try invert()]
                let task = pipeline.task(for: request(1, steps), of: Photo.ID(0)) { _ in }
                task.append(BlockOperation { held.withLock { $0 = pipeline.memoryInUse } }, to: OperationQueue())
                task.start { over.fulfill() }
                await fulfillment(of: [over], timeout: 60)
                XCTAssertEqual(held.withLock { $0 }, width * height * 4, "cache \(cacheLimit)")
                XCTAssertEqual(pipeline.memoryInUse, 0)
            }
        }
    }

    /// What is decoded counts for as long as somebody has it, beside what was made of it.
    func testWhatOthersStillNeedCountsToo() async throws {
        var configuration = configuration()
        configuration.cacheLimit = 0
        configuration.filtrationWidth = 1
        let pipeline = PhotoPipeline(configuration: configuration)
        let (isMade, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let stopping = Processor("stop") { image, _ in
            isMade.signal()
            _ = mayEnd.wait(timeout: .now() + 60)
            return image
        }
        pipeline.pending.isSuspended = true
        let slow = pipeline.imageTask(
            for: request(1, [.processor(Processor.sized(100, 1)), .processor(stopping)]))
        let other = pipeline.imageTask(for: request(1, [.processor(Processor.sized(7, 1))]))
        slow.priority = .high
        pipeline.pending.isSuspended = false
        XCTAssertEqual(isMade.wait(timeout: .now() + 60), .success)
        // 100 pixels are in work; the 40 x 30 wait for the other one, or it has made 7 of them, or is done.
        let held = pipeline.memoryInUse
        XCTAssert([400, 400 + 4_800, 400 + 28, 400 + 4_828].contains(held), "\(held)")
        mayEnd.signal()
        let sizes = [try await value(of: slow).size.width, try await value(of: other).size.width]
        XCTAssertEqual(sizes, [100, 7])
        eventuallyEmpty(pipeline)
    }

    func testAPictureThatNobodyElseWantsIsChangedInPlace() async throws {
        var configuration = configuration()
        configuration.cacheLimit = 0
        let pipeline = PhotoPipeline(configuration: configuration)
        let places = Lock<[UInt]>([])
        let processor = Processor("in place") { image, _ in
            var image = consume image
            let before = image.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
            let after = image.withUnsafeMutableBytes { UInt(bitPattern: $0.baseAddress) }
            places.withLock { $0 += [before, after] }
            return image
        }
        _ = try await value(from: pipeline, request(1, [try invert(), .processor(processor)]))
        let (before, after) = places.withLock { ($0[0], $0[1]) }
        XCTAssertEqual(before, after)
    }

    func testCancellingReachesItAtItsNextCheck() async throws {
        let pipeline = pipeline()
        let (began, ended) = (expectation(description: "began"), expectation(description: "ended"))
        let endless = Processor("endless") { image, context in
            began.fulfill()
            defer { ended.fulfill() }
            while true {
                try context.checkCancellation()
                usleep(1_000)
            }
        }
        let task = pipeline.imageTask(for: request(1, [.processor(endless)]))
        await fulfillment(of: [began], timeout: 60)
        task.cancel()
        await fulfillment(of: [ended], timeout: 60)
        let result = try await outcome(of: task)
        XCTAssertEqual(Self.reason(result), .cancelled)
        eventuallyEmpty(pipeline)
        XCTAssertNil(pipeline.cachedImage(for: request(1, [.processor(endless)])))
    }

    /// What one gives up who shares a processor with another goes on for that one.
    func testCancellingOneOfTwoLeavesItToTheOther() async throws {
        let pipeline = pipeline()
        let (began, mayEnd) = (expectation(description: "began"), DispatchSemaphore(value: 0))
        let processor = Processor("slow") { image, context in
            began.fulfill()
            _ = mayEnd.wait(timeout: .now() + 60)
            try context.checkCancellation()
            return image
        }
        let tasks = (0..<2).map { _ in pipeline.imageTask(for: request(1, [.processor(processor)])) }
        await fulfillment(of: [began], timeout: 60)
        tasks[0].cancel()
        let cancelled = try await outcome(of: tasks[0])
        XCTAssertEqual(Self.reason(cancelled), .cancelled)
        mayEnd.signal()
        let image = try await value(of: tasks[1])
        XCTAssertEqual(Self.first(image), 11)
        eventuallyEmpty(pipeline)
    }

    func testASleeperStarvesNobodyAndIsNeverOnTheMainThread() async throws {
        var configuration = configuration()
        configuration.filtrationWidth = 2
        configuration.decodeWidth = 1
        let pipeline = PhotoPipeline(configuration: configuration)
        let (began, mayEnd) = (expectation(description: "began"), DispatchSemaphore(value: 0))
        let isMain = Lock(true)
        let sleeper = Processor("asleep") { [pending = pipeline.pending] image, _ in
            let isOwnThread = !Thread.isMainThread && OperationQueue.current === pending.filtrationQueue
            isMain.withLock { $0 = !isOwnThread }
            began.fulfill()
            _ = mayEnd.wait(timeout: .now() + 60)
            return image
        }
        let asleep = pipeline.imageTask(for: request(1, [.processor(sleeper)]))
        await fulfillment(of: [began], timeout: 60)
        XCTAssertFalse(isMain.withLock { $0 })
        for number in 2..<8 {
            let image = try await value(
                from: pipeline, request(number, [try invert(), .processor(Processor.adding(1))]))
            XCTAssertEqual(Self.first(image), 255 - UInt8(number * 11) + 1)
        }
        mayEnd.signal()
        _ = try await value(of: asleep)
        eventuallyEmpty(pipeline)
    }

    func testSleepersInAllPlacesDoNotHoldUpPicturesToWhichNothingIsDone() async throws {
        var configuration = configuration()
        configuration.filtrationWidth = 1
        configuration.imagesInWork = 8
        let pipeline = PhotoPipeline(configuration: configuration)
        let (began, mayEnd) = (expectation(description: "began"), DispatchSemaphore(value: 0))
        let sleeper = Processor("asleep") { image, _ in
            began.fulfill()
            _ = mayEnd.wait(timeout: .now() + 60)
            return image
        }
        let asleep = pipeline.imageTask(for: request(1, [.processor(sleeper)]))
        await fulfillment(of: [began], timeout: 60)
        let filtered = pipeline.imageTask(for: request(2, [try invert()]))
        for number in 1..<8 {
            let image = try await value(from: pipeline, request(number, .none))
            XCTAssertEqual(Self.first(image), UInt8(number * 11))
        }
        XCTAssertEqual(pipeline.pending.count, 2, "they need the place")
        mayEnd.signal()
        for task in [asleep, filtered] { _ = try await value(of: task) }
        eventuallyEmpty(pipeline)
    }

    func testItHearsOfTheScaleAndFramesAreProcessedToo() async throws {
        server.serve(GIF.frames(3), at: "/moving.gif")
        let pipeline = pipeline()
        let scales = Lock<[Double]>([])
        let processor = Processor("scale") { [pending = pipeline.pending] image, context in
            XCTAssert(OperationQueue.current === pending.filtrationQueue)
            scales.withLock { $0.append(context.scale) }
            return PixelBuffer(size: PixelSize(width: 2 * image.size.width, height: image.size.height))
        }
        let image = try await value(from: pipeline, request(1, size: 20, [.processor(processor)]))
        XCTAssertEqual(image.size, PixelSize(width: 40, height: 15))
        let animation = try await pipeline.animation(
            for: ImageRequest(address: server.url("/moving.gif"), longestSide: 6, processing: [.processor(processor)]))
        let frame = try await animation.frame(1)
        XCTAssertEqual(frame.image.size.width, 12)
        XCTAssertEqual(scales.withLock { $0 }, [0.5, 0.5])
        eventuallyEmpty(pipeline)
    }
}

private struct Whitening: ImageProcessing {
    let cacheKey: String

    func process(_ image: consuming PixelBuffer, _ context: ProcessingContext) throws -> PixelBuffer {
        var white = image
        white.withUnsafeMutableBytes { bytes in for index in bytes.indices { bytes[index] = 255 } }
        return white
    }
}
