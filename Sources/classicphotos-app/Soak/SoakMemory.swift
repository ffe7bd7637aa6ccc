import FoundationEssentials
import Glibc

/// The resident memory of the process over time, second by second.
struct SoakMemory {
    /// By how much it may be more in the last third of the time than in the second: a tenth, and this many megabytes.
    private static let allowance = 24

    private var samples: [Int] = []

    mutating func sample(at second: Double) {
        if Int(second) >= samples.count { samples.append(now) }
    }

    /// At present, in megabytes.
    var now: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) / 1_048_576 : 0
    }

    /// The median of each of twenty parts of the time, in megabytes.
    var curve: String {
        let width = max(1, samples.count / 20)
        let parts = stride(from: 0, to: samples.count, by: width).map {
            Self.median(samples[$0..<min($0 + width, samples.count)])
        }
        return parts.map(String.init).joined(separator: " ") + " MB, each the median of \(width) s"
    }

    /// What is wrong with it; nothing where the time was too short to tell.
    var problem: String? {
        guard samples.count >= 300 else { return nil }
        let third = samples.count / 3
        let (before, after) = (Self.median(samples[third..<2 * third]), Self.median(samples[(2 * third)...]))
        guard after > before * 11 / 10 + Self.allowance else { return nil }
        return "memory grows: \(before) MB in the second third of the time, \(after) MB in the last"
    }

    private static func median(_ samples: ArraySlice<Int>) -> Int {
        samples.isEmpty ? 0 : samples.sorted()[samples.count / 2]
    }
}
