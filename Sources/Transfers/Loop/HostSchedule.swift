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
    private var lines: [Host: Line] = [:]
    /// Hosts that have something waiting and room for it, in turn; first at the end that `head` marks.
    private var ready: [Host] = []
    private var readyHead = 0
    private(set) var running = 0

    /// An empty schedule.
    init(perHost: Int, inAll: Int) {
        self.perHost = max(perHost, 1)
        self.inAll = max(inAll, 1)
    }

    /// Puts an item at the end of its host's line.
    mutating func add(_ item: Item, for host: Host) {
        let wasReady = isReady(host)
        lines[host, default: Line()].waiting.append(item)
        if !wasReady && isReady(host) { ready.append(host) }
    }

    /// The next item that may run, which then counts as running until ``finished(for:)``.
    mutating func next() -> Item? {
        guard running < inAll, readyHead < ready.count else { return nil }
        let host = ready[readyHead]
        readyHead += 1
        if readyHead * 2 >= ready.count {
            ready.removeFirst(readyHead)
            readyHead = 0
        }
        guard let item = lines[host]?.popFirst() else { return nil }
        lines[host]?.running += 1
        running += 1
        if isReady(host) { ready.append(host) }
        return item
    }

    /// An item that ran has made room.
    mutating func finished(for host: Host) {
        let wasReady = isReady(host)
        lines[host]?.running -= 1
        running -= 1
        if !wasReady && isReady(host) { ready.append(host) }
        forgetIfIdle(host)
    }

    /// Hands out nothing for a host until ``release(_:)``, as often as this was said.
    mutating func hold(_ host: Host) {
        lines[host, default: Line()].holds += 1
        // It may stand among the ready ones.
        let isTurn = ready[readyHead...].contains(host)
        if isTurn { ready = ready[readyHead...].filter { $0 != host } }
        if isTurn { readyHead = 0 }
    }

    /// Ends one ``hold(_:)``.
    mutating func release(_ host: Host) {
        guard let holds = lines[host]?.holds, holds > 0 else { return }
        lines[host]?.holds = holds - 1
        if isReady(host) { ready.append(host) }
        forgetIfIdle(host)
    }

    private mutating func forgetIfIdle(_ host: Host) {
        if let line = lines[host], line.isEmpty, line.running == 0, line.holds == 0 { lines[host] = nil }
    }

    private func isReady(_ host: Host) -> Bool {
        guard let line = lines[host] else { return false }
        return !line.isEmpty && line.running < perHost && line.holds == 0
    }
}
