import Foundation
import Glibc
import Transfers
import XCTest

@testable import PhotoDevelopment

/// Folders of machines that share the one for temporary files, whose locks do not reach from one machine to another.
final class StagingFolderTests: JournalTestCase {
    /// Makes a folder as a machine has it whose lock is not seen here, with a file in it.
    private func leave(by machine: String, ageInDays age: Int, ofFile fileAge: Int) throws -> String {
        let path = "\(folder)/.classicphotos-\(machine)-word\(age)of\(fileAge).staging"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data("tar".utf8).write(to: URL(filePath: path + "/00000.tar"))
        for (path, age) in [(path + "/00000.tar", fileAge), (path, age)] {
            var times = [timespec(tv_sec: time(nil) - age * 86_400, tv_nsec: 0)]
            times.append(times[0])
            XCTAssertEqual(utimensat(AT_FDCWD, path, times, 0), 0)
        }
        return path
    }

    func testWhatAnotherMachineIsAtWorkOnStays() throws {
        let own = try leave(by: "here", ageInDays: 0, ofFile: 0)
        let other = try leave(by: "there", ageInDays: 1, ofFile: 1)
        // A large file has been written to for long.
        let long = try leave(by: "there", ageInDays: 30, ofFile: 1)
        let old = try leave(by: "there", ageInDays: 30, ofFile: 30)
        let used = try StagingFolder(in: folder, machine: "here")
        XCTAssertFalse(access(own, F_OK) == 0)
        XCTAssertTrue(access(other + "/00000.tar", F_OK) == 0)
        XCTAssertTrue(access(long + "/00000.tar", F_OK) == 0)
        XCTAssertFalse(access(old, F_OK) == 0)
        // One that is in use on this machine is locked.
        let second = try StagingFolder(in: folder, machine: "here")
        for path in [used.path, second.path] { XCTAssertTrue(access(path, F_OK) == 0) }
    }

    /// A folder has its parent in it, as `..`.
    func testWhatIsBesideItStays() throws {
        let other = folder + "/notes.txt"
        try Data("mine".utf8).write(to: URL(filePath: other))
        let killed = try leave(by: "here", ageInDays: 0, ofFile: 0)
        do {
            let used = try StagingFolder(in: folder, machine: "here")
            try FileManager.default.createDirectory(atPath: used.path + "/inner", withIntermediateDirectories: true)
            try Data("tar".utf8).write(to: URL(filePath: used.path + "/inner/00000.tar"))
        }
        XCTAssertFalse(access(killed, F_OK) == 0)
        XCTAssertEqual(folderNames(folder).filter { $0.hasPrefix(".classicphotos-") }, [])
        XCTAssertTrue(access(other, F_OK) == 0)
    }

    func testMachinesHaveNamesOfTheirOwn() throws {
        XCTAssertFalse(StagingFolder.machine.isEmpty)
        let used = try StagingFolder(in: folder)
        XCTAssert(used.path.contains("/.classicphotos-\(StagingFolder.machine)-"), used.path)
    }
}
