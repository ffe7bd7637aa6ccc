import Foundation
import Operations
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// Pipelines with a disk cache for finished pictures, one after the other as programs are.
class FinishedTestCase: PipelineTestCase {
    private(set) var folder = URL(filePath: "/")
    let time = Lock(1_000_000_000)
    /// How often the processor has run.
    let runs = Lock(0)

    override func setUpWithError() throws {
        try super.setUpWithError()
        folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-finished-\(UUID())")
    }

    override func tearDown() {
        super.tearDown()
        try? FileManager.default.removeItem(at: folder)
    }

    func cache(limit: Int = 8_000_000, maxAge: Duration = .seconds(1_000), in path: String? = nil) -> ImageDiskCache {
        ImageDiskCache(
            folder: path ?? folder.path, limit: limit, maxAge: maxAge,
            clock: WallClock { [time] in time.withLock { $0 } })
    }

    func pipeline(
        _ cache: ImageDiskCache?, _ change: (inout PhotoPipeline.Configuration) -> Void = { _ in }
    ) -> PhotoPipeline {
        var configuration = PhotoPipeline.Configuration()
        configuration.imageDiskCache = cache
        change(&configuration)
        return PhotoPipeline(configuration: configuration)
    }

    /// Makes a picture in a program of its own.
    /// - Returns: The picture, and how many were found on disk for it.
    func make(
        _ request: ImageRequest, _ cache: ImageDiskCache,
        _ change: (inout PhotoPipeline.Configuration) -> Void = { _ in }
    ) async throws -> (pixels: PixelBuffer, found: Int) {
        let before = cache.statistics.found
        let pipeline = pipeline(cache, change)
        let pixels = try await value(from: pipeline, request)
        eventuallyEmpty(pipeline)
        await cache.flush()
        return (pixels, cache.statistics.found - before)
    }

    /// Expects that a picture is on disk, or not.
    func expect(
        _ count: Int, _ request: ImageRequest, _ cache: ImageDiskCache, line: UInt = #line,
        _ change: (inout PhotoPipeline.Configuration) -> Void = { _ in }
    ) async throws {
        let found = try await make(request, cache, change).found
        XCTAssertEqual(found, count, line: line)
    }

    /// Counts how often it runs.
    struct Counting: ImageProcessing {
        let cacheKey: String
        let runs: Lock<Int>

        func process(_ image: consuming PixelBuffer, _ context: ProcessingContext) throws -> PixelBuffer {
            runs.withLock { $0 += 1 }
            return image
        }
    }

    var bytesOnDisk: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.reduce(0) { sum, name in
            var status = stat()
            return stat(folder.appending(path: name).path, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    /// A picture that packs badly.
    static func noise(_ width: Int, _ height: Int, seed: UInt64, isOpaque: Bool = true) -> PixelBuffer {
        var random = seed | 1
        return PixelBuffer(uninitialized: PixelSize(width: width, height: height), isOpaque: isOpaque) { bytes in
            for index in bytes.indices {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[index] = isOpaque && index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: random >> 40)
            }
        }
    }
}
