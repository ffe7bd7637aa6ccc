/// The keys that come most often in a stream, in bounded memory (Misra and Gries).
///
/// Each key that comes more often than 1 in ``capacity`` is there at the end, with a count that is at most that much too small. A plain
/// value.
struct HeavyHosts {
    private let capacity: Int
    private var counts: [String: Int] = [:]

    /// - Parameter capacity: How many keys are counted at a time, at least 1.
    init(capacity: Int = 4_096) {
        self.capacity = max(1, capacity)
    }

    mutating func add(_ key: String) {
        if let count = counts[key] {
            counts[key] = count + 1
        } else if counts.count < capacity {
            counts[key] = 1
        } else {
            counts = counts.compactMapValues { $0 > 1 ? $0 - 1 : nil }
        }
    }

    /// The keys that came at least so often, the most frequent ones first.
    func keys(withAtLeast least: Int) -> [(key: String, count: Int)] {
        counts.filter { $0.value >= least }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
            ($0.key, $0.value)
        }
    }
}
