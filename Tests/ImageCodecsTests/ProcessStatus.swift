import Foundation

/// What the system says about a process.
enum ProcessStatus {
    /// The fields of `/proc/PID/status`; none if there is no such process.
    static func fields(of pid: pid_t) -> [String: String] {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let pairs = text.split(separator: "\n").map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func bytes(_ field: String) -> Int {
        (Int((fields(of: getpid())[field] ?? "").filter(\.isNumber)) ?? 0) << 10
    }

    /// The most memory that this process has had at a time, in bytes.
    static var peakMemory: Int { bytes("VmHWM") }

    /// The addresses that this process has, in bytes.
    static var size: Int { bytes("VmSize") }

    /// Counts the peak anew.
    static func forgetPeak() {
        try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    }

    /// Whether a sanitizer is in this process: they keep freed memory, and see crashes. All of them reserve terabytes.
    static let isSanitized = bytes("VmSize") > 1 << 40
}
