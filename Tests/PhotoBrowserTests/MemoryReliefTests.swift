import Foundation
import ImageCodecs
import PhotoBrowser
import PhotoPipeline
import Testing

@MainActor @Suite struct MemoryReliefTests {
    @Test func largeImagesGoWhenTheyAreLeftAndTheRestAfterAWhile() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-relief-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "it.png")
        let image = PixelBuffer(size: PixelSize(width: 512, height: 512))
        try ImageEncoder(format: .png).encode(image).write(to: file)
        var configuration = PhotoPipeline.Configuration()
        configuration.cacheLimit = 2_000_000
        let pipeline = PhotoPipeline(configuration: configuration)
        let relief = MemoryRelief(pipeline, rest: .milliseconds(50))
        for side in [64, 512, 128] {
            _ = try await pipeline.image(
                for: ImageRequest(address: file, longestSide: side, allowsLocalFiles: true))
        }
        #expect(pipeline.cache.byteCount > 512 * 512 * 4)
        relief.leaveLargeImages(above: 128)
        #expect(pipeline.cache.byteCount > 0 && pipeline.cache.byteCount <= 2 * (64 * 64 + 128 * 128) * 4)
        _ = try await pipeline.image(for: ImageRequest(address: file, longestSide: 512, allowsLocalFiles: true))
        // People mean that there is no end.
        MemoryRelief(pipeline, rest: .seconds(Int64.max)).use()
        relief.use()
        while pipeline.cache.byteCount > 2_000_000 / 8 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(pipeline.cache.limit == 2_000_000, "there is room again for what comes")
        relief.relieve()
        #expect(pipeline.cache.byteCount == 0)
    }
}
