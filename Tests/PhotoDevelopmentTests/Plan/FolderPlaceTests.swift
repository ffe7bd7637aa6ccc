import Foundation
import Glibc
import Transfers
import XCTest

@testable import PhotoDevelopment

/// What a shared folder says where it has no answer.
final class FolderPlaceTests: JournalTestCase {
    private var shared: FolderPlace { FolderPlace(path: folder) }

    private func assertThrows(_ code: Int32, line: UInt = #line, _ body: () throws -> Void) {
        XCTAssertThrowsError(try body(), line: line) {
            guard case .file(let error) = $0 as? PlaceError else { return XCTFail("\($0)", line: line) }
            XCTAssertEqual(error.code, code, line: line)
        }
    }

    func testWhatCannotBeLookedAtIsNotTakenForWhatIsNotThere() throws {
        // A link to itself.
        try FileManager.default.createSymbolicLink(atPath: folder + "/loop", withDestinationPath: "loop")
        try Data().write(to: URL(filePath: folder + "/file"))
        for name in ["none", "none/inner", "file/inner"] { XCTAssertFalse(try shared.has(name), name) }
        XCTAssertTrue(try shared.has("file"))
        for name in ["loop", "loop/inner"] { assertThrows(ELOOP) { _ = try shared.has(name) } }
        assertThrows(ENAMETOOLONG) { _ = try shared.has(String(repeating: "n", count: 300)) }

        XCTAssertEqual(try shared.names(in: "none"), [])
        XCTAssertEqual(try FolderPlace(path: folder + "/none").folders(), [])
        XCTAssert(try shared.folders().contains("file"))
        assertThrows(ELOOP) { _ = try shared.names(in: "loop") }
        assertThrows(ELOOP) { _ = try FolderPlace(path: folder + "/loop").folders() }

        XCTAssertEqual(try shared.sizes(of: ["a"], in: "none"), [nil])
        XCTAssertEqual(try shared.sizes(of: ["a", "file"], in: ""), [nil, 0])
        assertThrows(ELOOP) { _ = try shared.sizes(of: ["a"], in: "loop") }
        assertThrows(ELOOP) { _ = try shared.sizes(of: ["file", "loop"], in: "") }
    }

    func testAFileThatHasNotGotItsNameSaysSo() throws {
        XCTAssertTrue(try shared.create("new", Data("new".utf8)))
        XCTAssertFalse(try shared.create("new", Data("newer".utf8)))
        XCTAssertThrowsError(try shared.create("none/new", Data())) {
            guard case .notCreated(let error) = $0 as? PlaceError else { return XCTFail("\($0)") }
            XCTAssertEqual(error.code, ENOENT)
        }
        // Whether a server has done this nobody knows.
        assertThrows(ENAMETOOLONG) { _ = try shared.create(String(repeating: "n", count: 300), Data()) }
        XCTAssertEqual(folderNames(folder).filter(TemporaryFile.isUnusedName), [])
    }

    func testAFileThatCannotBePublishedTakesNoOtherAway() throws {
        // A folder has no further names.
        try shared.prepare(["data/a.tar", "dataset"])
        let published = URL(filePath: folder + "/dataset/0.tar")
        try Data("old".utf8).write(to: published)
        func publish() throws {
            let facts = ShardMarker.File(size: 3, sha256: "")
            try shared.publish([(name: "a.tar", other: "0.tar", file: facts)], of: "data", in: "dataset")
        }
        XCTAssertThrowsError(try publish())
        XCTAssertEqual(try String(contentsOf: published, encoding: .utf8), "old")
        // With a file it is replaced, once.
        try FileManager.default.removeItem(atPath: folder + "/data/a.tar")
        try Data("new".utf8).write(to: URL(filePath: folder + "/data/a.tar"))
        for _ in 0..<2 {
            try publish()
            XCTAssertEqual(try String(contentsOf: published, encoding: .utf8), "new")
        }
        XCTAssertEqual(folderNames(folder + "/dataset"), ["0.tar"])
    }
}
