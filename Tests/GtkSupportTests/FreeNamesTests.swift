import Foundation
import XCTest

@testable import PhotoApp

/// Names for files that nobody was asked about.
final class FreeNamesTests: XCTestCase {
    func testNoNameIsGivenThatAFileHasOrIsPromised() throws {
        try MainActor.assumeIsolated {
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-names-\(UUID())").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try Data().write(to: URL(filePath: folder + "/a.jpg"))
            let promised = [folder + "/a (2).jpg", folder + "/b.jpg"]
            PromisedFiles.add(promised)
            var names = FreeNames(in: folder)
            XCTAssertEqual(names.path(for: "a.jpg"), folder + "/a (3).jpg")
            XCTAssertEqual(names.path(for: "a.jpg"), folder + "/a (4).jpg")
            XCTAssertEqual(names.path(for: "b.jpg"), folder + "/b (2).jpg")
            XCTAssertEqual(names.path(for: "a (5).jpg"), folder + "/a (5).jpg")
            XCTAssertEqual(names.path(for: "a.jpg"), folder + "/a (6).jpg")
            XCTAssertEqual(names.path(for: "c"), folder + "/c")
            XCTAssertEqual(names.path(for: "c"), folder + "/c (2)")
            PromisedFiles.remove(promised)
            var later = FreeNames(in: folder)
            XCTAssertEqual(later.path(for: "b.jpg"), folder + "/b.jpg")
        }
    }

    /// Each takes a look at the disk, and not one for all before it: that would be 200 million.
    func testManyPhotosMayHaveOneName() {
        MainActor.assumeIsolated {
            var names = FreeNames(in: "/nowhere")
            for _ in 1..<20_000 { _ = names.path(for: "photo.jpg") }
            XCTAssertEqual(names.path(for: "photo.jpg"), "/nowhere/photo (20000).jpg")
        }
    }
}
