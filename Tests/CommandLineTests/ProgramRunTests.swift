import Foundation
import XCTest

/// The runs of the other tests.
final class ProgramRunTests: XCTestCase {
    /// A suite of hundreds has to do with the 1024 that a desktop allows.
    func testRunsKeepNoFilesOpen() throws {
        func run() throws { XCTAssertEqual(try ProgramRun(["--version"]).wait(), 0) }
        func openFiles() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        // The first one opens what Foundation needs for all of them.
        try run()
        let before = try openFiles()
        for _ in 0..<20 { try run() }
        XCTAssertLessThan(try openFiles(), before + 20)
    }
}
