import Foundation
import XCTest

/// `plan` of a folder of pictures: what a run takes of it.
final class PlanFolderTests: AlbumTestCase {
    private var plan: URL { folder.appending(path: "plan") }

    private func makePlan(_ options: [String] = []) throws -> ProgramRun {
        let run = try ProgramRun(
            ["plan", album.path, "-o", plan.path, "--tasks", "2", "--filter", "none"] + options, in: folder)
        run.wait()
        return run
    }

    /// The addresses in the plan, as paths in the album.
    private func planned() throws -> [String] {
        try (0..<2).flatMap { task in
            let list = folder.appending(path: "task.txt")
            let rows = plan.appending(path: "tasks/0000\(task).jsonl.zst")
            let run = try ProgramRun(["catalog", "convert", rows.path, list.path])
            XCTAssertEqual(run.wait(), 0, run.error)
            return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map {
                String($0.split(separator: "/album/", maxSplits: 1)[1])
            }
        }.sorted()
    }

    func testWhatRunsWroteIsLeftOutAndCounted() throws {
        try write(["one.jpg", "deep/two.jpg", "notes.txt"])
        for output in ["album/small", "album"] {
            let run = try ProgramRun(["develop", album.path, "-r", "-o", output, "--fresh"], in: folder)
            XCTAssertEqual(run.wait(), 0, run.error)
        }
        let inner = try makePlan(["-r"])
        XCTAssertEqual(inner.wait(), 0, inner.error)
        XCTAssertEqual(try planned(), ["deep/two.jpg", "one.jpg"])
        XCTAssert(inner.output.hasPrefix("2 photos in 2 tasks"), inner.output)
        XCTAssert(inner.output.contains("4 left out, which earlier runs made in the same folder"), inner.output)
        XCTAssert(inner.output.contains("1 file of the folder is no picture of a kind that is read\n"), inner.output)
        // The folder itself has results, too.
        try FileManager.default.removeItem(at: plan)
        let outer = try makePlan()
        XCTAssertEqual(outer.wait(), 0, outer.error)
        XCTAssertEqual(try planned(), ["one.jpg"])
        XCTAssert(
            outer.output.contains("1 folder was not looked through; --recursive takes its pictures"), outer.output)
    }

    func testAFolderWithoutAPictureThatCanBeTakenIsRefused() throws {
        try write(["2024/a.jpg"])
        let inside = try makePlan()
        XCTAssertEqual(inside.wait(), 3, inside.output)
        XCTAssert(inside.error.contains("--recursive takes those of the folders inside"), inside.error)
        XCTAssertFalse(FileManager.default.fileExists(atPath: plan.path))
        try FileManager.default.removeItem(at: album)
        try write(["a.cr2", "b.CR2"])
        for options in [[], ["-r"]] {
            let raw = try makePlan(options)
            XCTAssertEqual(raw.wait(), 3, raw.output)
            XCTAssert(raw.error.contains("only 2 files of other kinds (.cr2)"), raw.error)
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: plan.path))
        try write(["c.jpg"])
        let some = try makePlan()
        XCTAssertEqual(some.wait(), 0, some.error)
        XCTAssertEqual(try planned(), ["c.jpg"])
    }
}
