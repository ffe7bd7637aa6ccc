/// Lets the entries of a catalog in, in order, so many at a time.
///
/// A plain value. Entries become operations only inside this window, so that downloads cannot outrun decoding, and a
/// catalog of any length is developed in the same memory.
struct AdmissionWindow {
    private let count: Int
    private let width: Int
    private(set) var next = 0
    private(set) var inside = 0
    /// Entries that wait for another one, and take no place meanwhile.
    private(set) var parked = 0
    private(set) var isStopped = false

    /// - Parameters:
    ///   - count: How many entries there are.
    ///   - width: How many may be on their way at once, at least 1.
    init(count: Int, width: Int) {
        self.count = count
        self.width = width
    }

    /// The next entry to start, or nil while the window is full, when all are in, and after a stop.
    mutating func admit() -> Int? {
        guard !isStopped, inside < width, next < count else { return nil }
        defer { next += 1 }
        inside += 1
        return next
    }

    /// An entry has come to its end.
    mutating func leave() {
        inside -= 1
    }

    /// An entry that is inside waits for another one from now on.
    mutating func park() {
        inside -= 1
        parked += 1
    }

    /// An entry that waited is inside again, whether there is a place or not.
    mutating func unpark() {
        parked -= 1
        inside += 1
    }

    /// Lets nobody in any more.
    mutating func stop() {
        isStopped = true
    }

    /// Whether nothing is on its way and nothing will be.
    var isOver: Bool { inside == 0 && parked == 0 && (isStopped || next == count) }
}
