import Foundation
import ImageCodecs
import Operations
import PhotoPipeline
import XCTest

@testable import PhotoDevelopment

/// A row has all its pictures or none: when one of them cannot be made the others are given up.
final class RowTaskTests: XCTestCase {
    private let store = FileStore(folder: OutputFolder(unprepared: "/nowhere"))

    private static func error(_ text: String) -> PhotoError { PhotoError(.unsupportedFormat, text) }

    private func write(
        whenFailed: @escaping @Sendable () -> Void, _ take: @escaping @Sendable () -> WriteOperation.Taken?
    ) -> WriteOperation {
        WriteOperation(
            encoder: nil, store: store, stem: "photo", variant: nil, whenFailed: whenFailed, takeImage: take)
    }

    func testThePictureThatFailsGivesUpTheOthersAndNotItself() throws {
        let pipeline = PhotoPipeline()
        pipeline.pending.isSuspended = true
        let (queue, failure) = (OperationQueue(), RowFailure())
        let parts = try [40, 80, 120].map { side in
            let address = try XCTUnwrap(URL(string: "http://127.0.0.1:9/a.jpg"))
            let task = pipeline.task(for: ImageRequest(address: address, longestSide: side), of: Photo.ID(0)) { _ in }
            let write = write(whenFailed: {}) { nil }
            task.append(write, to: queue)
            return RowTask.Part(task: task, write: write)
        }
        let row = RowTask(parts: parts, failure: failure, claim: nil, earlier: EarlierAttempts())
        let over = expectation(description: "it is over")
        row.start { over.fulfill() }
        failure.report(Self.error("the first"), by: 1)
        XCTAssertEqual(parts.map(\.write.isCancelled), [true, false, true])
        // That is only told of, as the others have been given up.
        failure.report(Self.error("the second"), by: 0)
        XCTAssertEqual(parts.map(\.write.isCancelled), [true, false, true])
        let end = row.takeEnd()
        guard case .failed(let reason) = end else { return XCTFail("\(end)") }
        XCTAssertEqual(reason.detail, "the first")
        row.cancel()
        pipeline.pending.isSuspended = false
        wait(for: [over], timeout: 60)
    }

    /// The row may be the last one, and the program end at once.
    func testWhatWasWrittenOfARowThatFailsIsGoneWhenThatIsKnown() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-row-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pipeline = PhotoPipeline()
        let parts = try [folder, "/nowhere"].map { place in
            let address = try XCTUnwrap(URL(string: "http://127.0.0.1:9/a.jpg"))
            let write = WriteOperation(
                encoder: ImageEncoder(format: .png), store: FileStore(folder: OutputFolder(unprepared: place)),
                stem: "photo", variant: nil, whenFailed: {}
            ) {
                let pixels = PixelBuffer(size: PixelSize(width: 8, height: 8))
                return WriteOperation.Taken(image: .success(ScaledImage(pixels: pixels, scale: 1)), address: nil)
            }
            write.start()
            return RowTask.Part(
                task: pipeline.task(for: ImageRequest(address: address), of: Photo.ID(0)) { _ in }, write: write)
        }
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder).count, 1)
        let row = RowTask(parts: parts, failure: RowFailure(), claim: nil, earlier: EarlierAttempts())
        let end = row.takeEnd()
        guard case .outputFailed = end else { return XCTFail("\(end)") }
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), [])
        withExtendedLifetime(row) {}
    }

    func testAPictureThatCannotBeWrittenIsTold() {
        let told = Lock(0)
        let whenFailed: @Sendable () -> Void = { told.withLock { $0 += 1 } }
        let cancelled = write(whenFailed: whenFailed) { nil }
        cancelled.start()
        XCTAssertNil(cancelled.takeResult())
        XCTAssertEqual(told.withLock { $0 }, 0, "There is nothing to write, as it was cancelled.")
        let failed = write(whenFailed: whenFailed) {
            WriteOperation.Taken(image: .failure(Self.error("no picture")), address: nil)
        }
        failed.start()
        let end = failed.takeResult()
        guard case .failed? = end else { return XCTFail("\(String(describing: end))") }
        XCTAssertEqual(told.withLock { $0 }, 1)
    }
}
