import Foundation
import ImageCodecs
import Operations
import Pixels
import TestServers
import Transfers
import XCTest

@testable import PhotoPipeline

/// What is not shared: pictures that another request may not see, or that another filter made.
final class SharingBordersTests: XCTestCase {
    private var server: FaultServer!

    override func setUpWithError() throws {
        server = try FaultServer()
        server.serve(try Self.image(), at: "/a.png")
    }

    override func tearDown() { server.stop() }

    func testAGuardedRequestSeesNothingOfAnOpenOne() throws {
        let pipeline = PhotoPipeline()
        let open = ImageRequest(address: server.url("/a.png"))
        var guarded = open
        guarded.addressGuard = .closed
        // On the way at the same time, and from memory.
        for _ in 0..<2 {
            pipeline.pending.isSuspended = true
            let tasks = [open, guarded].map(pipeline.imageTask)
            pipeline.pending.isSuspended = false
            let results = tasks.map(result)
            XCTAssertNotNil(try results[0]?.get())
            guard case .failure(let error) = results[1] else { return XCTFail("it was shown") }
            XCTAssertEqual(error.reason, .forbiddenAddress)
        }
        XCTAssertNotNil(pipeline.cachedImage(for: open))
        XCTAssertNil(pipeline.cachedImage(for: guarded))
        XCTAssertEqual(server.requestCount(), 1)
    }

    func testAFileIsInMemoryOnlyForThoseWhoMayReadIt() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "classicphotos-\(UUID()).png")
        try Self.image().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let pipeline = PhotoPipeline()
        let allowed = ImageRequest(address: file, allowsLocalFiles: true)
        XCTAssertNotNil(try result(pipeline.imageTask(for: allowed))?.get())
        XCTAssertNotNil(pipeline.cachedImage(for: allowed))
        XCTAssertNil(pipeline.cachedImage(for: ImageRequest(address: file)))
    }

    func testATransferThatFailsForAMomentIsTriedAgain() throws {
        server.serve(FaultScript(try Self.image(), [.status(503), .answer]), at: "/late.png")
        var configuration = PhotoPipeline.Configuration()
        configuration.transferRetries = 1
        let task = PhotoPipeline(configuration: configuration).imageTask(
            for: ImageRequest(address: server.url("/late.png")))
        XCTAssertNotNil(try result(task)?.get())
        XCTAssertEqual(server.requestCount("/late.png"), 2)
    }

    func testABeginningIsRunOnceAndWhatIsBehindItIsNoPictureOfItsOwn() throws {
        let pipeline = PhotoPipeline()
        func request(_ filter: String) throws -> ImageRequest {
            ImageRequest(address: server.url("/a.png"), filter: try FilterChain(parsing: filter))
        }
        pipeline.pending.isSuspended = true
        let tasks = try ["sepia(1) blur(1px)", "sepia(1) blur(2px)"].map { pipeline.imageTask(for: try request($0)) }
        XCTAssertEqual(pipeline.pending.filtrationQueue.operationCount, 3)
        pipeline.pending.isSuspended = false
        for task in tasks { XCTAssertNotNil(try result(task)?.get()) }
        for filter in ["sepia(1)", "sepia(1) blur(1px)", "sepia(1) blur(2px)"] {
            XCTAssertNotNil(pipeline.cachedImage(for: try request(filter)), filter)
        }
        XCTAssertNil(pipeline.cachedImage(for: try request("blur(1px)")))
    }

    // MARK: -

    /// What comes of a task; nil if it takes so long that it can be said to hang.
    private func result(_ task: ImageTask) -> Result<PixelBuffer, PhotoError>? {
        let ended = expectation(description: "it ends")
        let result = Lock<Result<PixelBuffer, PhotoError>?>(nil)
        Task {
            let value = await task.result
            result.withLock { $0 = value }
            ended.fulfill()
        }
        wait(for: [ended], timeout: 120)
        return result.withLock { $0 }
    }

    private static func image() throws -> Data {
        let buffer = PixelBuffer(uninitialized: PixelSize(width: 40, height: 30), isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : UInt8(index / 4 % 200) }
        }
        return try ImageEncoder(format: .png).encode(buffer)
    }
}
