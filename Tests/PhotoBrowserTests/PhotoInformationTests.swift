import Foundation
import Operations
import PhotoPipeline
import TestServers
import XCTest

@testable import PhotoBrowser

/// What a photo's file says, asked for by several at once and by others later.
final class PhotoInformationTests: XCTestCase {
    @MainActor func testEverybodyWhoAsksIsAnswered() async throws {
        let server = try FaultServer()
        defer { server.stop() }
        // Two rows of one address.
        let list = try PhotoListTests.makeList(server, [server.url("/picture"), server.url("/picture")])
        let pending = list.pipeline.pending
        pending.downloadQueue.isSuspended = true
        let both = (0..<2).map { row in Task { try await list.information(of: Photo.ID(row)) } }
        let end = ContinuousClock.now + .seconds(60)
        while pending.count < 2, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
        pending.downloadQueue.isSuspended = false
        for task in both {
            let information = try await task.value
            XCTAssertGreaterThan(information.byteCount, 0)
        }
        XCTAssertEqual(server.requestCount("/picture"), 1)
        // Somebody wants a picture of one pixel, and later somebody asks again.
        let request = ImageRequest(address: server.url("/picture"), longestSide: 1, addressGuard: .open)
        _ = try await list.pipeline.image(for: request)
        _ = try await list.information(of: Photo.ID(0))
    }
}
