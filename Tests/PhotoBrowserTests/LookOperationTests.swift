import Foundation
import ImageCodecs
import Operations
import XCTest

@testable import PhotoBrowser
@testable import PhotoPipeline

/// What comes of a look where there is no memory for it, or where it is cancelled.
final class LookOperationTests: XCTestCase {
    private static let image = PixelBuffer(size: PixelSize(width: 4, height: 3))
    private static let lack = PhotoError(.memoryLimit, "There is no memory for it.")

    /// What an operation tells of a filter.
    private func states(of filter: @escaping LookOperation.Filter) -> [Photo.State] {
        let states = Lock<[Photo.State]>([])
        let operation = LookOperation(filter) {
            ScaledImage(pixels: Self.image, scale: 1)
        } report: { state, image in
            XCTAssertEqual(image != nil, state == .filtered)
            states.withLock { $0.append(state) }
        }
        operation.start()
        return states.withLock { $0 }
    }

    /// What comes of saving a picture with a filter.
    private func outcome(of filter: @escaping LookOperation.Filter) throws -> Result<String, SaveFault> {
        let file = FileManager.default.temporaryDirectory.appending(path: "classicphotos-look-\(UUID()).png")
        defer { try? FileManager.default.removeItem(at: file) }
        let operation = SaveOperation(
            of: { .success(Self.image) }, filter: filter, path: file.path, whereTaken: .refuse,
            encoder: ImageEncoder(format: .png))
        operation.start()
        return operation.outcome
    }

    func testALookThatThereIsNoMemoryForFails() {
        XCTAssertEqual(states { _, _ throws(PhotoError) in throw Self.lack }, [.filtering, .failed(Self.lack)])
        XCTAssertEqual(states { _, _ in nil }, [.filtering], "it was cancelled")
        XCTAssertEqual(states { image, _ in image.pixels }, [.filtering, .filtered])
    }

    func testSavingSaysThatThereIsNoMemory() throws {
        func error(_ filter: @escaping LookOperation.Filter) throws -> PhotoError? {
            if case .failure(let fault) = try outcome(of: filter) { fault.error } else { nil }
        }
        XCTAssertEqual(try error { _, _ throws(PhotoError) in throw Self.lack }, Self.lack)
        XCTAssertEqual(try error { _, _ in nil }?.reason, .cancelled)
        XCTAssertNil(try error { image, _ in image.pixels })
    }

    func testAFilterThatStopsIsNoErrorWhereItWasCancelled() {
        let size = PixelSize(width: 4, height: 3)
        XCTAssertNil(PhotoError(.cancelled, FilterChain.classic, of: size))
        let error = PhotoError(.lacksMemory, FilterChain.classic, of: size)
        XCTAssertEqual(error?.reason, .memoryLimit)
        XCTAssertTrue(error?.detail.contains("\(FilterChain.classic)") ?? false)
    }

    func testAWeakLookIsAFilterOfThePipeline() {
        XCTAssertEqual(PhotoLook(.classic, intensity: 0.5).processing, ProcessingChain(.classic, intensity: 0.5))
        XCTAssertEqual(PhotoLook(.classic).processing, ProcessingChain(.classic))
        XCTAssertEqual(PhotoLook(.classic, intensity: 0).processing, .none)
    }
}
