import Glibc

/// What was measured while scrolling, and after it.
nonisolated struct ScrollMeasurement {
    /// The time between frames while scrolling, in milliseconds.
    var frameIntervals: [Double] = []
    /// The CPU time of the main thread while scrolling, in milliseconds.
    var mainThread = 0.0
    /// The longest time that the main loop was kept, while scrolling and at rest, in milliseconds.
    var longestStall = 0.0
    /// The most CPU time that the main loop took in one go, in milliseconds.
    var longestCPU = 0.0
    /// How often it was kept for more than 16 milliseconds.
    var stalls = 0
    /// From the end of each scroll to the first and to all pictures with their looks, in milliseconds.
    var first: [Double] = []
    var all: [Double] = []
    /// How often not all pictures came in time.
    var missed = 0
    var received = 0
    var wasted = 0
    var unseenAhead = 0
    /// What a stall of 80 milliseconds that was made on purpose was measured as.
    var control = 0.0

    /// Frames that came late: what they were late by, in milliseconds for each second of scrolling.
    var hitches: Double {
        let time = frameIntervals.reduce(0, +) / 1_000
        let late = frameIntervals.reduce(0) { $0 + max(0, $1 - Self.frame * 1.5) }
        return time > 0 ? late / time : 0
    }

    private static let frame = 1_000 / 60.0

    private static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }

    private static func percentile(_ values: [Double], _ part: Double) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }

    /// The figures as JSON, on one line.
    func json(strategy: String, rows: Int) -> String {
        let share = received > 0 ? Double(wasted) / Double(received) : 0
        let figures: [(String, Double)] = [
            ("rows", Double(rows)), ("frames", Double(frameIntervals.count)),
            ("frameIntervalMedian", Self.percentile(frameIntervals, 0.5)),
            ("frameInterval95", Self.percentile(frameIntervals, 0.95)), ("hitchesPerSecond", hitches),
            ("mainThreadPerFrame", mainThread / Double(max(1, frameIntervals.count))),
            ("longestStall", longestStall), ("longestPassCPU", longestCPU),
            ("stallsOver16", Double(stalls)),
            ("firstImageMedian", Self.percentile(first, 0.5)), ("allImagesMedian", Self.percentile(all, 0.5)),
            ("firstImageMean", Self.mean(first)), ("allImagesMean", Self.mean(all)),
            ("restsWithoutAllImages", Double(missed)), ("bytesReceived", Double(received)),
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

    /// The CPU time of the calling thread, in milliseconds.
    static var threadTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }
}
