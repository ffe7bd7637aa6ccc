/// The helpers that wait for work, and which of them is the best for a task.
///
/// A plain value, which knows neither processes nor a clock.
struct IdleHelpers<Helper, Room: Equatable> {
    typealias Instant = ContinuousClock.Instant

    private struct Entry {
        let helper: Helper
        let room: Room
        /// Which animation it has open.
        let animation: UInt64?
        let since: Instant
    }

    /// Whoever has waited longest comes first.
    private var entries: [Entry] = []

    /// Since when the first one has waited; nil if there is none.
    var oldest: Instant? { entries.first?.since }

    /// Puts one down, not earlier than those before.
    mutating func put(_ helper: Helper, in room: Room, having animation: UInt64?, at now: Instant) {
        entries.append(Entry(helper: helper, room: room, animation: animation, since: now))
    }

    /// Takes one: that which has the animation open; otherwise one that has none, as to open one again costs as much as all its
    /// frames up to there. Of several it is the one that was used last, so that others may end.
    ///
    /// - Parameters:
    ///   - animation: The animation that it is for; nil for a picture.
    ///   - most: How many of the room there may be. With fewer a further one is started before an animation is closed.
    /// - Returns: nil where one is to be started.
    mutating func take(in room: Room, for animation: UInt64?, most: Int) -> Helper? {
        let places = entries.indices.filter { entries[$0].room == room }
        if let animation, let place = places.first(where: { entries[$0].animation == animation }) {
            return entries.remove(at: place).helper
        }
        if let place = places.last(where: { entries[$0].animation == nil }) {
            return entries.remove(at: place).helper
        }
        guard places.count >= most, let place = places.first else { return nil }
        return entries.remove(at: place).helper
    }

    /// Takes out those that have waited since then or longer, and those that are of no use.
    mutating func removeAll(since end: Instant, or isUseless: (Helper) -> Bool) -> [Helper] {
        let isLeaving = entries.map { $0.since <= end || isUseless($0.helper) }
        let leaving = zip(entries, isLeaving).filter(\.1).map(\.0.helper)
        entries = zip(entries, isLeaving).filter { !$0.1 }.map(\.0)
        return leaving
    }
}
