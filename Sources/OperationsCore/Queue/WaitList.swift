extension QueueCore {
    /// What is waited for. Whoever waits holds it until the wait is over.
    enum WaitTarget: Sendable {
        case operation(Operation)
        /// All that the queue has.
        case queue(QueueCore)
    }

    /// What keeps an operation that runs, or a barrier, from ending.
    struct Wait {
        /// Which one it is, also when it is over and another one has its room.
        struct Identifier: Hashable, Comparable {
            fileprivate let room: Int
            fileprivate let number: Int

            static func < (one: Identifier, other: Identifier) -> Bool { one.number < other.number }
        }

        let identifier: Identifier
        /// The number, in the order of adding, of the operation that waits; nil for a barrier.
        let waiting: UInt64?
        let target: WaitTarget
        /// The look at which it is looked into, and how many looks later it is the next time.
        fileprivate var look: Int
        fileprivate var pause = 1
        fileprivate var isReported = false
    }
}

/// The waits of one queue, in whatever number. A plain value.
///
/// One that begins or ends costs the same always. Whoever goes through all of them does so some at a time: those that are there
/// all the while are among them, once.
struct WaitList {
    typealias Wait = QueueCore.Wait

    /// So many of them are gone through under one lock, so that others get on.
    static let waitsPerLock = 64

    /// So many in each, but for the last one; a wait has its room for as long as it lasts.
    private var blocks: [[Wait?]] = []
    private var emptyRooms: [Int] = []
    private var roomCount = 0
    private var lastNumber = 0
    private var looks = 0
    /// How many are not reported.
    private var unreported = 0
    /// How often one has begun or ended.
    private(set) var changes = 0
    /// They are looked into from time to time.
    private(set) var isWatched = false

    var isEmpty: Bool { emptyRooms.count == roomCount }

    private subscript(room: Int) -> Wait? {
        get { blocks[room / Self.waitsPerLock][room % Self.waitsPerLock] }
        _modify { yield &blocks[room / Self.waitsPerLock][room % Self.waitsPerLock] }
    }

    subscript(identifier: Wait.Identifier) -> Wait? {
        guard identifier.room < roomCount else { return nil }
        return self[identifier.room].flatMap { $0.identifier == identifier ? $0 : nil }
    }

    mutating func add(_ target: QueueCore.WaitTarget, of waiting: UInt64?) -> Wait.Identifier {
        lastNumber += 1
        let room = emptyRooms.popLast() ?? makeRoom()
        let identifier = Wait.Identifier(room: room, number: lastNumber)
        // Not at the next look, which may be soon.
        self[room] = Wait(identifier: identifier, waiting: waiting, target: target, look: looks + 2)
        unreported += 1
        changes += 1
        isWatched = true
        return identifier
    }

    private mutating func makeRoom() -> Int {
        if roomCount % Self.waitsPerLock == 0 { blocks.append([]) }
        blocks[blocks.count - 1].append(nil)
        roomCount += 1
        return roomCount - 1
    }

    /// - Returns: What is to be let go of outside the lock: the wait that is over, and rooms that are not kept.
    mutating func remove(_ identifier: Wait.Identifier) -> (wait: Wait?, rooms: [[Wait?]]) {
        guard let wait = self[identifier] else { return (nil, []) }
        self[identifier.room] = nil
        emptyRooms.append(identifier.room)
        if !wait.isReported { unreported -= 1 }
        changes += 1
        guard isEmpty, blocks.count > 1 else { return (wait, []) }
        defer { (blocks, emptyRooms, roomCount) = ([], [], 0) }
        return (wait, blocks)
    }

    mutating func noteReport(of identifier: Wait.Identifier) {
        guard let wait = self[identifier], !wait.isReported else { return }
        self[identifier.room]?.isReported = true
        unreported -= 1
    }

    // MARK: Going through them

    /// How far somebody has gone through them.
    struct Place {
        fileprivate var block = 0
        init() {}
    }

    /// Goes through some more of them.
    /// - Returns: False if there are no more.
    func visit(_ place: inout Place, _ body: (Wait) -> Void) -> Bool {
        guard place.block < blocks.count else { return false }
        for case let wait? in blocks[place.block] { body(wait) }
        place.block += 1
        return place.block < blocks.count
    }

    mutating func beginLook() { looks += 1 }

    /// Goes through some more of them in a look.
    /// - Parameter suspicious: Gets those that are looked into now, each after twice the time of the last one.
    /// - Returns: False if there are no more.
    mutating func look(_ place: inout Place, _ suspicious: inout [Wait]) -> Bool {
        var due: [Wait] = []
        let goesOn = visit(&place) { if $0.look <= looks, !$0.isReported { due.append($0) } }
        for var wait in due {
            wait.look = looks + wait.pause
            wait.pause *= 2
            self[wait.identifier.room] = wait
        }
        suspicious += due
        return goesOn
    }

    /// - Returns: Whether some are to be looked into later.
    mutating func endLook() -> Bool {
        isWatched = unreported > 0
        return isWatched
    }
}
