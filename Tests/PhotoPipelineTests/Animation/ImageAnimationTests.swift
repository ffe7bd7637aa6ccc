import Foundation
import ImageCodecs
import Operations
import Pixels
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// Frames on demand.
final class ImageAnimationTests: XCTestCase {
    private var server: FaultServer!

    override func setUpWithError() throws {
        server = try FaultServer()
        server.serve(GIF.frames(6), at: "/moving.gif")
    }

    override func tearDown() { server.stop() }

    func testFramesInAnyOrderAndInTheirOwn() async throws {
        let pipeline = PhotoPipeline()
        let animation = try await pipeline.animation(for: request(filter: "invert(1)"))
        XCTAssertEqual(animation.frameCount, 6)
        XCTAssertEqual(animation.loopCount, 1)
        XCTAssertEqual(animation.size, PixelSize(width: 12, height: 9))
        for index in [0, 5, 2] {
            let frame = try await animation.frame(index)
            XCTAssertEqual(frame.image.size, animation.size)
            XCTAssertEqual(Self.red(frame), 255 - index * 20)
            XCTAssertEqual(frame.duration, .milliseconds(10 * (4 + index)))
        }
        var reds: [Int] = []
        for try await frame in animation.frames { reds.append(Self.red(frame)) }
        XCTAssertEqual(reds, (0..<6).map { 255 - $0 * 20 })
        for index in [6, -1, .max, .min] {
            await assertFailure(.damagedImage) { _ = try await animation.frame(index) }
        }
        XCTAssertEqual(server.requestCount("/moving.gif"), 1)
        eventuallyEmpty(pipeline)
    }

    func testASizeAndAStillPicture() async throws {
        let pipeline = PhotoPipeline()
        let small = try await pipeline.animation(for: request(size: 4))
        let frame = try await small.frame(1)
        XCTAssertEqual(small.size, PixelSize(width: 4, height: 3))
        XCTAssertEqual(frame.image.size, small.size)
        server.serve(ProgressiveImage.file, at: "/still.jpg")
        let still = try await pipeline.animation(for: ImageRequest(address: server.url("/still.jpg"), longestSide: 80))
        XCTAssertEqual(still.frameCount, 1)
        XCTAssertEqual(still.loopCount, 1)
        let only = try await still.frame(0)
        XCTAssertEqual(only.image, try ImageDecoder.decode(ProgressiveImage.file, longestSide: 80))
        eventuallyEmpty(pipeline)
    }

    func testItSharesTheTransferWithPictures() async throws {
        let pipeline = PhotoPipeline()
        pipeline.pending.isSuspended = true
        let request = request()
        let animations = (0..<2).map { _ in Task { try await pipeline.animation(for: request) } }
        let image = pipeline.imageTask(for: request)
        eventually("all have joined") { pipeline.pending.count == 3 }
        pipeline.pending.isSuspended = false
        for animation in animations {
            let count = try await animation.value.frameCount
            XCTAssertEqual(count, 6)
        }
        _ = try await image.value
        XCTAssertEqual(server.requestCount("/moving.gif"), 1)
        eventuallyEmpty(pipeline)
    }

    func testFailures() async throws {
        let pipeline = PhotoPipeline()
        server.serve(Data("no picture".utf8), at: "/text")
        for (path, reason) in [("/nothing", PhotoError.Reason.http), ("/text", .notAnImage)] {
            let request = ImageRequest(address: server.url(path))
            await assertFailure(reason) { _ = try await pipeline.animation(for: request) }
        }
        eventuallyEmpty(pipeline)
    }

