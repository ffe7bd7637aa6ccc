import Foundation
import Glibc
import ImageCodecs
import OperationsCore
import Pixels
import TestServers
import XCTest

@testable import PhotoPipeline
@testable import Transfers

/// What happens on the thread of the caller, which may be the one that draws.
final class MainThreadTests: XCTestCase {
    private static let longAgo = 1_000_000_000
    private var folder: URL!

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-main-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    /// Not even to ask whether one is there. Whoever looks up a name behind a symbolic link leaves the time in the link.
    func testNoStatOnTheMainThread() throws {
        let other = try makeLink("other")
        _ = FileManager.default.fileExists(atPath: folder.appending(path: "other/none").path)
        try XCTSkipIf(try wasNotUsed(other), "this file system does not note who uses a link")

        let server = try FaultServer()
        defer { server.stop() }
        server.serve(try image(), at: "/a.png", headers: ["Cache-Control": "max-age=600"])
        let link = try makeLink("link")
        let cache = DiskCache(folder: link + "/cache")
        var configuration = PhotoPipeline.Configuration()
        configuration.diskCache = cache
        let pipeline = PhotoPipeline(configuration: configuration)
        // The one thread that may touch files is held.
        cache.answers.queue.isSuspended = true
        let request = ImageRequest(address: server.url("/a.png"))
        XCTAssertNil(pipeline.cachedImage(for: request))
        let tasks = (0..<3).map { _ in pipeline.imageTask(for: request) }
        XCTAssert(eventually { cache.answers.queue.operationCount > 0 })
        tasks[0].cancel()
        XCTAssert(try wasNotUsed(link))

        cache.answers.queue.isSuspended = false
        XCTAssert(eventually { pipeline.cachedImage(for: request) != nil && pipeline.pending.count == 0 })
        XCTAssertFalse(try wasNotUsed(link))
    }

    private func eventually(_ isMet: () -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: 60)
        while !isMet(), Date() < end { usleep(2_000) }
        return isMet()
    }

    /// A link to a folder, last used in 2001.
    private func makeLink(_ name: String) throws -> String {
        let target = folder.appending(path: "\(name)-target")
        let link = folder.appending(path: name)
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        let time = timeval(tv_sec: Self.longAgo, tv_usec: 0)
        XCTAssertEqual(lutimes(link.path, [time, time]), 0)
        return link.path
    }

    /// Asks another program, because Foundation itself follows the link.
    private func wasNotUsed(_ link: String) throws -> Bool {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["stat", "-c", "%X", link]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return try XCTUnwrap(Int(text.trimmingCharacters(in: .whitespacesAndNewlines))) == Self.longAgo
    }

    private func image() throws -> Data {
        let buffer = PixelBuffer(uninitialized: PixelSize(width: 40, height: 30), isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = 255 }
        }
        return try ImageEncoder(format: .png).encode(buffer)
    }
}
