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
        guard case .failed(let reason) = row.end else { return XCTFail("\(row.end)") }
        XCTAssertEqual(reason.detail, "the first")
        row.cancel()
        pipeline.pending.isSuspended = false
        wait(for: [over], timeout: 60)
    }

    func testAPictureThatCannotBeWrittenIsTold() {
        let told = Lock(0)
        let whenFailed: @Sendable () -> Void = { told.withLock { $0 += 1 } }
        let cancelled = write(whenFailed: whenFailed) { nil }
        cancelled.start()
        XCTAssertNil(cancelled.result)
        XCTAssertEqual(told.withLock { $0 }, 0, "There is nothing to write, as it was cancelled.")
        let failed = write(whenFailed: whenFailed) {
            WriteOperation.Taken(image: .failure(Self.error("no picture")), metrics: nil)
        }
        failed.start()
        guard case .failed? = failed.result else { return XCTFail("\(String(describing: failed.result))") }
        XCTAssertEqual(told.withLock { $0 }, 1)
    }
}
