import Foundation
import XCTest

@testable import PhotoBrowser

/// Files that get their names only as far as they may.
final class NewFileTests: XCTestCase {
    /// FAT has no links, and some network file systems cannot rename without replacing.
    func testEachWayToANameReplacesNothing() throws {
        for ways in NewFile.Way.allCases.map({ [$0] }) + [NewFile.Way.allCases] {
            try withFolder { folder in
                let path = folder + "/photo.jpg"
                XCTAssertEqual(try write("first", to: path, .refuse, ways), path)
                XCTAssertThrowsError(try write("second", to: path, .refuse, ways)) {
                    XCTAssertEqual(($0 as? POSIXError)?.code, .EEXIST)
                }
                XCTAssertEqual(try write("third", to: path, .number, ways), folder + "/photo (2).jpg")
                XCTAssertEqual(try write("fourth", to: path, .number, ways), folder + "/photo (3).jpg")
                XCTAssertEqual(
                    try contents(of: folder),
                    [
                        "photo (2).jpg": "third", "photo (3).jpg": "fourth", "photo.jpg": "first",
                    ])
                XCTAssertEqual(try write("fifth", to: path, .replace, ways), path)
                XCTAssertEqual(try contents(of: folder)["photo.jpg"], "fifth")
                XCTAssertEqual(try contents(of: folder).count, 3)
            }
        }
    }

    func testAFileThatIsReplacedStaysPrivateAndWhereItIs() throws {
        try withFolder { folder in
            let (path, link) = (folder + "/photo.jpg", folder + "/link.jpg")
            _ = try write("old", to: path, .refuse, NewFile.Way.allCases)
            XCTAssertEqual(chmod(path, 0o600), 0)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "photo.jpg")
            XCTAssertEqual(try write("new", to: link, .replace, NewFile.Way.allCases), link)
            XCTAssertEqual(try contents(of: folder)["photo.jpg"], "new")
            XCTAssertEqual(try FileManager.default.destinationOfSymbolicLink(atPath: link), "photo.jpg")
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            XCTAssertEqual(mode, 0o600)
        }
    }

    func testALinkThatLeadsNowhereIsAFileToo() throws {
        try withFolder { folder in
            let path = folder + "/photo.jpg"
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
            XCTAssertEqual(try write("photo", to: path, .number, NewFile.Way.allCases), folder + "/photo (2).jpg")
            XCTAssertEqual(try FileManager.default.destinationOfSymbolicLink(atPath: path), "nowhere")
        }
    }

    func testWhatCannotBeWrittenLeavesNothing() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder + "/photo.jpg", withIntermediateDirectories: false)
            XCTAssertThrowsError(
                try write("photo", to: folder + "/photo.jpg", .replace, NewFile.Way.allCases))
            let long = folder + "/" + String(repeating: "n", count: 300)
            for name in [TakenName.refuse, .number, .replace] {
                XCTAssertThrowsError(try write("photo", to: long, name, NewFile.Way.allCases)) {
                    XCTAssertEqual(($0 as? POSIXError)?.code, .ENAMETOOLONG)
                }
            }
            XCTAssertThrowsError(try write("photo", to: folder + "/gone/photo.jpg", .number, NewFile.Way.allCases)) {
                XCTAssertEqual(($0 as? POSIXError)?.code, .ENOENT)
            }
            XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), ["photo.jpg"])
        }
    }

    func testNamesAreNumberedOneAfterTheOther() {
        for (path, next) in [
            ("/a/b.jpg", "/a/b (2).jpg"), ("/a/b (2).jpg", "/a/b (3).jpg"), ("/a/b", "/a/b (2)"),
            ("/a.c/b", "/a.c/b (2)"), ("/a/b(7).jpg", "/a/b(7) (2).jpg"), ("/a/b ().jpg", "/a/b () (2).jpg"),
            ("/a/b (99999999999999999999).jpg", "/a/b (99999999999999999999) (2).jpg"),
            ("/a (2)/b.jpg", "/a (2)/b (2).jpg"), ("/a/(2).jpg", "/a/(2) (2).jpg"),
        ] {
            var names = NumberedName(after: path)
            XCTAssertEqual(names.next(), next)
        }
        var names = NumberedName(after: "b.jpg")
        XCTAssertEqual([names.next(), names.next()], ["b (2).jpg", "b (3).jpg"])
    }

    // MARK: Helpers

    private func write(
        _ text: String, to path: String, _ name: TakenName, _ ways: [NewFile.Way]
    ) throws -> String {
        try NewFile.write(Data(text.utf8), to: path, whereTaken: name, ways: ways)
    }

    private func contents(of folder: String) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) })
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-new-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }
}
