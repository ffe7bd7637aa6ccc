import Foundation
import Glibc
import XCTest

/// One run of the app, in a process of its own.
final class AppRun {
    private let process = Process()
    private let file: URL
    private let settings: URL?

    /// - Parameter settings: The folder of what the program remembers; nil for one of its own.
    init(_ arguments: [String], settings: URL? = nil) throws {
        let temporary = FileManager.default.temporaryDirectory
        file = temporary.appending(path: "classicphotos-app-output-\(UUID())")
        try Data().write(to: file)
        let own = temporary.appending(path: "classicphotos-app-settings-\(UUID())")
        self.settings = settings == nil ? own : nil
        process.executableURL = try Self.executable()
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        // Drawn without a graphics card, without a desktop's services, and without a theme of the machine.
        environment["GSK_RENDERER"] = "cairo"
        environment["GTK_A11Y"] = "none"
        environment["ADW_DISABLE_PORTAL"] = "1"
        environment["GSETTINGS_BACKEND"] = "memory"
        environment["XDG_CONFIG_HOME"] = (settings ?? own).path
        environment["G_DEBUG"] = "fatal-warnings"
        process.environment = environment
        let handle = try FileHandle(forWritingTo: file)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: file)
        if let settings { try? FileManager.default.removeItem(at: settings) }
    }

    var isRunning: Bool { process.isRunning }
    var exitStatus: Int32 { process.terminationReason == .exit ? process.terminationStatus : -1 }
    var output: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    /// The program lies beside the bundle of tests.
    private static func executable() throws -> URL {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let candidates = [
            URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent(),
            URL(filePath: tests).deletingLastPathComponent(),
        ]
        return try XCTUnwrap(
            candidates.map { $0.appending(path: "classicphotos-app") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) })
    }
}

/// The screen of the X server, through the tools that people have for it.
enum Screen {
    /// How many pixels of exactly these colours (red, green, blue) are on the screen.
    static func pixelCounts(of colours: [[UInt8]]) throws -> [Int] {
        let bytes = [UInt8](try run("import", ["-window", "root", "-depth", "8", "rgb:-"]))
        var counts = [Int](repeating: 0, count: colours.count)
        for start in stride(from: 0, to: bytes.count - 2, by: 3) {
            for (index, colour) in colours.enumerated()
            where bytes[start] == colour[0] && bytes[start + 1] == colour[1] && bytes[start + 2] == colour[2] {
                counts[index] += 1
            }
        }
        return counts
    }

    /// Presses keys in the only window.
    static func press(_ keys: String) throws {
        _ = try run("xdotool", ["search", "--onlyvisible", "--name", "", "windowfocus", "--sync", "key", keys])
    }

    private static func run(_ tool: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus != 127 else { throw XCTSkip("\(tool) is not installed") }
        return data
    }
}
