import Foundation

/// Where and with what a report was made.
package struct Machine: Codable, Sendable {
    package var processor = Machine.value(of: "model name", in: "/proc/cpuinfo") ?? "unknown"
    package var cores = ProcessInfo.processInfo.activeProcessorCount
    package var system = Machine.value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? "unknown"
    package var kernel = Machine.line("/proc/sys/kernel/osrelease")
    package var swift = Machine.output(of: ["swift", "--version"]).prefix { $0 != "\n" }.description
    package var commit = Machine.output(of: ["git", "describe", "--always", "--dirty"])

    package init() {}

    private static func contents(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    private static func line(_ path: String) -> String {
        contents(path).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func value(of key: String, in path: String, separator: Character = ":") -> String? {
        contents(path).split(separator: "\n").first { $0.hasPrefix(key) }?
            .split(separator: separator, maxSplits: 1).last?
            .trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
    }

    private static func output(of command: [String]) -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "unknown" }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
