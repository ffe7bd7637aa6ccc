import Foundation
import Glibc
import XCTest

/// One run of the app, in a process of its own.
final class AppRun {
    private let process = Process()
    private let file: URL
    private let settings: URL?

    /// - Parameters:
    ///   - settings: The folder of what the program remembers; nil for one of its own.
    ///   - isReadable: Whether it tells screen readers what is on the screen.
    ///   - language: The language of its user.
    init(
        _ arguments: [String], settings: URL? = nil, isReadable: Bool = false, language: String = "en"
    ) throws {
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
        environment["GTK_A11Y"] = isReadable ? nil : "none"
        // Without one, GTK would start a bus of its own that stays.
        environment["DBUS_SESSION_BUS_ADDRESS"] = isReadable ? SessionBus.address : "disabled:"
        environment["LC_ALL"] = "C.UTF-8"
        environment["LANGUAGE"] = language
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

    /// Tells the program to end, as a session does that ends.
    func terminate() { process.terminate() }

    /// Throws if the program has ended.
    func check() throws {
        if !isRunning { throw AppError.ended(exitStatus, output) }
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

    /// Gives the keyboard to the window of a title.
    static func focus(_ title: String) throws {
        _ = try run("xdotool", ["search", "--onlyvisible", "--name", title, "windowfocus", "--sync"])
    }

    /// Presses a key in the window that has the keyboard.
    static func key(_ key: String) throws { _ = try run("xdotool", ["key", key]) }

    /// Types a text in the window that has the keyboard.
    static func type(_ text: String) throws { _ = try run("xdotool", ["type", "--delay", "30", text]) }

    /// Whether there is a window of a title.
    static func hasWindow(_ title: String) throws -> Bool {
        try !run("xdotool", ["search", "--onlyvisible", "--name", title]).isEmpty
    }

    /// Clicks at a place of the screen.
    static func click(x: Int, y: Int, button: Int = 1) throws {
        _ = try run("xdotool", ["mousemove", "\(x)", "\(y)", "click", "\(button)"])
    }

    /// Moves with the first button held.
    static func drag(fromX: Int, fromY: Int, toX: Int, toY: Int) throws {
        var steps = ["mousemove", "\(fromX)", "\(fromY - 40)", "mousemove", "\(fromX)", "\(fromY)", "sleep", "0.5"]
        steps += ["mousedown", "1"]
        for step in 1...10 {
            let (x, y) = (fromX + (toX - fromX) * step / 10, fromY + (toY - fromY) * step / 10)
            steps += ["mousemove", "\(x)", "\(y)", "sleep", "0.05"]
        }
        _ = try run("xdotool", steps + ["mouseup", "1"])
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

enum AppError: Error { case ended(Int32, String) }
