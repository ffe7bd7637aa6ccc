import Foundation
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
        let resultTries = Atomic(0)
        let (hasTried, others) = (DispatchSemaphore(value: 0), DispatchQueue(label: "others", attributes: .concurrent))
        let (batch, result) = (DispatchGroup(), DispatchGroup())
        func waitForTries(_ count: Int) {
            for _ in 0..<count { XCTAssertEqual(hasTried.wait(timeout: .now() + 60), .success) }
        }
        others.async(group: batch) {
            _ = try? DescriptorWait.open(.batch) { () throws(FileError) in
                hasTried.signal()
                if !isFree.load(ordering: .relaxed) { throw FileError(code: EMFILE) }
            }
        }
        // Behind the first one it waits.
        waitForTries(2)
        others.async(group: result) {
            _ = try? DescriptorWait.open(.result) { () throws(FileError) in
                resultTries.add(1, ordering: .relaxed)
            }
        }
        waitForTries(5)
        XCTAssertEqual(resultTries.load(ordering: .relaxed), 0)
        isFree.store(true, ordering: .relaxed)
        XCTAssertEqual(batch.wait(timeout: .now() + 60), .success)
        XCTAssertEqual(result.wait(timeout: .now() + 60), .success)
        XCTAssertEqual(resultTries.load(ordering: .relaxed), 1)
    }

    /// Its row may still be kept in memory.
    func testAFileThatHasItsNameIsClosed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "closed-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try TemporaryFile(in: folder.path)
        let place = "/proc/self/fd/\(file.descriptor)"
        XCTAssertEqual(try FileManager.default.destinationOfSymbolicLink(atPath: place), file.path)
        try file.commit(to: folder.path + "/named")
        // Another thread may have another file there by now.
        XCTAssertNotEqual(
            try? FileManager.default.destinationOfSymbolicLink(atPath: place), folder.path + "/named")
        withExtendedLifetime(file) {}
    }

    func testOtherFailuresAreNotWaitedFor() {
        for purpose in [DescriptorWait.Purpose.result, .batch] {
            XCTAssertThrowsError(
                try DescriptorWait.open(purpose) { () throws(FileError) in throw FileError(code: ENOENT) })
        }
        XCTAssertNoThrow(try DescriptorWait.open(.result) { () throws(FileError) in })
    }
}
