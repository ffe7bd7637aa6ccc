import Foundation
import ImageCodecs
import Operations
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// What a picture says about its transfer.
final class ImageMetricsTests: PipelineTestCase {
    func testFromTheNetworkAndFromMemory() async throws {
        let pipeline = pipeline()
        let updates = Lock<[Photo.Update]>([])
        let task = pipeline.task(for: request(1, filter: "sepia(1)"), of: Photo.ID(0)) { update in
            updates.withLock { $0.append(update) }
        }
        XCTAssertNil(task.metrics)
        let ended = expectation(description: "it ends")
        task.start { ended.fulfill() }
        await fulfillment(of: [ended], timeout: 120)
        let metrics = try XCTUnwrap(task.metrics)
        XCTAssertEqual(metrics.source, .network)
        XCTAssertEqual(metrics.transfer?.bytesReceived, task.receivedByteCount)
        XCTAssertGreaterThan(metrics.transfer?.timeToFirstByte ?? .zero, .zero)
        XCTAssertEqual(metrics.transfer?.httpVersion, .http11)
        XCTAssertEqual(metrics.transfer?.isConnectionReused, false)
        let told = updates.withLock { $0.map { ($0.state, $0.metrics) } }
        XCTAssertEqual(told.filter { $0.0 == .downloaded || $0.0 == .filtered }.map(\.1), [metrics, metrics])
        XCTAssert(told.allSatisfy { $0.0 == .downloaded || $0.0 == .filtered || $0.1 == nil })
        // The same, and another filter of the same picture.
        for filter in ["sepia(1)", "grayscale(1)"] {
            let again = pipeline.imageTask(for: request(1, filter: filter))
            _ = try await value(of: again)
            XCTAssertEqual(again.metrics, ImageMetrics(source: .memory, transfer: nil), filter)
        }
        let next = pipeline.imageTask(for: request(2))
        _ = try await value(of: next)
        XCTAssertEqual(next.metrics?.transfer?.isConnectionReused, true)
    }

    func testThoseWhoShareATransferHaveTheSame() async throws {
        let pipeline = pipeline()
        pipeline.pending.isSuspended = true
        let tasks = [8, 16].map { pipeline.imageTask(for: request(3, size: $0)) }
        pipeline.pending.isSuspended = false
        for task in tasks { _ = try await value(of: task) }
        XCTAssertNotNil(tasks[0].metrics?.transfer)
        XCTAssertEqual(tasks[0].metrics, tasks[1].metrics)
    }

    func testAFailedTransferHasThemToo() async throws {
        let task = pipeline().imageTask(for: ImageRequest(address: server.url("/none.png")))
        _ = try await outcome(of: task)
        XCTAssertEqual(task.metrics?.source, .network)
        XCTAssertEqual(task.metrics?.transfer?.httpVersion, .http11)
    }

    func testFromDiskAndFromAFile() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "metrics-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let image = try Self.image(1)
        let body = image.count
        server.serve(image, at: "/fresh.png", headers: ["Cache-Control": "max-age=600"])
        server.serve(image, at: "/stale.png", headers: ["Cache-Control": "no-cache", "ETag": "\"1\""])
        let cache = DiskCache(folder: folder.appending(path: "cache").path)
        func metrics(_ request: ImageRequest) async throws -> ImageMetrics? {
            var configuration = configuration()
            configuration.diskCache = cache
            let task = PhotoPipeline(configuration: configuration).imageTask(for: request)
            _ = try await value(of: task)
            await cache.flush()
            return task.metrics
        }
        for (path, source) in [("/fresh.png", ImageMetrics.Source.cache), ("/stale.png", .validated)] {
            let request = ImageRequest(address: server.url(path))
            let first = try await metrics(request)
            XCTAssertEqual(first?.source, .network)
            XCTAssertEqual(first?.transfer?.bytesReceived, body)
            let second = try await metrics(request)
            XCTAssertEqual(second?.source, source)
            XCTAssertEqual(second?.transfer?.bytesReceived, 0)
            XCTAssertGreaterThan(second?.transfer?.total ?? .zero, .zero)
            // Asking the server was a transfer.
            XCTAssertEqual(second?.transfer?.httpVersion, source == .validated ? .http11 : nil)
        }
        let file = folder.appending(path: "a.png")
        try image.write(to: file)
        let local = try await metrics(ImageRequest(address: file, allowsLocalFiles: true))
        XCTAssertEqual(local?.source, .file)
        XCTAssertEqual(local?.transfer?.bytesReceived, body)
    }
}
