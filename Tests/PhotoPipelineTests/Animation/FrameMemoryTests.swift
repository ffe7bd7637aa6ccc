import Foundation
import ImageCodecs
import Operations
import Pixels
import TestServers
import XCTest

@testable import PhotoPipeline

/// One frame of an animation is in memory while it is made, however many were asked for.
final class FrameMemoryTests: PipelineTestCase {
    private static let frameBytes = 200 * 200 * 4

    func testFramesThatAreAskedForTogether() async throws {
        let (pipeline, animation) = try await opened()
        let count = try await soon {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<200 { group.addTask { _ = try await animation.frame(index) } }
                return try await group.reduce(0) { count, _ in count + 1 }
            }
        }
        XCTAssertEqual(count, 200)
        try await assertAnotherPictureComes(pipeline)
    }

    /// The next one is always asked for before the one before it has ended.
    func testAWindowOfTwo() async throws {
        let (queue, isLast) = (Lock<OperationQueue?>(nil), Lock(false))
        let waiting = Processor("wait for the next") { image, _ in
            let end = Date(timeIntervalSinceNow: 60)
            while let queue = queue.withLock({ $0 }), queue.operationCount < 2, !isLast.withLock({ $0 }), Date() < end {
                usleep(200)
            }
            return image
        }
        let (pipeline, animation) = try await opened(ProcessingChain([.processor(waiting)]))
        queue.withLock { $0 = pipeline.pending.filtrationQueue }
        try await soon {
            var next = Task { try await animation.frame(0) }
            for index in 1..<200 {
                let before = next
                next = Task { try await animation.frame(index) }
                _ = try await before.value
            }
            isLast.withLock { $0 = true }
            _ = try await next.value
        }
        try await assertAnotherPictureComes(pipeline)
    }

    /// Each makes the other begin anew, again and again: with 200 frames that took longer than two minutes on a slow machine.
    func testTwoWhoPlayTheSame() async throws {
        let (pipeline, animation) = try await opened(frames: 60)
        try await soon {
            async let one: Void = Self.play(animation)
            async let two: Void = Self.play(animation)
            _ = try await (one, two)
        }
        try await assertAnotherPictureComes(pipeline)
    }

    func testCancelsAmongMany() async throws {
        let (pipeline, animation) = try await opened()
        let frames = (0..<200).map { index in Task { try await animation.frame(index) } }
        for index in stride(from: 199, to: 0, by: -3) { frames[index].cancel() }
        for (index, frame) in frames.enumerated() where index % 3 != 1 {
            let made = try await soon { try await frame.value }
            XCTAssertEqual(made.image.size, animation.size)
        }
        try await assertAnotherPictureComes(pipeline)
    }

    /// Who cancels all that is in a queue knows nothing of what stands before it in another one.
    func testCancelsByTheQueue() async throws {
        let (isAtWork, goesOn) = (Lock(false), DispatchSemaphore(value: 0))
        let slow = Processor("wait") { image, _ in
            isAtWork.withLock { $0 = true }
            goesOn.wait()
            return image
        }
        let (pipeline, animation) = try await opened(ProcessingChain([.processor(slow)]))
        let queue = pipeline.pending.filtrationQueue
        let frames = (0..<3).map { index in Task { try await animation.frame(index) } }
        eventually("one is at work, and two wait") { isAtWork.withLock { $0 } && queue.operationCount == 3 }
        // Those that wait end at once, before the one that they wait for.
        queue.cancelAllOperations()
        for frame in frames[1...] {
            let result = try await soon { await frame.result }
            XCTAssertThrowsError(try result.get())
        }
        for _ in frames { goesOn.signal() }
        _ = try await soon { await frames[0].result }
        eventually("nothing is left") { pipeline.pending.memoryQueue.operationCount == 0 }
        try await assertAnotherPictureComes(pipeline)
    }

    /// The one behind a frame that was given up still waits for the one before that.
    func testTheLine() {
        var line = FrameLine()
        let told = Lock<[FrameLine.Place]>([])
        let places = (0..<4).map { _ in line.join() }
        XCTAssertTrue(line.ask(places[0]) { XCTFail("it was its turn") })
        for place in places[1...2] { XCTAssertFalse(line.ask(place) { told.withLock { $0.append(place) } }) }
        XCTAssertNil(line.leave(places[1]))
        line.leave(places[0])?()
        XCTAssertEqual(told.withLock { $0 }, [places[2]])
        // The last one has not asked yet.
        XCTAssertNil(line.leave(places[2]))
        XCTAssertTrue(line.ask(places[3]) { XCTFail("it is its turn") })
        XCTAssertNil(line.leave(places[3]))
    }

    // MARK: -

    /// An animation, and memory for a few of its frames.
    private func opened(
        _ processing: ProcessingChain = .none, frames: Int = 200
    ) async throws -> (PhotoPipeline, ImageAnimation) {
        server.serve(GIF.tinyChanges(frames, width: 200, height: 200), at: "/moving.gif")
        var configuration = configuration()
        configuration.decoders = []
        configuration.memoryLimit = 5 * Self.frameBytes
        configuration.decodeLimits.isolation = .nothing
        let pipeline = PhotoPipeline(configuration: configuration)
        let request = ImageRequest(address: server.url("/moving.gif"), processing: processing)
        return (pipeline, try await soon { try await pipeline.animation(for: request) })
    }

    private func assertAnotherPictureComes(_ pipeline: PhotoPipeline, line: UInt = #line) async throws {
        eventually("all memory is given back", line: line) { pipeline.memoryInUse == 0 }
        let image = try await value(from: pipeline, request(1))
        XCTAssertEqual(Self.first(image), 11, line: line)
    }

    private static func play(_ animation: ImageAnimation) async throws {
        for try await frame in animation.frames { XCTAssertEqual(frame.image.byteCount, frameBytes) }
    }
}
