/// Lets the entries of a catalog in, in order, as far as there is work for them.
///
/// A plain value. The catalog is read on when transfers have room that nobody who waits may have: an entry whose host is busy or
/// rests is set aside until it has its turn. How many are set aside is bounded, so that a catalog of any length is developed in
/// the same memory: where there are enough, further entries of a host that has many are kept back, as numbers, until others of it have
/// had their turns. Only entries that have their turn become operations.
struct AdmissionWindow {
    private let count: Int
    private let mostSetAside: Int
    private(set) var next = 0
    /// Entries that are at work.
    private(set) var inside = 0
    /// Entries that wait for their turn.
    private(set) var setAside = 0
    /// Entries that will be set aside when others of their hosts have had their turns.
    private(set) var keptBack = 0
    /// Entries that wait for another one.
    private(set) var parked = 0
    /// Entries that are inside and only wait for the journal.
    private(set) var ending = 0
    /// How many more are to be set aside, so that somebody can have a turn.
    private var wanted = 0
    private(set) var isStopped = false

    /// - Parameters:
    ///   - count: How many entries there are.
    ///   - mostSetAside: How many may wait for their turn before others are kept back, at least 1.
    init(count: Int, mostSetAside: Int) {
        self.count = count
        self.mostSetAside = mostSetAside
    }

    /// So many more may have turns.
    mutating func want(_ turns: Int) {
        wanted = turns
    }

    /// Whether an entry may be kept back, as there are enough that are set aside.
    var mayKeepBack: Bool { setAside >= mostSetAside && !isStopped }

    /// The next entry to look at; nil where nobody is wanted, while too many are set aside or kept back, when all are in, and after a
    /// stop.
    ///
    /// - Parameter hasRoom: Whether more entries can be kept back.
    mutating func admit(hasRoom: Bool = false) -> Int? {
        guard !isStopped, wanted > 0, next < count, hasRoom || setAside < mostSetAside else { return nil }
        defer { next += 1 }
        inside += 1
        return next
    }

    /// An entry has come to its end.
    mutating func leave() {
        inside -= 1
    }

    /// An entry that is inside only waits for the journal from now on.
    mutating func beginEnding() {
        ending += 1
    }

    /// An entry that waited for the journal has come to its end.
    mutating func endEnding() {
        ending -= 1
        inside -= 1
    }

    /// Whether all that are inside wait for the journal, so that nobody else would join them.
    var waitsForJournal: Bool { ending > 0 && ending == inside && setAside == 0 && (isStopped || next == count) }

    /// An entry that is inside waits for its turn from now on.
    mutating func putAside() {
        inside -= 1
        setAside += 1
        wanted -= 1
    }

    /// An entry that is inside is kept back from now on.
    mutating func keepBack() {
        inside -= 1
        keptBack += 1
    }

    /// An entry that was kept back is set aside.
    mutating func takeUp() {
        keptBack -= 1
        setAside += 1
    }

    /// An entry that is inside waits for another try from now on.
    mutating func putAsideAgain() {
        inside -= 1
        setAside += 1
    }

    /// An entry that was set aside has its turn.
    mutating func takeBack() {
        setAside -= 1
        inside += 1
    }

    /// An entry that is inside waits for another one from now on.
    mutating func park() {
        inside -= 1
        parked += 1
    }

    /// An entry that waited for another one is inside again.
    mutating func unpark() {
        parked -= 1
        inside += 1
    }

    /// Whether all entries that are left wait for their turns, or for one that does.
    var onlyHasSetAside: Bool { inside == 0 && setAside > 0 && next == count && !isStopped }

    /// Some that are parked will never be inside again.
    mutating func forget(parked count: Int) {
        parked -= count
    }

    /// Lets nobody in any more, and nobody who was kept back.
    mutating func stop() {
        isStopped = true
        keptBack = 0
    }

    /// Whether nothing is on its way and nothing will be.
    var isOver: Bool { inside == 0 && setAside == 0 && keptBack == 0 && parked == 0 && (isStopped || next == count) }
}
