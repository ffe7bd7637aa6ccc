import FoundationEssentials
import Glibc

/// The resident memory of the process over time, second by second.
struct SoakMemory {
    private struct Sample {
        let megabytes: Int
        /// What was open: a million photos take more than three thousand.
        let catalog: String
    }

    /// By how much it may be more in the last third of the time than in the second: a tenth, and this many megabytes.
    private static let allowance = 24
    /// How many seconds of both thirds have to be comparable.
    private static let fewest = 60

    private var samples: [Sample] = []

    mutating func sample(at second: Double, of catalog: String) {
        if Int(second) >= samples.count { samples.append(Sample(megabytes: now, catalog: catalog)) }
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
            Self.median(samples[$0..<min($0 + width, samples.count)].map(\.megabytes))
        }
        return parts.map(String.init).joined(separator: " ") + " MB, each the median of \(width) s"
    }

    /// What is wrong with it; nothing where the time was too short to tell.
    var problem: String? {
        guard samples.count >= 300, let (before, after) = comparison else { return nil }
        guard after > before * 11 / 10 + Self.allowance else { return nil }
        return "memory grows: with the same catalogs, from \(before) MB in the second third of the time to \(after) MB"
    }

    /// The memory in the second and the last third of the time, each catalog counting for as long as it was open in both;
    /// nil if that was too short.
    var comparison: (before: Int, after: Int)? {
        let third = samples.count / 3
        let before = Dictionary(grouping: samples[third..<2 * third], by: \.catalog)
        let after = Dictionary(grouping: samples[(2 * third)...], by: \.catalog)
        var (seconds, sums) = (0, (before: 0, after: 0))
        for (catalog, last) in after {
            guard let second = before[catalog] else { continue }
            let weight = min(second.count, last.count)
            seconds += weight
            sums.before += weight * Self.median(second.map(\.megabytes))
            sums.after += weight * Self.median(last.map(\.megabytes))
        }
        return seconds < Self.fewest ? nil : (sums.before / seconds, sums.after / seconds)
    }

    private static func median(_ samples: [Int]) -> Int {
        samples.isEmpty ? 0 : samples.sorted()[samples.count / 2]
    }
}
