import Foundation
import ImageCodecs
import TestServers
import XCTest

/// `develop --recursive`: a folder of folders.
final class RecursiveTests: AlbumTestCase {
    private func run(_ output: String, _ options: [String] = []) throws -> ProgramRun {
        let run = try ProgramRun(
            ["develop", album.path, "--recursive", "--output", output, "--report", report.path] + options, in: folder)
        run.wait()
        return run
    }

    func testPicturesOfFoldersInsideAreTakenAndTheRestIsNamed() throws {
        try write(["2024/Hà Nội/sông.jpg", "2024/b.jpg", "a.jpg", ".hidden/c.jpg", "2024/notes.txt"])
        let link = album.appending(path: "circle").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: album.path)
        let run = try run(output.path, ["--verbose"])
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssertEqual(try rows().map { $0[0] }, ["2024/b.jpg", "2024/Hà Nội/sông.jpg", "a.jpg"])
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: output.path).count { $0.hasSuffix("jpg") }, 3)
        for part in ["/2024/notes.txt: its ending", "/.hidden: hidden", "/circle: a folder; --recursive"] {
            XCTAssert(run.error.contains(part), "\(part): \(run.error)")
        }
        XCTAssertFalse(run.error.contains("/2024: "), run.error)
    }

    func testAFolderWithPicturesInFoldersOnlyIsRefusedAndTheOptionIsNamed() throws {
        try write(["2024/a.jpg"])
        for options in [[], ["--dry-run"]] {
            let without = try ProgramRun(["develop", album.path, "--output", output.path] + options, in: folder)
            XCTAssertEqual(without.wait(), 3, without.output)
            XCTAssert(without.error.contains("--recursive takes those of the folders inside"), without.error)
        }
        // It has left nothing that stands in the way.
        let with = try run(output.path)
        XCTAssertEqual(with.wait(), 0, with.error)
        XCTAssertEqual(try rows().map { $0[0] }, ["2024/a.jpg"])
    }

    func testAFolderWithoutPicturesIsDoneAlsoBesideWhatARunWrote() throws {
        try write(["a.jpg"])
        let arguments = ["develop", album.path, "--output", album.path + "/small", "--fresh"]
        XCTAssertEqual(try ProgramRun(arguments, in: folder).wait(), 0)
        try FileManager.default.removeItem(at: album.appending(path: "a.jpg"))
        let empty = try ProgramRun(arguments, in: folder)
        XCTAssertEqual(empty.wait(), 0, empty.error)
    }

    func testWhatRunsWroteInsideIsLeftOut() throws {
        try write(["one.jpg", "deep/two.jpg"])
        let names = ["deep/two.jpg", "one.jpg"]
        // Into a folder inside, into another one, into the catalog's own, and again.
        for output in ["album/deep/small", "album/large", "album/deep/small", "album", "album"] {
            let run = try run(output, ["--fresh"])
            XCTAssertEqual(run.wait(), 0, run.error)
            XCTAssertEqual(try rows().map { $0[0] }, names, output)
        }
        // A picture that somebody puts among the results of another run is no result.
        try write(["large/mine.jpg"])
        _ = try run("album", ["--fresh"])
        XCTAssertEqual(try rows().map { $0[0] }, ["deep/two.jpg", "large/mine.jpg", "one.jpg"])
    }

    func testARunOfAFolderThatHoldsItsOutputGoesOn() throws {
        try write(["one.jpg", "deep/two.jpg"])
        _ = try run("album/small")
        let next = try run("album/small")
        XCTAssertEqual(next.wait(), 0, next.error)
        XCTAssert(next.output.contains("2 of 2"), next.output)
    }

    /// A phone's names end in thirteen digits.
    func testPhotosThatAreCalledLikeResultsAreTaken() throws {
        try write(["2023/image-1699999999999.jpg", "2023/other.jpg", "top.jpg"])
        let names = ["2023/image-1699999999999.jpg", "2023/other.jpg", "top.jpg"]
        for _ in 0..<2 {
            _ = try run("album", ["--fresh"])
            XCTAssertEqual(try rows().map { $0[0] }, names)
        }
        let inner = try ProgramRun(["develop", album.path + "/2023", "--output", album.path + "/2023"])
        XCTAssertEqual(inner.wait(), 0, inner.error)
        _ = try run(output.path)
        XCTAssertEqual(try rows().map { $0[0] }.filter { $0.hasPrefix("2023/") }, Array(names.prefix(2)))
    }

    func testOnlyAFolderIsLookedThrough() throws {
        let run = try ProgramRun(["develop", try catalog([("a", "a.jpg")]), "--recursive", "--output", output.path])
        XCTAssertEqual(run.wait(), 2)
        XCTAssert(run.error.contains("--recursive is for a folder"), run.error)
        try write(["deep/two.jpg"])
        let check = try ProgramRun(["catalog", "check", album.path, "-r"])
        XCTAssertEqual(check.wait(), 0)
        XCTAssert(check.output.hasPrefix("1 entry"), check.output)
    }
}
