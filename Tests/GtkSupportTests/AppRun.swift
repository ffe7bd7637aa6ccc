import Foundation
import Glibc
import Synchronization
import XCTest

/// One run of the app, in a process of its own.
final class AppRun {
    private let process = Process()
    private let file: URL
    private let own: URL

    /// - Parameters:
    ///   - ignored: A signal that it is started to ignore, as by `nohup`.
    ///   - input: What it reads on standard input; nil for that of the tests.
    ///   - settings: The folder of what the program remembers; nil for one of its own.
    ///   - isReadable: Whether it tells screen readers what is on the screen.
    ///   - language: The language of its user.
    ///   - additions: What else is in its environment.
    ///   - folder: Its current directory; nil for that of the tests.
    init(
        _ arguments: [String], of program: String = "classicphotos-app", ignoring ignored: String? = nil,
        input: URL? = nil,
        settings: URL? = nil,
        isReadable: Bool = false,
        language: String = "en", environment additions: [String: String] = [:], in folder: URL? = nil
    ) throws {
        let temporary = FileManager.default.temporaryDirectory
        file = temporary.appending(path: "classicphotos-app-output-\(UUID())")
        try Data().write(to: file)
        let own = temporary.appending(path: "classicphotos-app-settings-\(UUID())")
        self.own = own
        let cache = own.appending(path: "cache")
        try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
        let executable = try Self.executable(program)
        process.executableURL = ignored == nil ? executable : URL(filePath: "/bin/sh")
        process.arguments =
            (ignored.map { ["-c", "trap '' \($0); exec \"$@\"", "sh", executable.path] } ?? []) + arguments
        if let folder { process.currentDirectoryURL = folder }
        var environment = TestEnvironment.isolated(ProcessInfo.processInfo.environment)
        if isReadable {
            environment["GTK_A11Y"] = nil
            environment["DBUS_SESSION_BUS_ADDRESS"] = SessionBus.address
        }
        environment["LANGUAGE"] = language
        environment["XDG_CONFIG_HOME"] = (settings ?? own).path
        // Pictures that an earlier test has fetched are not to be found by the next.
        environment["XDG_CACHE_HOME"] = cache.path
        environment["G_DEBUG"] = "fatal-warnings"
        environment.merge(additions) { $1 }
        process.environment = environment
        let handle = try FileHandle(forWritingTo: file)
        // Foundation keeps a process for ever, and so what it was given.
        defer { try? handle.close() }
        let source = try input.map(FileHandle.init(forReadingFrom:))
        defer { try? source?.close() }
        if let source { process.standardInput = source }
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: file)
        try? FileManager.default.removeItem(at: own)
    }

    /// Tells the program to end, as a session does that ends.
    func terminate() { process.terminate() }

    /// Tells the program to end, as somebody at a terminal does.
    func interrupt() { process.interrupt() }

    /// Tells the program that its terminal is gone.
    func hangUp() { kill(process.processIdentifier, SIGHUP) }

    /// Throws if the program has ended.
    func check() throws {
        if !isRunning { throw AppError.ended(exitStatus, output) }
    }

    /// The memory that it has at present, in bytes.
    var residentBytes: Int {
        let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }

    var isRunning: Bool { process.isRunning }
    /// -1 where a signal ended it, and where it runs still, as Foundation traps there.
    var exitStatus: Int32 {
        !process.isRunning && process.terminationReason == .exit ? process.terminationStatus : -1
    }
    var output: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    /// The lines that it said, but for a warning that drags cause now and then: GTK 4.8 may count the press for one widget, and its end for
    /// another.
    var complaints: [Substring] {
        output.split(separator: "\n").filter { !$0.contains("Broken accounting of active state for widget") }
    }

    /// The program lies beside the bundle of tests.
    private static func executable(_ name: String) throws -> URL {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let candidates = [
            URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent(),
            URL(filePath: tests).deletingLastPathComponent(),
        ]
        return try XCTUnwrap(
            candidates.map { $0.appending(path: name) }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) })
    }
}

