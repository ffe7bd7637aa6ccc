/// The keys that come most often in a stream, in bounded memory.
///
/// It is what Misra and Gries do, as Agarwal and others wrote it for summaries that are put together: counts are kept of twice as many keys
/// as wanted, and then all of them become smaller by the largest count that is not wanted. Each count that is there at the end is too
/// small by at most 1 in ``capacity`` of all, and each key that comes more often than that is there. A plain value.
struct HeavyHosts {
    private let capacity: Int
    private var counts: [String: Int] = [:]

    /// - Parameter capacity: How many keys are kept, at least 1.
    init(capacity: Int = 4_096) {
        self.capacity = max(1, capacity)
    }

    /// - Parameter count: How often it came.
    mutating func add(_ key: String, count: Int = 1) {
        counts[key, default: 0] += count
        guard counts.count > 2 * capacity else { return }
        let surplus = surplus(of: counts.values)
        counts = counts.compactMapValues { $0 > surplus ? $0 - surplus : nil }
    }

    /// By how much counts become smaller, so that not many more than are wanted stay above 0; 0 where there are few.
    func surplus<Counts: Collection>(of counts: Counts) -> Counts.Element where Counts.Element: BinaryInteger {
        counts.count > 2 * capacity ? counts.sorted(by: >)[capacity] : 0
    }

    /// The keys that came at least so often, the most frequent ones first.
    func keys(withAtLeast least: Int) -> [(key: String, count: Int)] {
        counts.filter { $0.value >= least }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
            ($0.key, $0.value)
        }
    }
}
