/// When hosts may be asked, where that is limited: none gets more than so many requests in any span of so long, and they are
/// begun an interval apart.
///
/// A plain value. A request counts from when it is sent. That is later than its transfer's beginning by as long as the
/// connection takes, so that requests which were begun one after the other may be sent together; those that were begun and are
/// not sent yet therefore count at any time.
struct RequestPaces<Host: Hashable> {
    private struct Pace {
        /// The last ones that were sent, in order; no more than may be sent in a span.
        var sent: [Duration] = []
        /// How many were begun and are not sent.
        var unsent = 0
        var nextBegin = Duration.zero
        /// Who keeps to it.
        var lines: [Int32] = []
    }

    /// The most that are counted in a span, as each one's time is kept.
    private static var largestCount: Int { 128 }

    /// The time between two beginnings; zero for no limit.
    let interval: Duration
    private let most: Int
    private let span: Duration
    private var paces: [Host: Pace] = [:]

    /// As many in a second as fit, and one in an interval that is longer.
    init(interval: Duration) {
        self.interval = interval
        // A rate that is a whole number of requests a second need not be one as an interval.
        let fitting = interval > .zero ? (Duration.seconds(1) / interval + 1e-6).rounded(.down) : 0
        most = Int(min(max(fitting, 1), Double(Self.largestCount)))
        span = interval * most
    }

    /// A host's line keeps to a pace from now on.
    mutating func join(_ host: Host, _ line: Int32) { paces[host, default: Pace()].lines.append(line) }

    /// It does not any more.
    mutating func leave(_ host: Host, _ line: Int32) {
        paces[host]?.lines.removeAll { $0 == line }
        if paces[host]?.lines.isEmpty == true { paces[host] = nil }
    }

    /// The lines that keep to a pace together.
    func lines(of host: Host) -> [Int32] { paces[host]?.lines ?? [] }

    /// Whether nothing of it has to be remembered.
    func isIdle(_ host: Host, at now: Duration) -> Bool {
        guard let pace = paces[host] else { return true }
        return pace.nextBegin <= now && pace.unsent == 0 && pace.sent.allSatisfy { $0 + span <= now }
    }

    /// When a transfer may begin, now or in the past if one may; nil while only a request that is sent, or is not going to be, can
    /// tell.
    func nextTime(_ host: Host) -> Duration? {
        guard let pace = paces[host] else { return .zero }
        guard pace.unsent < most else { return nil }
        // So many of those that were sent may still count.
        let place = pace.sent.count - (most - pace.unsent)
        return place < 0 ? pace.nextBegin : max(pace.nextBegin, pace.sent[place] + span)
    }

    /// A transfer begins.
    mutating func begin(_ host: Host, at now: Duration) {
        paces[host, default: Pace()].unsent += 1
        paces[host]?.nextBegin = now + interval
    }

    /// The request of a transfer that has begun is sent.
    mutating func send(_ host: Host, at now: Duration) {
        paces[host]?.unsent -= 1
        note(host, at: now)
    }

    /// A request is to be sent for which no transfer has begun. Says whether it may be.
    mutating func sendAnother(_ host: Host, at now: Duration) -> Bool {
        guard let next = nextTime(host), next <= now else { return false }
        note(host, at: now)
        paces[host]?.nextBegin = now + interval
        return true
    }

    /// A transfer has ended whose request was not sent, so that another one may begin at once.
    mutating func giveUp(_ host: Host) {
        paces[host]?.unsent -= 1
        paces[host]?.nextBegin = .zero
    }

    private mutating func note(_ host: Host, at now: Duration) {
        guard var sent = paces[host]?.sent else { return }
        paces[host]?.sent = []
        if sent.count == most { sent.removeFirst() }
        sent.append(now)
        paces[host]?.sent = sent
    }
}