    /// One of two who wait leaves, and then the other.
    func testCancelling() async throws {
        let pipeline = PhotoPipeline()
        let request = ImageRequest(address: server.url(.stallMidBody))
        let waiting = (0..<2).map { _ in Task { try await pipeline.animation(for: request) } }
        XCTAssert(server.waitForRequests(Fault.stallMidBody.rawValue))
        eventually("both wait") { pipeline.pending.count == 2 }
        waiting[0].cancel()
        await assertFailure(.cancelled) { _ = try await waiting[0].value }
        XCTAssertEqual(server.peerCloseCount(Fault.stallMidBody.rawValue), 0)
        pipeline.pending.cancelAll()
        await assertFailure(.cancelled) { _ = try await waiting[1].value }
        XCTAssert(server.waitForPeerClose(Fault.stallMidBody.rawValue))
        eventuallyEmpty(pipeline)
    }

    func testACancelledFrameIsNotDecodedAndTheNextOneIs() async throws {
        let pipeline = PhotoPipeline()
        let animation = try await pipeline.animation(for: request())
        pipeline.pending.isSuspended = true
        let frames = (0..<3).map { index in Task { try await animation.frame(index) } }
        eventually("all wait") { pipeline.pending.decodeQueue.operationCount == 3 }
        // At most one has its memory.
        XCTAssertLessThanOrEqual(pipeline.memoryInUse, 12 * 9 * 4)
        frames[1].cancel()
        pipeline.pending.isSuspended = false
        await assertFailure(.cancelled) { _ = try await frames[1].value }
        for index in [0, 2] {
            let frame = try await frames[index].value
            XCTAssertEqual(Self.red(frame), index * 20)
        }
        eventuallyEmpty(pipeline)
    }

    /// 900 frames of 290,400 pixels, a gigabyte if all are decoded, in a file of 18 kB.
    func testAShortFileDoesNotTakeAGigabyte() async throws {
        server.serve(GIF.tinyChanges(900, width: 660, height: 440), at: "/short.gif")
        let address = server.url("/short.gif")
        var configuration = PhotoPipeline.Configuration()
        configuration.decodeLimits.isolation = .nothing
        let pipeline = PhotoPipeline(configuration: configuration)
        let animation = try await pipeline.animation(for: ImageRequest(address: address))
        XCTAssertEqual(animation.frameCount, 900)
        var most = 0
        let before = try residentBytes()
        for index in [0, 1, 2, 300, 899] {
            _ = try await animation.frame(index)
            most = max(most, try residentBytes() - before)
        }
        XCTAssertLessThan(most, 256 << 20)
        // The limits are for the header, before anything is decoded.
        configuration.decodeLimits.maxFrames = 899
        await assertFailure(.tooManyFrames) {
            _ = try await PhotoPipeline(configuration: configuration).animation(for: ImageRequest(address: address))
        }
        configuration.decodeLimits = DecodeLimits(maxPixels: 660 * 440 - 1)
        await assertFailure(.tooManyPixels) {
            _ = try await PhotoPipeline(configuration: configuration).animation(for: ImageRequest(address: address))
        }
    }

    // MARK: -

    private func request(size: Int? = nil, filter: String = "none") -> ImageRequest {
        let chain = (try? FilterChain(parsing: filter)) ?? .none
        return ImageRequest(address: server.url("/moving.gif"), longestSide: size, filter: chain)
    }

    private static func red(_ frame: ImageAnimation.Frame) -> Int { frame.image.withUnsafeBytes { Int($0[0]) } }

    private func assertFailure(
        _ reason: PhotoError.Reason, line: UInt = #line, _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            XCTFail("no error", line: line)
        } catch {
            XCTAssertEqual((error as? PhotoError)?.reason, reason, "\(error)", line: line)
        }
    }

    private func eventuallyEmpty(_ pipeline: PhotoPipeline, line: UInt = #line) {
        eventually("nothing is left", line: line) {
            pipeline.stageCount == 0 && pipeline.memoryInUse == 0 && pipeline.pending.count == 0
        }
    }

    private func eventually(_ what: String, line: UInt = #line, _ isMet: () -> Bool) {
        let end = Date(timeIntervalSinceNow: 60)
        while !isMet(), Date() < end { usleep(2_000) }
        XCTAssert(isMet(), what, line: line)
    }
}
