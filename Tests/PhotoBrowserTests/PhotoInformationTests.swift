import Foundation
import Operations
import PhotoPipeline
import TestServers
import XCTest

@testable import PhotoBrowser

/// What a photo's file says, asked for by several at once and by others later.
final class PhotoInformationTests: XCTestCase {
    func testEverybodyWhoAsksIsAnswered() throws {
        try PhotoListTests.withServer { server in
            // Two rows of one address.
            let list = try PhotoListTests.makeList(server, [server.url("/picture"), server.url("/picture")])
            let pending = list.pipeline.pending
            var byteCounts: [Int?] = []
            @MainActor func ask(_ row: Int) {
                Task { @MainActor in byteCounts.append(try? await list.information(of: Photo.ID(row)).byteCount) }
            }
            pending.downloadQueue.isSuspended = true
            for row in 0..<2 { ask(row) }
            waitUntil("two who wait") { pending.count == 2 }
            pending.downloadQueue.isSuspended = false
            waitUntil("two answers") { byteCounts.count == 2 }
            XCTAssertEqual(server.requestCount("/picture"), 1)
            // Somebody wants a picture of one pixel, and later somebody asks again.
            let request = ImageRequest(address: server.url("/picture"), longestSide: 1)
            let pixel = list.pipeline.imageTask(for: request)
            waitUntil("the pixel") { list.pipeline.cachedImage(for: request) != nil }
            ask(0)
            waitUntil("a third answer") { byteCounts.count == 3 }
            for count in byteCounts { XCTAssertGreaterThan(count ?? 0, 0) }
            withExtendedLifetime(pixel) {}
        }
    }

    /// Who closes the page while all is paused does not wait for the download queue.
    func testGivingUpWhileThePipelineIsPaused() throws {
        try PhotoListTests.withServer { server in
            let list = try PhotoListTests.makeList(server, [server.url("/picture")])
            let pending = list.pipeline.pending
            pending.isSuspended = true
            var reason: PhotoError.Reason?
            let asking = Task { @MainActor in
                do { _ = try await list.information(of: Photo.ID(0)) } catch {
                    reason = (error as? PhotoError)?.reason
                }
            }
            waitUntil("one who waits") { pending.count == 1 }
            asking.cancel()
            waitUntil("the end of the wait") { reason == .cancelled }
            pending.isSuspended = false
            waitUntil("the end of the work") { pending.count == 0 && list.pipeline.memoryInUse == 0 }
        }
    }

    /// They say also that no header is read in the program.
    func testTheLimitsOfThePipelineCount() throws {
        try PhotoListTests.withServer { server in
            // Three frames of one pixel.
            let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0]
            let start = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
            server.serve(Data(start + frame + frame + frame + [0x3B]), at: "/moving")
            var configuration = PhotoPipeline.Configuration()
            for (limit, frames) in [(9, 3), (1, 2)] {
                configuration.decodeLimits.maxFrames = limit
                let list = try PhotoListTests.makeList(
                    server, [server.url("/moving")], pipeline: PhotoPipeline(configuration: configuration))
                var counted: Int??
                Task { @MainActor in counted = .some(try? await list.information(of: Photo.ID(0)).image?.frames) }
                waitUntil("an answer") { counted != nil }
                XCTAssertEqual(counted, frames, "of those, one more than the limit is counted")
            }
        }
    }
}
