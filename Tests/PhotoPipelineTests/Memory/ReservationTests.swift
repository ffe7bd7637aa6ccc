import Foundation
import ImageCodecs
import Operations
import TestServers
import XCTest

@testable import PhotoPipeline

/// Decodings that wait for memory.
final class ReservationTests: PipelineTestCase {
    /// A picture is in work from when its body is there; the next transfers wait until one is done with.
    func testTransfersWaitWhileAsManyPicturesAreInWorkAsThereMayBe() async throws {
        var configuration = configuration()
        configuration.imagesInWork = 2
        configuration.downloadWidth = 1
        let pipeline = PhotoPipeline(configuration: configuration)
        pipeline.pending.decodeQueue.isSuspended = true
        let tasks = (0..<6).map { pipeline.imageTask(for: request($0)) }
        eventually("two are in work") { pipeline.imagesInWork >= 2 }
        eventually("no transfer runs") { pipeline.transferActivity.running == 0 }
        XCTAssertEqual(server.requestCount(), 2)
        pipeline.pending.decodeQueue.isSuspended = false
        for task in tasks { _ = try await value(of: task) }
        eventually("none is in work") { pipeline.imagesInWork == 0 }
        eventuallyEmpty(pipeline)
    }

    /// A transfer that was cut off waits for its next try, which cannot begin while as many pictures are in work as there may be. The
    /// one that is in work gets the memory that it needs, although the other has asked before.
    func testNobodyWaitsForATransferThatWaitsForAnotherTry() async throws {
        let late = try Self.image(3)
        server.serve(FaultScript(late, [.cut(after: late.count - 1), .answer]), at: "/late.png")
        let second = try Self.image(4)
        var configuration = configuration()
        configuration.imagesInWork = 1
        configuration.memoryLimit = second.count + 1_000
        let pipeline = PhotoPipeline(configuration: configuration)
        let first = pipeline.imageTask(for: ImageRequest(address: server.url("/late.png")))
        eventually("the first try is over") {
            server.requestCount("/late.png") == 1 && pipeline.transferActivity.running == 0
        }
        let next = try await value(of: pipeline.imageTask(for: request(4)))
        XCTAssertEqual(Self.first(next), 44)
        let value = try await value(of: first)
        XCTAssertEqual(Self.first(value), 33)
        eventuallyEmpty(pipeline)
    }

    func testWhatWaitsForAnotherTryKeepsWhatItHoldsAndHoldsNobodyUp() {
        let gate = MemoryGate(limit: 100)
        let (first, second) = (PhotoMemory(gate: gate), PhotoMemory(gate: gate))
        for each in [first, second] { each.retain() }
        XCTAssertTrue(first.mayReceive(upTo: 50))
        XCTAssertTrue(second.mayReceive(upTo: 40))
        let woken = Lock(0)
        let part = second.makePart()
        XCTAssertFalse(second.request(80, for: part) { woken.withLock { $0 += 1 } })
        first.willTryAgain()
        XCTAssertEqual(woken.withLock { $0 }, 1)
        XCTAssertTrue(second.request(80, for: part) {})
        XCTAssertEqual(gate.held, 170)
        // It comes back behind the other.
        XCTAssertFalse(first.mayReceive(upTo: 60))
        second.release(.body)
        XCTAssertEqual(gate.held, 50)
        XCTAssertTrue(first.mayReceive(upTo: 600))
        first.release(.body)
        XCTAssertEqual(gate.held, 0)
        // One that was given up while it waits is gone.
        let third = PhotoMemory(gate: gate)
        third.retain()
        XCTAssertTrue(third.mayReceive(upTo: 50))
        third.willTryAgain()
        third.release(.body)
        XCTAssertEqual(gate.held, 0)
    }

    /// Two decodings of one body to one size: one that is given up, and the one for whoever asks again meanwhile.
    func testOneThatIsGivenUpTakesNobodysTurn() {
        let gate = MemoryGate(limit: 100)
        let (eldest, memory) = (PhotoMemory(gate: gate), PhotoMemory(gate: gate))
        for each in [eldest, memory] { each.retain() }
        XCTAssertTrue(eldest.request(100, for: .body) {})
        let reservations = (0..<2).map { _ in
            ReservationOperation(memory: memory, part: memory.makePart()) { 50 }
        }
        for reservation in reservations { reservation.start() }
        reservations[1].cancel()
        XCTAssertEqual(reservations.map(\.isFinished), [false, true])
        eldest.release(.body)
        XCTAssertTrue(reservations[0].isFinished)
        XCTAssertEqual(gate.held, 50)
        memory.release(.body)
        XCTAssertEqual(gate.held, 0)
    }

    /// Of two decodings of one body one is given up behind the other, which goes on and keeps what belongs to the photo.
    func testWhatWasReservedForNothingIsGivenBack() async throws {
        let mayDecode = DispatchSemaphore(value: 0)
        var configuration = configuration()
        configuration.decodeWidth = 1
        configuration.decoders = [
            AnyDecoder { [decodings] (bytes, options, isCancelled) throws(ImageCodecError) in
                decodings.withLock { $0 += 1 }
                _ = mayDecode.wait(timeout: .now() + 60)
                return try ImageDecoder.decodeWithInfo(bytes, options, isCancelled: isCancelled).pixels
            }
        ]
        let pipeline = PhotoPipeline(configuration: configuration)
        let pending = pipeline.pending
        pending.filtrationQueue.isSuspended = true
        let small = pipeline.imageTask(for: request(1, size: 20, filter: "invert(1)"))
        eventually("the small one is being decoded") { decodings.withLock { $0 } == 1 }
        let memory = pipeline.memoryInUse
        let large = pipeline.imageTask(for: request(1, size: 40))
        eventually("the large one has memory and waits for its turn") {
            pipeline.memoryInUse > memory && pending.memoryQueue.operationCount == 0
                && pending.decodeQueue.operationCount == 2
        }
        large.cancel()
        mayDecode.signal()
        // 20 x 15 pixels wait for their filter.
        eventually("the rest is given back") { pipeline.memoryInUse == 1_200 }
        XCTAssertEqual(decodings.withLock { $0 }, 1)
        pending.filtrationQueue.isSuspended = false
        _ = try await value(of: small)
        eventuallyEmpty(pipeline)
    }
}
