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

    /// On a stick with FAT they would be one file.
    func testNamesThatDifferInCaseOrFormAloneAreNotBothGiven() {
        MainActor.assumeIsolated {
            var names = FreeNames(in: "/nowhere")
            XCTAssertEqual(names.path(for: "IMG_1.jpg"), "/nowhere/IMG_1.jpg")
            XCTAssertEqual(names.path(for: "img_1.jpg"), "/nowhere/img_1 (2).jpg")
            XCTAssertEqual(names.path(for: "Img_1 (2).jpg"), "/nowhere/Img_1 (2) (2).jpg")
            XCTAssertEqual(names.path(for: "É.jpg"), "/nowhere/É.jpg")
            XCTAssertEqual(names.path(for: "e\u{301}.jpg"), "/nowhere/e\u{301} (2).jpg")
            let promised = ["/nowhere/B.jpg"]
            PromisedFiles.add(promised)
            defer { PromisedFiles.remove(promised) }
            XCTAssertTrue(PromisedFiles.contains("/nowhere/b.jpg"))
            XCTAssertFalse(PromisedFiles.contains("/elsewhere/b.jpg"))
            XCTAssertEqual(names.path(for: "b.jpg"), "/nowhere/b (2).jpg")
        }
    }

    func testALongNameIsCutByItsBytesBetweenCharacters() {
        MainActor.assumeIsolated {
            let syllable = "각".decomposedStringWithCanonicalMapping
            XCTAssertEqual(syllable.utf8.count, 9)
            let name = String(repeating: syllable, count: 80).suggestedFileName
            XCTAssertEqual(name, String(repeating: syllable, count: 22) + ".jpg")
            let letters = String(repeating: "a", count: 80)
            XCTAssertEqual(String(repeating: syllable, count: 27).suggestedFolderName.utf8.count, 22 * 9)
            XCTAssertEqual((letters + letters).suggestedFileName, letters + ".jpg")
            XCTAssertEqual(".a/b\n.png".suggestedFileName, "a-b-.jpg")
            // A stick for cameras has none of these.
            XCTAssertEqual("10:30 \"Who?\" <a|b>*\\.png".suggestedFileName, "10-30 -Who-- -a-b---.jpg")
            XCTAssertEqual("Who? . ".suggestedFolderName, "Who-")
            XCTAssertEqual(("e" + String(repeating: "\u{301}", count: 300)).suggestedFileName, "photo.jpg")
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