/// The screen of the X server, through the tools that people have for it.
enum Screen {
    /// How many pixels of exactly these colours (red, green, blue) are on the screen.
    static func pixelCounts(of colours: [[UInt8]]) throws -> [Int] {
        let screen = try run("import", ["-window", "root", "-depth", "8", "rgba:-"])
        return screen.withUnsafeBytes { bytes in
            let pixels = bytes.bindMemory(to: UInt32.self)
            return colours.map { colour in
                let wanted = UInt32(colour[0]) | UInt32(colour[1]) << 8 | UInt32(colour[2]) << 16 | 0xFF00_0000
                var (count, index) = (0, 0)
                // Without an iterator: a screen has a million pixels, and tests are built without optimization.
                while index < pixels.count {
                    if pixels[index] == wanted { count &+= 1 }
                    index &+= 1
                }
                return count
            }
        }
    }

    /// Gives the keyboard to the window of a title.
    static func focus(_ title: String) throws {
        _ = try run("xdotool", ["search", "--onlyvisible", "--name", title, "windowfocus", "--sync"])
    }

    /// Presses keys, one after the other, in the window that has the keyboard.
    static func keys(_ keys: [String]) throws { _ = try run("xdotool", ["key"] + keys) }
    static func key(_ key: String) throws { try keys([key]) }

    /// Types a text in the window that has the keyboard.
    static func type(_ text: String) throws { _ = try run("xdotool", ["type", "--delay", "8", text]) }

    /// Presses a key down in the window that has the keyboard, or releases it where the keyboard is by then.
    static func hold(_ key: String) throws { _ = try run("xdotool", ["keydown", key]) }
    static func release(_ key: String) throws { _ = try run("xdotool", ["keyup", key]) }

    /// Gives the keyboard a layout, or several, the first of which it writes by.
    static func setLayout(_ layout: String) throws { _ = try run("setxkbmap", [layout]) }

    /// Has programs that start from now on write larger, as desktops do.
    static func setTextSize(percent: Int) throws {
        let resources = "Xft.dpi: \(96 * percent / 100)"
        _ = try run("xprop", ["-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER", resources])
    }

    /// Whether there is a window whose title matches a regular expression.
    static func hasWindow(_ title: String) throws -> Bool {
        try !run("xdotool", ["search", "--onlyvisible", "--name", title]).isEmpty
    }

    /// Clicks at a place of the screen, so many times in quick succession.
    static func click(x: Int, y: Int, button: Int = 1, times: Int = 1) throws {
        try click(at: (x, y), ["click", "--repeat", "\(times)", "--delay", "10", "\(button)"])
    }

    /// Clicks at a place of the screen while a key is held.
    static func click(x: Int, y: Int, holding key: String) throws {
        try click(at: (x, y), ["keydown", key, "click", "1", "keyup", key])
    }

    /// When the last click was made.
    private static let lastClick = Mutex<ContinuousClock.Instant?>(nil)

    /// Two clicks are two, and not a double click, which opens what is clicked at: for GTK that is a matter of 400 ms.
    private static func click(at place: (x: Int, y: Int), _ steps: [String]) throws {
        try lastClick.withLock { last in
            if let last {
                let pause = Duration.milliseconds(500) - (ContinuousClock.now - last)
                if pause > .zero { usleep(UInt32(pause / .microseconds(1))) }
            }
            _ = try run("xdotool", ["mousemove", "\(place.x)", "\(place.y)"] + steps)
            last = .now
        }
    }

    /// Moves the pointer.
    static func move(x: Int, y: Int) throws { _ = try run("xdotool", ["mousemove", "\(x)", "\(y)"]) }

    /// A picture of the screen, as ImageMagick is told to give it.
    static func capture(_ options: [String]) throws -> Data { try run("import", ["-window", "root"] + options) }

    /// How many windows there are to see, without menus and tooltips.
    static func windowCount() throws -> Int { try windows().count }

