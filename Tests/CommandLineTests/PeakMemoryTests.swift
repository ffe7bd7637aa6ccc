import Foundation
import Glibc
import ImageCodecs
import XCTest

/// What hostile files make the program take, as the system tells its parent.
final class PeakMemoryTests: DevelopTestCase {
    /// 44 bytes: a header, and a text that is said to have two gigabytes.
    func testASmallFileDoesNotTakeGigabytes() throws {
        let header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        let size: [UInt8] = [0, 0, 0, 64, 0, 0, 0, 64, 8, 2, 0, 0, 0, 0x25, 0x0B, 0xE6, 0x89]
        let text: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF] + Array("tEXtabc".utf8)
        let input = folder.appending(path: "in.png")
        try Data(header + Array("IHDR".utf8) + size + text).write(to: input)
        let program = try ProgramRun.executable().path
        let arguments = ["filter", input.path, folder.path + "/out.png", "--filter", "invert(1)"]
        let (status, peak) = try run(program, arguments)
        XCTAssertEqual(status, 1)
        XCTAssertLessThan(peak, 300)
        try Data(Self.picture(.png)).write(to: input)
        XCTAssertEqual(try run(program, arguments).status, 0)
    }

    /// Runs a program to its end; gives its exit status, and the most megabytes that it has had at a time.
    private func run(_ path: String, _ arguments: [String]) throws -> (status: Int32, megabytes: Int) {
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var child: pid_t = 0
        XCTAssertEqual(posix_spawn(&child, path, &files, nil, &words, environ), 0)
        var status: Int32 = 0
        var used = rusage()
        while wait4(child, &status, 0, &used) < 0, errno == EINTR {}
        return ((status >> 8) & 0xFF, Int(used.ru_maxrss) >> 10)
    }
}
