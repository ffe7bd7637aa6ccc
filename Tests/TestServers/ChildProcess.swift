import Foundation

/// A program of this package that a test starts, and kills.
public final class ChildProcess {
    private let process = Process()
    private let output = Pipe()

    /// Starts it.
    /// - Parameters:
    ///   - name: The program's, which is where the tests are.
    ///   - arguments: What it is called with.
    public init(_ name: String, _ arguments: [String]) throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folders = [CommandLine.arguments[0], tests].map { URL(filePath: $0).deletingLastPathComponent() }
        let program = folders.map { $0.appending(path: name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let program else { throw CocoaError(.fileNoSuchFile) }
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    deinit { kill() }

    /// Waits until it prints something; false if it ends before.
    public func waitForLine() -> Bool {
        !output.fileHandleForReading.availableData.isEmpty
    }

    /// Waits until it ends by itself.
    ///
    /// - Returns: The lines that it has printed since the last look.
    public func waitForEnd() -> [String] {
        let rest = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: rest, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// How it has ended: its exit status, or the number of the signal that ended it.
    public var status: Int32 { process.terminationStatus }

    /// Ends it, whatever it is doing.
    public func kill() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
