import Foundation
import Glibc
import XCTest

/// One run of the program, in a process of its own.
final class ProgramRun {
    private let process = Process()
    private let files: URL

    /// Starts the program.
    /// - Parameters:
    ///   - arguments: the command line.
    ///   - input: what stands on standard input.
    ///   - limits: lines for the shell that become true before the program starts, such as `ulimit -f 8`.
    ///   - language: what the program speaks; English by default, whatever the person who runs the tests speaks.
    init(
        _ arguments: [String], input: Data = Data(), limits: String = ":", in folder: URL? = nil,
        language: String? = nil
    ) throws {
        files = FileManager.default.temporaryDirectory.appending(path: "classicphotos-run-\(UUID())")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        try input.write(to: files.appending(path: "input"))
        for name in ["output", "error"] { try Data().write(to: files.appending(path: name)) }
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", limits + "; exec \"$@\"", "sh", try Self.executable().path] + arguments
        process.currentDirectoryURL = folder
        // In the C locale gettext asks for no language.
        let words = language.map { ["LANGUAGE": $0, "LC_ALL": "C.UTF-8"] } ?? ["LANGUAGE": "C"]
        process.environment = ProcessInfo.processInfo.environment.merging(words) { $1 }
        let handles = [
            try FileHandle(forReadingFrom: files.appending(path: "input")),
            try FileHandle(forWritingTo: files.appending(path: "output")),
            try FileHandle(forWritingTo: files.appending(path: "error")),
        ]
        // Foundation keeps a process for ever, and so what it was given; a process may have 1024 open files where people work.
        defer { for handle in handles { try? handle.close() } }
        (process.standardInput, process.standardOutput, process.standardError) = (handles[0], handles[1], handles[2])
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: files)
    }

    var isRunning: Bool { process.isRunning }
    var processIdentifier: Int32 { process.processIdentifier }

    /// The most memory that the program has had at a time.
    var residentMegabytes: Int { megabytes("VmHWM:") }

    /// The addresses that the program has reserved: terabytes where a sanitizer is in it.
    var reservedMegabytes: Int { megabytes("VmSize:") }

    private func megabytes(_ field: String) -> Int {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix(field) }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
    }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Waits for the end and gives the exit status; for a program that a signal ended, 128 and the signal's number.
    @discardableResult
    func wait(file: StaticString = #filePath, line: UInt = #line) -> Int32 {
        let deadline = Date(timeIntervalSinceNow: 120)
        while process.isRunning, Date() < deadline { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01)) }
        guard !process.isRunning else {
            XCTFail("the program does not end; it said: \(error)", file: file, line: line)
            kill(process.processIdentifier, SIGKILL)
            return -1
        }
        return process.terminationReason == .uncaughtSignal
            ? 128 + process.terminationStatus : process.terminationStatus
    }

    var output: String { text("output") }
    var error: String { text("error") }

    private func text(_ name: String) -> String {
        (try? String(contentsOf: files.appending(path: name), encoding: .utf8)) ?? ""
    }

    /// The program lies beside the bundle of tests.
    static func executable() throws -> URL {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let candidates = [
            URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent(),
            URL(filePath: tests).deletingLastPathComponent(),
        ]
        return try XCTUnwrap(
            candidates.map { $0.appending(path: "classicphotos") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) })
    }
}