    /// Moves the window that was opened last to the middle of the place of another one, and gives it the keyboard.
    static func centreTopWindow(width: Int, height: Int) throws {
        guard let window = try windows().last else { return }
        let size = try size(of: window)
        let (x, y) = (max(0, (width - size.width) / 2), max(0, (height - size.height) / 2))
        _ = try run("xdotool", ["windowmove", "--sync", window, "\(x)", "\(y)", "windowfocus", "--sync", window])
    }

    /// The size of the window of a title.
    static func size(ofWindow title: String) throws -> (width: Int, height: Int) {
        let found = String(
            decoding: try run("xdotool", ["search", "--onlyvisible", "--name", title]), as: UTF8.self)
        return try found.split(separator: "\n").first.map { try size(of: String($0)) } ?? (0, 0)
    }

    /// The number that the X server gave the window of a title.
    static func number(ofWindow title: String) throws -> Int {
        let found = String(
            decoding: try run("xdotool", ["search", "--onlyvisible", "--name", title]), as: UTF8.self)
        return found.split(separator: "\n").first.flatMap { Int($0) } ?? 0
    }

    private static func size(of window: String) throws -> (width: Int, height: Int) {
        let text = String(decoding: try run("xdotool", ["getwindowgeometry", "--shell", window]), as: UTF8.self)
        func value(_ name: String) -> Int {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + "=") }
            return line.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
        }
        return (value("WIDTH"), value("HEIGHT"))
    }

    /// Gives the keyboard to the window that was opened last.
    static func focusTopWindow() throws {
        if let window = try windows().last { _ = try run("xdotool", ["windowfocus", "--sync", window]) }
    }

    /// Changes the size of the window of a title.
    static func resize(_ title: String, width: Int, height: Int) throws {
        let size = ["windowsize", "--sync", "\(width)", "\(height)"]
        _ = try run("xdotool", ["search", "--onlyvisible", "--name", title] + size)
    }

    /// Moves a window of a title.
    static func place(_ title: String, x: Int, y: Int) throws {
        _ = try run("xdotool", ["search", "--onlyvisible", "--name", title, "windowmove", "--sync", "\(x)", "\(y)"])
    }

    /// The windows that have titles. Menus and tooltips are named as the program is, in letters and a hyphen (in which xdotool sees
    /// no case).
    private static func windows() throws -> [String] {
        let text = String(
            decoding: try run("xdotool", ["search", "--onlyvisible", "--name", "[^a-z-]|^[^-]+$"]), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    /// Moves with the first button held.
    static func drag(fromX: Int, fromY: Int, toX: Int, toY: Int) throws {
        _ = try run("xdotool", dragSteps(fromX, fromY, toX, toY))
    }

    /// Begins to move with the first button held, and does not wait for the end: the other window may be this program's.
    static func startDrag(fromX: Int, fromY: Int, toX: Int, toY: Int) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["xdotool"] + dragSteps(fromX, fromY, toX, toY)
        try process.run()
        return process
    }

    private static func dragSteps(_ fromX: Int, _ fromY: Int, _ toX: Int, _ toY: Int) -> [String] {
        var steps = ["mousemove", "\(fromX)", "\(fromY - 40)", "mousemove", "\(fromX)", "\(fromY)", "sleep", "0.5"]
        steps += ["mousedown", "1"]
        for step in 1...10 {
            let (x, y) = (fromX + (toX - fromX) * step / 10, fromY + (toY - fromY) * step / 10)
            steps += ["mousemove", "\(x)", "\(y)", "sleep", "0.05"]
        }
        return steps + ["sleep", "0.3", "mouseup", "1"]
    }

    private static func run(_ tool: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        let output = Pipe()
        // Foundation keeps a process for ever, and so its pipe; with more than 1,024 open files it misses the ends of others.
        defer {
            try? output.fileHandleForReading.close()
            try? output.fileHandleForWriting.close()
        }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        // `waitUntilExit` looks every 50 ms, which is longer than such a tool takes.
        let end = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in end.signal() }
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        end.wait()
        guard process.terminationStatus != 127 else { throw XCTSkip("\(tool) is not installed") }
        return data
    }
}

enum AppError: Error { case ended(Int32, String) }
