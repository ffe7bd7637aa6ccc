import Dispatch
import Glibc
import Operations
import Synchronization
import Transfers
import XCTest

@testable import PhotoDevelopment

/// Files that are opened where all file descriptors are in use.
final class DescriptorWaitTests: XCTestCase {
    /// Results have the descriptors until their batch is through: what the batch needs comes first, or nobody gets on.
    func testResultsWaitForABatchThatWaits() throws {
        let isFree = Atomic(false)
        let tries = Atomic(0)
        let resultTries = Atomic(0)
        let (lacking, other) = (FileError(code: EMFILE), DispatchQueue(label: "other", attributes: .concurrent))
        let (batch, result) = (DispatchGroup(), DispatchGroup())
        other.async(group: batch) {
            _ = try? DescriptorWait.open(.batch) { () throws(FileError) in
                tries.add(1, ordering: .relaxed)
                if !isFree.load(ordering: .relaxed) { throw lacking }
            }
        }
        while tries.load(ordering: .relaxed) < 2 { usleep(1_000) }
        other.async(group: result) {
            _ = try? DescriptorWait.open(.result) { () throws(FileError) in
                resultTries.add(1, ordering: .relaxed)
            }
        }
        let before = tries.load(ordering: .relaxed)
        while tries.load(ordering: .relaxed) < before + 5 { usleep(1_000) }
        XCTAssertEqual(resultTries.load(ordering: .relaxed), 0)
        isFree.store(true, ordering: .relaxed)
        XCTAssertEqual(batch.wait(timeout: .now() + 60), .success)
        XCTAssertEqual(result.wait(timeout: .now() + 60), .success)
        XCTAssertEqual(resultTries.load(ordering: .relaxed), 1)
    }

    func testOtherFailuresAreNotWaitedFor() {
        for purpose in [DescriptorWait.Purpose.result, .batch] {
            XCTAssertThrowsError(
                try DescriptorWait.open(purpose) { () throws(FileError) in throw FileError(code: ENOENT) })
        }
        XCTAssertNoThrow(try DescriptorWait.open(.result) { () throws(FileError) in })
    }
}
