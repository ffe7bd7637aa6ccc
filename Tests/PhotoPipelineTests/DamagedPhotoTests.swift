import Foundation
import ImageCodecs
import Operations
import Pixels
import TestServers
import XCTest

@testable import PhotoPipeline

/// Photos whose data is damaged: refused, or shown with the reason.
final class DamagedPhotoTests: PipelineTestCase {
    private func outcome(tolerant: Bool) async throws -> (PhotoError.Reason?, [String?], PixelBuffer?) {
        let file = try Data(contentsOf: damaged)
        server.serve(file, at: "/damaged.jpg")
        var configuration = PhotoPipeline.Configuration()
        configuration.toleratesDamage = tolerant
        let pipeline = PhotoPipeline(configuration: configuration)
        let updates = Lock<[Photo.Update]>([])
        let request = ImageRequest(address: server.url("/damaged.jpg"), longestSide: 50, filter: .classic)
        let task = pipeline.task(for: request, of: Photo.ID(1)) { update in updates.withLock { $0.append(update) } }
        try await soon { await withCheckedContinuation { continuation in task.start { continuation.resume() } } }
        let seen = updates.withLock { $0 }
        var reason: PhotoError.Reason?
        if case .failed(let error)? = seen.last?.state { reason = error.reason }
        return (reason, seen.filter { $0.image != nil }.map(\.damage), try? task.takeResult()?.get())
    }

    private let damaged = FileManager.default.temporaryDirectory.appending(path: "damaged-\(UUID()).jpg")

    override func setUpWithError() throws {
        try super.setUpWithError()
        let image = PixelBuffer(uninitialized: PixelSize(width: 100, height: 80), isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : UInt8(index * 31 % 256) }
        }
        let file = try ImageEncoder(format: .jpeg).encode(image)
        try (file.dropLast(file.count / 2) + [0xFF, 0xD9]).write(to: damaged)
    }

    override func tearDown() {
        try? FileManager.default.removeItem(at: damaged)
        super.tearDown()
    }

    func testItFailsUnlessDamageIsTolerated() async throws {
        let (reason, damage, image) = try await outcome(tolerant: false)
        XCTAssertEqual(reason, .damagedImage)
        XCTAssertEqual(damage, [])
        XCTAssertNil(image)
    }

    func testItIsShownWithTheReasonThroughAllStages() async throws {
        let (reason, damage, image) = try await outcome(tolerant: true)
        XCTAssertNil(reason)
        XCTAssertEqual(damage.count, 2, "downloaded and filtered")
        XCTAssert(damage.allSatisfy { $0?.isEmpty == false }, "\(damage)")
        XCTAssertEqual(image?.size, PixelSize(width: 50, height: 40))
    }
}
