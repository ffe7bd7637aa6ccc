/// The places of a catalog in an order, and behind them those of which nothing is known that the order goes by.
struct SortedPlaces: Sendable {
    private(set) var known: [UInt32]
    private(set) var unknown: [UInt32] = []

    /// Places that are in order.
    init(_ known: [UInt32]) { self.known = known }

    /// Puts the places of a catalog in order, the largest key first; equal ones stay as the catalog has them.
    ///
    /// - Parameter key: What a place is ordered by; nil where that is not known.
    /// - Returns: Nil if it was cancelled.
    init?<Key: Comparable>(count: Int, byDescending key: (Int) -> Key?, isCancelled: () -> Bool) {
        var keys: [(key: Key, place: UInt32)] = []
        known = []
        for place in 0..<count {
            if place.isMultiple(of: 256), isCancelled() { return nil }
            if let key = key(place) { keys.append((key, UInt32(place))) } else { unknown.append(UInt32(place)) }
        }
        keys.sort { $0.key == $1.key ? $0.place < $1.place : $0.key > $1.key }
        known = keys.map(\.place)
    }

    /// Only the places that are among these, of a catalog of so many.
    func filtered(by places: [UInt32], of count: Int) -> SortedPlaces {
        var isMatching = [Bool](repeating: false, count: count)
        for place in places { isMatching[Int(place)] = true }
        var filtered = self
        filtered.known.removeAll { !isMatching[Int($0)] }
        filtered.unknown.removeAll { !isMatching[Int($0)] }
        return filtered
    }

    /// The rows, the other way round if that is wanted.
    func rows(isReversed: Bool) -> [UInt32] { (isReversed ? known.reversed() : known) + unknown }
}
