import Foundation
import ImageCodecs
import PhotoBrowser
import PhotoPipeline
import XCTest

/// Local files that come as from a network, and the strategy that waits for them.
final class SlowNetworkTests: XCTestCase {
    func testFilesComeThroughTheNetworkThatIsPlayed() throws {
        try Self.withFolder { folder in
            let list = try Self.makeList(
                ["a b.png", "missing.png"], in: folder, SlowNetwork(latency: .milliseconds(1)))
            list.traffic = PhotoList.Traffic()
            list.fileScheme = SlowNetwork.scheme
            list.visibleRowsChanged(0..<2)
            waitUntil("rest") { list.pendingCount == 0 }
            XCTAssertEqual(list[Photo.ID(0)].state, .filtered)
            guard case .failed(let error) = list[Photo.ID(1)].state else {
                return XCTFail("\(list[Photo.ID(1)].state)")
            }
            XCTAssertEqual(error.reason, .notFound)
            let size = try Data(contentsOf: folder.appending(path: "a b.png")).count
            XCTAssertEqual(list.traffic?.received, size, "its bytes count as those of a network do")
        }
    }

    func testAFileTakesTheTimeThatANetworkTakes() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-slow-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "bytes")
        try Data(count: 1_000).write(to: file)
        let network = SlowNetwork(latency: .milliseconds(20), bytesPerSecond: 10_000)
        let start = ContinuousClock.now
        let bytes = try await network.load(URL(filePath: file.path), limit: 5_000)
        XCTAssertEqual(bytes.count, 1_000)
        XCTAssertGreaterThanOrEqual(ContinuousClock.now - start, .milliseconds(119))
        let cut = try await network.load(URL(filePath: file.path), limit: 500)
        XCTAssertEqual(cut.count, 501, "enough to tell that there are too many")
        let whole = try await network.load(URL(filePath: file.path), limit: .max)
        XCTAssertEqual(whole.count, 1_000)
    }

    func testTheStrategyThatBlocksWaitsUntilItsDeadline() throws {
        try Self.withFolder { folder in
            let list = try Self.makeList(["a b.png", "a b.png"], in: folder, SlowNetwork(latency: .milliseconds(1)))
            list.strategy = .blocking
            list.fileScheme = SlowNetwork.scheme
            list.visibleRowsChanged(0..<1)
            XCTAssertEqual(list[Photo.ID(0)].state, .filtered, "it is there when the call returns")
            list.blockingDeadline = .now
            let other = try Self.makeList(["a b.png"], in: folder, SlowNetwork(latency: .milliseconds(50)))
            other.strategy = .blocking
            other.fileScheme = SlowNetwork.scheme
            other.blockingDeadline = .now
            other.visibleRowsChanged(0..<1)
            XCTAssertNotEqual(other[Photo.ID(0)].state, .filtered)
            waitUntil("the photo") { other[Photo.ID(0)].state == .filtered }
            waitUntil("rest") { list.pendingCount == 0 && other.pendingCount == 0 }
        }
    }

    // MARK: Helpers

    private static func withFolder(_ body: @MainActor (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-slow-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var buffer = PixelBuffer(size: PixelSize(width: 64, height: 48))
        buffer.withUnsafeMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = 255 }
        }
        try ImageEncoder(format: .png).encode(buffer).write(to: folder.appending(path: "a b.png"))
        try MainActor.assumeIsolated { try body(folder) }
    }

    @MainActor private static func makeList(
        _ names: [String], in folder: URL, _ network: SlowNetwork
    ) throws -> PhotoList {
        var configuration = PhotoPipeline.Configuration()
        configuration.loaders[SlowNetwork.scheme] = network
        let entries = names.map { "\($0),\"\(folder.appending(path: $0).absoluteString)\"\n" }
        let catalog = try Catalog(
            parsing: Data(("name,url\n" + entries.joined()).utf8),
            origin: .file(path: folder.appending(path: "c.csv").path))
        return PhotoList(
            catalog: catalog, pipeline: PhotoPipeline(configuration: configuration), longestSide: 32)
    }
}
