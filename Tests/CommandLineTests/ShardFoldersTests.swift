import Foundation
import ImageCodecs
import TestServers
import XCTest

/// `develop --shard-folders`.
final class ShardFoldersTests: DevelopTestCase {
    private let folders = ["--shard-folders"]

    /// The paths of all results from the output folder, but for what runs remember.
    private func results(_ place: URL? = nil) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: (place ?? output).path)
            .filter { $0.contains(".jpg") && !$0.hasPrefix(".classicphotos/") }.sorted()
    }

    /// A catalog of so many rows of which the last ones, and the first, are pictures.
    private func longCatalog(_ count: Int, pictures: Int) throws -> String {
        var text = "name,url\nfirst,\(server.url("/a.jpg").absoluteString)\n"
        for index in 1..<count {
            // What is no address fails at once.
            text +=
                index < count - pictures
                ? "r\(index),ftp://no/\n" : "r\(index),\(server.url("/\(index).jpg").absoluteString)\n"
        }
        for index in count - pictures..<count { server.serve(try Self.image(.jpeg), at: "/\(index).jpg") }
        let path = folder.appending(path: "long.csv")
        try Data(text.utf8).write(to: path)
        return path.path
    }

    func testRowsGoIntoFoldersByTheirNumbers() throws {
        let (status, rows, run) = try develop(try longCatalog(10_002, pictures: 4), folders + ["--names", "plain"])
        XCTAssertEqual(status, 1, run.error)
        let expected = [
            "00000/first.jpg", "00000/r9998.jpg", "00000/r9999.jpg", "00001/r10000.jpg", "00001/r10001.jpg",
        ]
        XCTAssertEqual(try results(), expected)
        XCTAssertEqual(rows.map { $0[5] }.filter { !$0.isEmpty }, expected)
        // Going on finds them there, and makes one anew that was taken away, with its folder.
        try FileManager.default.removeItem(at: output.appending(path: "00001"))
        let again = try develop(try longCatalog(10_002, pictures: 4), folders + ["--names", "plain"])
        XCTAssertEqual(again.status, 1, again.run.error)
        XCTAssertEqual(try results(), expected)
        XCTAssertEqual(server.requestCount("/10001.jpg"), 2)
        XCTAssertEqual(server.requestCount("/9999.jpg"), 1)
    }

    /// In Swift a slash and an accent behind it are one character, which is no slash.
    func testNamesMayBeginWithAMarkThatCombines() throws {
        let names = ["\u{301}a", "\u{FE0F}b", "\u{200D}c", "\u{E31}d", ".\u{301}e"]
        let catalog = try catalog(names.map { ($0, server.url("/a.jpg").absoluteString) })
        for _ in 0..<2 {
            let (status, rows, run) = try develop(catalog, folders)
            XCTAssertEqual(status, 0, run.error)
            XCTAssertEqual(try results().count, 5)
            XCTAssertEqual(Set(rows.map { $0[5] }), Set(try results()))
        }
        XCTAssertFalse(try results().contains { $0.hasPrefix("00000/.") })
        XCTAssertEqual(server.requestCount("/a.jpg"), 1)
        // In folders of variants as well.
        try FileManager.default.removeItem(at: output)
        let variants = ["--filter", "none", "--variant", "thumb:64::", "--variant", "large:200::"]
        for _ in 0..<2 { XCTAssertEqual(try develop(catalog, variants).status, 0) }
        XCTAssertEqual(try results().count, 10)
        XCTAssertEqual(server.requestCount("/a.jpg"), 2)
    }

    func testFilesOfOneAddressAndReportsLeadIntoTheFolders() throws {
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("b", server.url("/a.jpg").absoluteString),
        ])
        XCTAssertEqual(try develop(catalog, folders).status, 0)
        let names = try results()
        XCTAssertEqual(names.count, 2)
        XCTAssert(names.allSatisfy { $0.hasPrefix("00000/") })
        let page = folder.appending(path: "page.html")
        XCTAssertEqual(try ProgramRun(["report", output.path, "-o", page.path]).wait(), 0)
        let text = try String(contentsOf: page, encoding: .utf8)
        for name in names {
            XCTAssert(text.contains("\"\(name)\"") || text.contains(name.replacing("/", with: "\\/")), name)
        }
        XCTAssertFalse(try ProgramRun(["develop", catalog, "-o", output.path]).wait() == 0)
        let other = try ProgramRun(["develop", catalog, "-o", output.path])
        XCTAssertEqual(other.wait(), 2)
        XCTAssert(other.error.contains("--shard-folders was yes, and is no now"), other.error)
    }

    func testAKilledRunGoesOn() throws {
        server.serve(FaultScript(try Self.image(.jpeg), [.silence, .answer]), at: "/held.jpg")
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("stall", server.url("/held.jpg").absoluteString),
        ])
        let run = try ProgramRun(["develop", catalog, "-o", output.path] + folders)
        wait("the first result") { (try? results().contains { !$0.contains(".part") }) == true }
        run.send(SIGKILL)
        run.wait()
        let (status, rows, last) = try develop(catalog, folders)
        XCTAssertEqual(status, 0, last.error)
        XCTAssertEqual(try results(), rows.map { $0[5] }.sorted())
    }

    func testPicturesThatAreThereAreLeftAlone() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try develop(catalog, folders).status, 0)
        try FileManager.default.removeItem(at: journal)
        let (status, _, run) = try develop(catalog, folders + ["--skip-existing"])
        XCTAssertEqual(status, 0, run.error)
        XCTAssert(run.output.contains("1 was there already"), run.output)
        XCTAssertEqual(server.requestCount("/a.jpg"), 1)
    }

    func testResultsInFoldersAreNoPicturesOfACatalog() throws {
        let album = folder.appending(path: "album")
        try FileManager.default.createDirectory(at: album.appending(path: "in"), withIntermediateDirectories: true)
        try Self.image(.jpeg).write(to: album.appending(path: "a.jpg"))
        try Self.image(.jpeg).write(to: album.appending(path: "in/b.jpg"))
        // Into a folder inside, elsewhere, and into the catalog's folder itself.
        let inside = album.appending(path: "small").path
        for place in [inside, output.path, inside, album.path, album.path] {
            let options = ["--recursive", "--size", "64"] + folders
            let run = try ProgramRun(["develop", album.path, "-o", place] + options)
            XCTAssertEqual(run.wait(), 0, run.error)
            XCTAssert(run.output.contains("2 of 2 photos"), "\(place): \(run.output)")
        }
        XCTAssertEqual(try results(album).count, 6)
        // What was written and not marked when a run was killed is known by its name.
        try FileManager.default.removeItem(at: album.appending(path: ".classicphotos"))
        let run = try ProgramRun(["develop", album.path, "-o", album.path, "--recursive", "--size", "64"] + folders)
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssert(run.output.contains("2 of 2 photos"), run.output)
    }

    func testWrongUsageIsTold() throws {
        let run = try ProgramRun(["develop", "none.csv", "-o", output.path, "--layout", "webdataset"] + folders)
        XCTAssertEqual(run.wait(), 2)
        XCTAssert(run.error.contains("--rows-per-shard"), run.error)
    }
}
