import Foundation
import ImageCodecs
import Operations
import Pixels
import TestServers
import XCTest

@testable import PhotoPipeline

/// Memory that filters take besides the picture.
final class FilterRoomTests: PipelineTestCase {
    private let size = PixelSize(width: 1, height: 2_000)
    private let filter = "blur(20px) blur(20px)"

    private func requests(
        _ count: Int, _ processing: ProcessingChain, of size: PixelSize? = nil
    ) throws -> [ImageRequest] {
        let size = size ?? self.size
        let file = try ImageEncoder(format: .png).encode(PixelBuffer(size: size))
        return (0..<count).map { number in
            server.serve(file, at: "/narrow\(number).png")
            return ImageRequest(address: server.url("/narrow\(number).png"), longestSide: nil, processing: processing)
        }
    }

    private func assertFewAreFilteredAtATime(_ processing: ProcessingChain, room: Int) async throws {
        XCTAssertGreaterThan(room, 1 << 20)
        var configuration = configuration()
        configuration.memoryLimit = room + room / 2
        let pipeline = PhotoPipeline(configuration: configuration)
        pipeline.pending.filtrationQueue.isSuspended = true
        let tasks = try requests(4, processing).map { pipeline.imageTask(for: $0) }
        // The eldest, if it comes later, has room beside the first that came. With both the limit is passed, and who is not
        // decoded yet waits for that.
        eventually("one has room, or two, the others wait") {
            let inUse = pipeline.memoryInUse
            return inUse >= room && (inUse > configuration.memoryLimit || self.decodings.withLock { $0 } == 4)
                && pipeline.pending.memoryQueue.operationCount >= 2
        }
        XCTAssertLessThan(pipeline.memoryInUse, 3 * room)
        pipeline.pending.filtrationQueue.isSuspended = false
        for task in tasks {
            let image = try await value(of: task)
            XCTAssertEqual(image.size, size)
        }
        eventuallyEmpty(pipeline)
    }

    func testFiltersWaitForMemory() async throws {
        let chain = try FilterChain(parsing: filter)
        let threads = configuration().filtrationWidth
        try await assertFewAreFilteredAtATime(
            ProcessingChain(chain), room: chain.workingBytes(for: size, scale: 1, threads: threads))
    }

    func testSoDoPartsOfThem() async throws {
        let chain = try FilterChain(parsing: filter)
        try await assertFewAreFilteredAtATime(
            ProcessingChain(chain, intensity: 0.5), room: chain.workingBytes(for: size, scale: 1, threads: 1))
    }

    /// What shows in part is mixed with the picture as it was: both are there at the same time.
    func testTheSecondPictureOfAPartCounts() async throws {
        let pipeline = pipeline()
        pipeline.pending.filtrationQueue.isSuspended = true
        let size = PixelSize(width: 700, height: 500)
        let picture = 4 * size.width * size.height
        for (processing, pictures) in [
            (ProcessingChain(.classic), 1), (ProcessingChain(.classic, intensity: 0.5), 2),
        ] {
            let request = try XCTUnwrap(try requests(1, processing, of: size).first)
            let task = pipeline.imageTask(for: request)
            eventually("it waits for its turn, with what it needs") {
                pipeline.pending.filtrationQueue.operationCount == 1
                    && pipeline.pending.memoryQueue.operationCount == 0
                    && pipeline.memoryInUse == pictures * picture
            }
            pipeline.pending.filtrationQueue.isSuspended = false
            let image = try await value(of: task)
            XCTAssertEqual(image.size, size)
            eventuallyEmpty(pipeline)
            pipeline.pending.filtrationQueue.isSuspended = true
            pipeline.cache.removeAll()
        }
    }

    /// Two of three, of which one has room, or two.
    func testWhatIsGivenUpGivesItsRoomBack() async throws {
        let chain = try FilterChain(parsing: filter)
        let room = chain.workingBytes(for: size, scale: 1, threads: configuration().filtrationWidth)
        var configuration = configuration()
        configuration.memoryLimit = room + room / 2
        let pipeline = PhotoPipeline(configuration: configuration)
        pipeline.pending.filtrationQueue.isSuspended = true
        let tasks = try requests(3, ProcessingChain(chain)).map { pipeline.imageTask(for: $0) }
        eventually("one has room, and one waits for it") {
            pipeline.memoryInUse >= room && pipeline.pending.memoryQueue.operationCount >= 1
        }
        for task in tasks[..<2] { task.cancel() }
        // One that was cancelled leaves its queue without being run.
        pipeline.pending.filtrationQueue.isSuspended = false
        let image = try await value(of: tasks[2])
        XCTAssertEqual(image.size, size)
        eventuallyEmpty(pipeline)
    }

    func testSmallFiltersReserveNothing() async throws {
        let pipeline = pipeline()
        pipeline.pending.filtrationQueue.isSuspended = true
        let task = pipeline.imageTask(for: request(1, filter: "blur(2px)"))
        eventually("it waits for its turn") {
            self.decodings.withLock { $0 } == 1 && pipeline.pending.memoryQueue.operationCount == 0
        }
        eventually("only the picture counts") { pipeline.memoryInUse == 40 * 30 * 4 }
        pipeline.pending.filtrationQueue.isSuspended = false
        _ = try await value(of: task)
        eventuallyEmpty(pipeline)
    }

    func testAFilterWithoutMemorySaysSo() throws {
        let image = PixelBuffer(size: size)
        let operation = BlockOperation {}
        let processor = Processor("lacks memory") { _, _ in throw FilterStop.lacksMemory }
        XCTAssertThrowsError(
            try ProcessingStep.processor(processor).apply(to: image, scale: 1, maxPixels: 10_000, in: operation)
        ) { error in
            XCTAssertEqual((error as? PhotoError)?.reason, .memoryLimit)
        }
    }
}
