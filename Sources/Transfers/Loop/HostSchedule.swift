/// Whose turn it is: transfers wait per host in order of arrival, and hosts take turns.
///
/// A plain value. libcurl has limits of its own, but looks at every transfer it knows in every round; it is only given
/// those that run, so that thousands may wait at no cost.
struct HostSchedule<Host: Hashable, Item> {
    private struct Line {
        var waiting: [Item?] = []
        var head = 0
        var running = 0
        /// How many have asked that it be left alone.
        var holds = 0

        var isEmpty: Bool { head == waiting.count }

        mutating func popFirst() -> Item? {
            // Taken out, so that the line does not keep what was handed out, and all that belongs to it, alive.
            let item = waiting[head].take()
            head += 1
            // Forget the empty places, at a cost that is constant per item.
            if head * 2 >= waiting.count {
                waiting.removeFirst(head)
                head = 0
            }
            return item
        }
    }

    private let perHost: Int
    private let inAll: Int
    /// The lines, and the places of those that are free.
    private var lines: [Line] = []
    private var free: [Int] = []
    private var places: [Host: Int] = [:]
    /// The lines of hosts that have something waiting and room for it, in turn; first at the end that `head` marks.
    private var ready: [Int] = []
    private var readyHead = 0
    private(set) var running = 0

    /// An empty schedule.
    init(perHost: Int, inAll: Int) {
        self.perHost = max(perHost, 1)
        self.inAll = max(inAll, 1)
    }

    /// Puts an item at the end of its host's line.
    mutating func add(_ item: Item, for host: Host) {
        let place = place(of: host)
        let wasReady = isReady(place)
        lines[place].waiting.append(item)
        if !wasReady && isReady(place) { ready.append(place) }
    }

    /// The next item that may run, which then counts as running until ``finished(for:)``.
    mutating func next() -> Item? {
        guard running < inAll, readyHead < ready.count else { return nil }
        let place = ready[readyHead]
        readyHead += 1
        if readyHead * 2 >= ready.count {
            ready.removeFirst(readyHead)
            readyHead = 0
        }
        guard let item = lines[place].popFirst() else { return nil }
        lines[place].running += 1
        running += 1
        if isReady(place) { ready.append(place) }
        return item
    }

    /// An item that ran has made room.
    mutating func finished(for host: Host) {
        guard let place = places[host] else { return }
        let wasReady = isReady(place)
        lines[place].running -= 1
        running -= 1
        if !wasReady && isReady(place) { ready.append(place) }
        forgetIfIdle(host, place)
    }

    /// Hands out nothing for a host until ``release(_:)``, as often as this was said.
    mutating func hold(_ host: Host) {
        let place = place(of: host)
        lines[place].holds += 1
        // It may stand among the ready ones.
        let isTurn = ready[readyHead...].contains(place)
        if isTurn { ready = ready[readyHead...].filter { $0 != place } }
        if isTurn { readyHead = 0 }
    }

    /// Ends one ``hold(_:)``.
    mutating func release(_ host: Host) {
        guard let place = places[host], lines[place].holds > 0 else { return }
        lines[place].holds -= 1
        if isReady(place) { ready.append(place) }
        forgetIfIdle(host, place)
    }

    private mutating func place(of host: Host) -> Int {
        if let place = places[host] { return place }
        let place = free.popLast() ?? lines.count
        if place == lines.count { lines.append(Line()) }
        places[host] = place
        return place
    }

    private mutating func forgetIfIdle(_ host: Host, _ place: Int) {
        guard lines[place].isEmpty, lines[place].running == 0, lines[place].holds == 0 else { return }
        places[host] = nil
        lines[place] = Line()
        free.append(place)
    }

    private func isReady(_ place: Int) -> Bool {
        !lines[place].isEmpty && lines[place].running < perHost && lines[place].holds == 0
    }
}
