import Foundation
import ImageCodecs
import XCTest

/// What is said of a folder's folders, and of files that are no pictures, where somebody may take the run for one of all.
final class InnerFoldersTests: AlbumTestCase {
    private func told(_ words: [String]) throws -> String {
        let run = try ProgramRun(words, in: folder)
        XCTAssertEqual(run.wait(), 0, "\(words): \(run.error)")
        return run.output
    }

    func testFoldersThatAreNotLookedThroughAreCounted() throws {
        try write(["a.jpg", "2024/b.jpg", ".hidden/c.jpg"])
        XCTAssertEqual(
            symlink(album.path, album.path + "/circle"), 0, "a link to a folder, which --recursive leaves out, too")
        let one = "1 folder was not looked through; --recursive takes its pictures\n"
        XCTAssert(try told(["develop", "album", "-o", "out"]).contains(one))
        try write(["2025/d.jpg"])
        let two = "2 folders were not looked through; --recursive takes their pictures\n"
        for words in [
            ["develop", "album", "-o", "out"], ["develop", "album", "-o", "other", "--dry-run"],
            ["catalog", "check", "album"],
        ] {
            let (shallow, deep) = (try told(words), try told(words + ["--recursive"] + fresh(words)))
            XCTAssert(shallow.contains(two), shallow)
            XCTAssertFalse(deep.contains("not looked through"), deep)
        }
    }

    private func fresh(_ words: [String]) -> [String] { words[0] == "develop" ? ["--fresh"] : [] }

    func testWhatRunsWroteIntoFoldersInsideIsNotMissed() throws {
        try write(["a.jpg"])
        let variant = ["--variant", "thumb:16::", "--fresh"]
        for options in [["album/small"], ["album", "--shard-folders"], ["album"] + variant] {
            for _ in 0..<2 {
                let said = try told(["develop", "album", "-o"] + options)
                XCTAssertFalse(said.contains("not looked through"), said)
            }
        }
    }

    func testAFolderWithoutAPictureThatCanBeReadIsNoCatalog() throws {
        try FileManager.default.createDirectory(at: album, withIntermediateDirectories: true)
        XCTAssert(try told(["develop", "album", "-o", "none"]).contains("0 of 0"), "an empty folder is done")
        try Data("drop photos here".utf8).write(to: album.appending(path: "README.txt"))
        XCTAssert(try told(["develop", "album", "-o", "none"]).contains("0 of 0"), "so is one without pictures")
        try FileManager.default.removeItem(at: album.appending(path: "README.txt"))
        for name in ["1.CR2", "2.cr2", "3.nef", "notes"] {
            try Data("II*\0".utf8).write(to: album.appending(path: name))
        }
        for words in [["develop", "album", "-o", "out"], ["develop", "album", "-o", "out", "-r", "--dry-run"]] {
            let run = try ProgramRun(words, in: folder)
            XCTAssertEqual(run.wait(), 3, run.output)
            XCTAssert(
                run.error.contains(
                    "There is no picture that can be read in album, only 4 files of other kinds (.cr2, .nef)."),
                run.error)
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path + "/out"))
    }
}
