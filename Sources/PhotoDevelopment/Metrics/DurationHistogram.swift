/// How many of some times were how long; a plain value of fixed size.
struct DurationHistogram: Equatable {
    /// The ends of the buckets, in seconds; the last bucket has none.
    private static let bounds = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
    ]

    private var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// All of the times together, in seconds.
    private(set) var sum = 0.0

    /// The buckets with their ends in seconds, nil for the last one, and how many times are in each.
    var buckets: [(bound: Double?, count: Int)] {
        counts.enumerated().map { ($0 < Self.bounds.count ? Self.bounds[$0] : nil, $1) }
    }

    mutating func add(_ time: Duration) {
        let seconds = time / .seconds(1)
        sum += seconds
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    }
}
