import Glibc
import PhotoBrowser

/// What a run of the benchmark prints.
nonisolated struct ScrollReport {
    /// What the scrolling gave.
    private let measurement: ScrollMeasurement
    /// The longest time that the main loop was kept, while scrolling and at rest, in milliseconds.
    var longestStall = 0.0
    /// The most CPU time that the main loop took in one go, in milliseconds.
    var longestCPU = 0.0
    /// How often it was kept for more than 16 milliseconds.
    var stalls = 0
    var received = 0
    var wasted = 0
    var unseenAhead = 0
    /// What a stall of 80 milliseconds that was made on purpose was measured as.
    var control = 0.0

    init(_ measurement: ScrollMeasurement) {
        self.measurement = measurement
    }

    private static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }

    private static func percentile(_ values: [Double], _ part: Double) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }

    /// The figures as JSON, on one line.
    func json(strategy: String, rows: Int) -> String {
        let (frames, first, all) = (measurement.frameIntervals, measurement.first, measurement.all)
        let share = received > 0 ? Double(wasted) / Double(received) : 0
        let figures: [(String, Double)] = [
            ("rows", Double(rows)), ("frames", Double(frames.count)),
            ("frameIntervalMedian", Self.percentile(frames, 0.5)),
            ("frameInterval95", Self.percentile(frames, 0.95)), ("hitchesPerSecond", measurement.hitches),
            ("mainThreadPerFrame", measurement.mainThread / Double(max(1, frames.count))),
            ("longestStall", longestStall), ("longestPassCPU", longestCPU),
            ("stallsOver16", Double(stalls)),
            ("firstImageMedian", Self.percentile(first, 0.5)), ("allImagesMedian", Self.percentile(all, 0.5)),
            ("firstImageMean", Self.mean(first)), ("allImagesMean", Self.mean(all)),
            ("restsWithoutAllImages", Double(measurement.missed)), ("bytesReceived", Double(received)),
            ("bytesWasted", Double(wasted)), ("wastedShare", share), ("bytesAheadUnseen", Double(unseenAhead)),
            ("peakMemoryMB", Self.peakMemory), ("controlStall80", control),
        ]
        let fields = figures.map { "\"\($0.0)\": \(($0.1 * 1_000).rounded() / 1_000)" }
        return "{\"strategy\": \"\(strategy)\", " + fields.joined(separator: ", ") + "}"
    }

    /// The most memory that the process ever had, in megabytes.
    private static var peakMemory: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_maxrss) / 1_024
    }
}
