/// The order in which an animation's frames are made: one after the other, as they were asked for.
///
/// A plain value. It keeps no frame that has been made or given up.
struct FrameLine {
    typealias Place = Int

    /// Those in the line, from low to high; it is the first one's turn.
    private var places: [Place] = []
    /// What those are told with who have asked for their turn before it was theirs.
    private var calls: [Place: @Sendable () -> Void] = [:]
    private var next = 0

    /// Joins the line at its end.
    mutating func join() -> Place {
        defer { next += 1 }
        places.append(next)
        return next
    }

    /// Asks for one's turn.
    /// - Parameter call: Kept where it is not yet one's turn.
    /// - Returns: Whether it is, or one has left the line.
    mutating func ask(_ place: Place, call: @escaping @Sendable () -> Void) -> Bool {
        if places.first == place || !places.contains(place) { return true }
        calls[place] = call
        return false
    }

    /// Leaves the line, after one's turn or without one.
    /// - Returns: What tells the next one that it is its turn, to be called outside of locks; nil where nobody's turn has come
    ///   who asked for it.
    mutating func leave(_ place: Place) -> (@Sendable () -> Void)? {
        calls[place] = nil
        let wasFirst = places.first == place
        places.removeAll { $0 == place }
        guard wasFirst, let first = places.first else { return nil }
        return calls.removeValue(forKey: first)
    }
}
