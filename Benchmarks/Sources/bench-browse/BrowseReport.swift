import BenchSupport
import Foundation

/// What became of memory, descriptors and threads, and whether that is flat.
struct BrowseReport: Codable {
    var date = Date()
    var machine = Machine()
    let seed: UInt64
    let photos: Int
    let counts: Visit.Counts
    /// When the caches count as full, in seconds from the start.
    let warmUp: Double
    /// The medians of the tenth of time after that, and of the last tenth.
    let residentMegabytesAfterWarmUp: Double
    let residentMegabytesAtTheEnd: Double
    let peakMegabytes: Double
    /// The same two of what is in use of malloc's heaps.
    let heapMegabytesAfterWarmUp: Double
    let heapMegabytesAtTheEnd: Double
    /// Of the straight line that fits best from the warm-up on.
    let megabytesAMinute: Double
    let growthBoundMegabytes: Double
    let complaints: [String]
    let samples: [ResourceSample]

    /// What resident memory may grow by, from one median to the other: threads bring stacks and heaps of their own, of which
    /// malloc gives little back, and a machine with other work makes for more threads.
    private static let growthBound = 32.0
    /// The same for what is in use, which is what a leak makes grow: a fifth of the two caches for their ups and downs.
    private static let heapBound = 12.0
    /// As many transfers as may run at once, and as many threads as Dispatch keeps for a while.
    private static let descriptorBound = 16
    private static let threadBound = 16

    init(_ options: Options, _ counts: Visit.Counts, _ samples: [ResourceSample]) {
        seed = options.seed
        photos = options.photos
        self.counts = counts
        self.samples = samples
        let end = samples.last?.seconds ?? 0
        warmUp = end / 5
        let rest = samples.filter { [warmUp] in $0.seconds >= warmUp }
        let first = rest.prefix(max(1, samples.count / 10))
        let last = rest.suffix(max(1, samples.count / 10))
        let before = Self.median(first.map(\.residentMegabytes))
        let after = Self.median(last.map(\.residentMegabytes))
        residentMegabytesAfterWarmUp = before
        residentMegabytesAtTheEnd = after
        let heapBefore = Self.median(first.map(\.heapMegabytes))
        let heapAfter = Self.median(last.map(\.heapMegabytes))
        heapMegabytesAfterWarmUp = heapBefore
        heapMegabytesAtTheEnd = heapAfter
        peakMegabytes = samples.map(\.residentMegabytes).max() ?? 0
        megabytesAMinute = 60 * Self.slope(rest.map { ($0.seconds, $0.residentMegabytes) })
        growthBoundMegabytes = Self.growthBound

        var complaints: [String] = []
        func compare(_ what: String, bound: Int, _ value: (ResourceSample) -> Int) {
            let (before, after) = (first.map(value).max() ?? 0, last.map(value).max() ?? 0)
            if after > before + bound { complaints.append("\(what) grew from \(before) to \(after)") }
        }
        if after - before > Self.growthBound {
            complaints.append(String(format: "resident memory grew from %.1f to %.1f MB", before, after))
        }
        if heapAfter - heapBefore > Self.heapBound {
            complaints.append(String(format: "memory in use grew from %.1f to %.1f MB", heapBefore, heapAfter))
        }
        compare("descriptors", bound: Self.descriptorBound, \.descriptors)
        compare("threads", bound: Self.threadBound, \.threads)
        if counts.distinct < samples.count { complaints.append("only \(counts.distinct) photos were seen") }
        self.complaints = complaints
    }

    var summary: String {
        let numbers = String(
            format: "%.1f MB after %.0f s, %.1f MB at the end, at most %.1f MB, %+.2f MB a minute",
            residentMegabytesAfterWarmUp, warmUp, residentMegabytesAtTheEnd, peakMegabytes, megabytesAMinute)
        return """
            \(counts.acts) acts, \(counts.shown) pictures on screen, of \(counts.distinct) different photos
            \(numbers)
            \(String(format: "in use %.1f and %.1f MB", heapMegabytesAfterWarmUp, heapMegabytesAtTheEnd))
            descriptors \(range(\.descriptors)), threads \(range(\.threads)) after the warm-up
            """
    }

    private func range(_ value: KeyPath<ResourceSample, Int>) -> String {
        let values = samples.filter { $0.seconds >= warmUp }.map { $0[keyPath: value] }
        return "\(values.min() ?? 0) to \(values.max() ?? 0)"
    }

    private static func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }

    /// Of the line of least squares.
    private static func slope(_ points: [(x: Double, y: Double)]) -> Double {
        let count = Double(max(1, points.count))
        let (x, y) = (points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
        let square = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
        return square > 0 ? points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / square : 0
    }
}
