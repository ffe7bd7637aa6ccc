import Foundation
import Glibc
import Transfers
import XCTest

@testable import PhotoDevelopment

/// What is on its way to an object store.
final class StagingFolderTests: JournalTestCase {
    /// A folder has its parent in it, as `..`.
    func testWhatIsBesideItStays() throws {
        let other = folder + "/notes.txt"
        try Data("mine".utf8).write(to: URL(filePath: other))
        do {
            let used = try StagingFolder(in: folder)
            try FileManager.default.createDirectory(atPath: used.path + "/inner", withIntermediateDirectories: true)
            try Data("tar".utf8).write(to: URL(filePath: used.path + "/inner/00000.tar"))
        }
        XCTAssertEqual(folderNames(folder).filter { $0.hasPrefix(".classicphotos-") }, [])
        XCTAssertTrue(access(other, F_OK) == 0)
    }
}
