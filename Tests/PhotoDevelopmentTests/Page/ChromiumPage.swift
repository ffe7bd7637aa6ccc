import Foundation
import Glibc
import XCTest

/// Headless Chromium with one page, driven through its DevTools protocol over two pipes.
final class ChromiumPage {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let folder: URL
    private let process = Process()
    private let input: Int32
    private let output: Int32
    private var received = Data()
    private var lastID = 0
    private var session: String?
    private var events: [[String: Any]] = []

    /// Where a Chromium is; nil if none is installed. One that comes as a snap does not see the files of others.
    static var executable: String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return ["chromium", "google-chrome"].lazy
            .flatMap { name in folders.map { "\($0)/\(name)" } }
            .first { access($0, X_OK) == 0 && !$0.hasPrefix("/snap/") }
    }

    init() throws {
        guard let executable = Self.executable else { throw XCTSkip("Chromium is not installed") }
        folder = FileManager.default.temporaryDirectory.appending(path: "chromium-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (requests, answers) = (folder.appending(path: "requests").path, folder.appending(path: "answers").path)
        for path in [requests, answers] where mkfifo(path, 0o600) != 0 {
            throw Failure(description: "no pipe: \(errno)")
        }
        // Opened for both directions, so that neither side waits for the other.
        input = Glibc.open(requests, O_RDWR | O_CLOEXEC)
        output = Glibc.open(answers, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", "requests=$1 answers=$2; shift 2; exec \"$@\" 3<\"$requests\" 4>\"$answers\"", "sh", requests,
            answers,
            executable, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--no-first-run", "--disable-background-networking", "--disable-component-update", "--lang=en-US",
            "--user-data-dir=\(folder.path)/profile", "--remote-debugging-pipe",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let target = try call("Target.createTarget", ["url": "about:blank"])
        let attached = try call("Target.attachToTarget", ["targetId": target["targetId"] ?? "", "flatten": true])
        session = attached["sessionId"] as? String
        for domain in ["Page", "Runtime", "Log", "Network"] { try call("\(domain).enable") }
    }

    /// Ends the browser.
    func close() {
        session = nil
        _ = try? call("Browser.close")
        let deadline = Date(timeIntervalSinceNow: 20)
        while process.isRunning, Date() < deadline { usleep(10_000) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        for descriptor in [input, output] { Glibc.close(descriptor) }
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: - What a person does

    /// Opens a page and waits until it is loaded.
    func open(_ url: String) throws {
        // The same file with another fragment would not be loaded again.
        for url in ["about:blank", url] {
            events = []
            try call("Page.navigate", ["url": url])
            try waitFor("the page to load") {
                self.events.contains { $0["method"] as? String == "Page.loadEventFired" }
            }
        }
    }

    func resize(width: Int, height: Int, isDark: Bool = false, scale: Int = 1) throws {
        try call(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": scale, "mobile": false])
        let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
        try call("Emulation.setEmulatedMedia", ["features": [scheme]])
    }

    /// Types letters where the focus is, one after the other.
    func type(_ text: String) throws {
        for character in text { try call("Input.dispatchKeyEvent", ["type": "char", "text": String(character)]) }
    }

    /// Presses a key by its DOM name, such as `Enter` or `/`.
    func press(_ key: String, code: Int) throws {
        var event: [String: Any] = ["key": key, "windowsVirtualKeyCode": code]
        if key.count == 1 { event["text"] = key }
        if key == "Enter" { event["text"] = "\r" }
        for type in ["keyDown", "keyUp"] { try call("Input.dispatchKeyEvent", event.merging(["type": type]) { $1 }) }
    }

    /// What an expression gives, by value.
    @discardableResult
    func evaluate(_ expression: String) throws -> Any? {
        let answer = try call(
            "Runtime.evaluate", ["expression": expression, "returnByValue": true, "awaitPromise": true])
        if let details = answer["exceptionDetails"] { throw Failure(description: "\(expression): \(details)") }
        return (answer["result"] as? [String: Any])?["value"]
    }

    /// Waits until an expression is true.
    func wait(until expression: String, file: StaticString = #filePath, line: UInt = #line) throws {
        try waitFor(expression) { try self.evaluate(expression) as? Bool == true }
    }

    /// What screen readers see: roles and names, without text and what is ignored.
    func accessibleElements() throws -> [(role: String, name: String)] {
        let nodes = try call("Accessibility.getFullAXTree")["nodes"] as? [[String: Any]] ?? []
        return nodes.filter { $0["ignored"] as? Bool != true }.map { node in
            func value(_ key: String) -> String { (node[key] as? [String: Any])?["value"] as? String ?? "" }
            return (value("role"), value("name"))
        }
    }

    func screenshot(to path: String, isWhole: Bool = false) throws {
        let answer = try call("Page.captureScreenshot", ["format": "png", "captureBeyondViewport": isWhole])
        try Data(base64Encoded: answer["data"] as? String ?? "")?.write(to: URL(filePath: path))
    }

    /// What the console says is wrong, since the page was opened.
    var problems: [String] {
        events.compactMap { event in
            let parameters = event["params"] as? [String: Any] ?? [:]
            switch event["method"] as? String {
            case "Runtime.exceptionThrown": return "\(parameters)"
            case "Log.entryAdded": return "\(parameters)"
            case "Runtime.consoleAPICalled" where ["error", "warning"].contains(parameters["type"] as? String):
                return "\(parameters)"
            default: return nil
            }
        }
    }

    /// The addresses that the page asked for, without those that carry their data.
    var requests: [String] {
        events.filter { $0["method"] as? String == "Network.requestWillBeSent" }
            .compactMap { (($0["params"] as? [String: Any])?["request"] as? [String: Any])?["url"] as? String }
            .filter { !$0.hasPrefix("data:") && $0 != "about:blank" }
    }

    // MARK: - The protocol

    @discardableResult
    private func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
        lastID += 1
        let id = lastID
        var message: [String: Any] = ["id": id, "method": method, "params": parameters]
        message["sessionId"] = session
        var bytes = try JSONSerialization.data(withJSONObject: message)[...]
        bytes.append(0)
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Failure(description: "\(method) cannot be sent: \(errno)") }
            bytes = bytes.dropFirst(count)
        }
        var answer: [String: Any]?
        try waitFor(method) {
            answer = self.events.first { $0["id"] as? Int == id }
            self.events.removeAll { $0["id"] as? Int == id }
            return answer != nil
        }
        if let error = answer?["error"] { throw Failure(description: "\(method): \(error)") }
        return answer?["result"] as? [String: Any] ?? [:]
    }

    private func waitFor(_ what: String, _ condition: () throws -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: 60)
        while try !condition() {
            guard Date() < deadline else { throw Failure(description: "waited in vain for \(what)") }
            guard process.isRunning else { throw Failure(description: "Chromium has ended before \(what)") }
            receive()
        }
    }

    /// Takes in what has come, within a moment.
    private func receive() {
        var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 20) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(output, &buffer, buffer.count)
        guard count > 0 else { return }
        received.append(contentsOf: buffer[..<count])
        while let end = received.firstIndex(of: 0) {
            let message = received[..<end]
            received = Data(received[(end + 1)...])
            if let event = try? JSONSerialization.jsonObject(with: message) as? [String: Any] { events.append(event) }
        }
    }
}
