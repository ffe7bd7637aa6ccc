/// The clocks of one attempt: how long it connects, how long it is silent and how long it takes in all.
///
/// A plain value that is told what happened when.
struct TransferTimer {
    typealias Instant = SteadyTime

    private let connecting: Duration
    private let idle: Duration
    private let total: Duration
    private var totalDeadline: Instant
    /// When the rest of an answer that nobody wants is given up.
    private var drainDeadline: Instant?
    /// When the exchange was last heard of; nil while connecting.
    private var heard: Instant?
    /// When there has to be a connection; nil before one is being made.
    private var connectDeadline: Instant?
    /// Since when the clocks stand.
    private var stoppedSince: Instant?

    /// A timer whose clocks stand, because the transfer waits for its turn.
    init(limits: TransferLimits, at now: Instant) {
        connecting = limits.connectTimeout
        idle = limits.idleTimeout
        total = limits.totalTimeout
        totalDeadline = now.advanced(by: limits.totalTimeout)
        stoppedSince = now
    }

    /// Stops both clocks: the transfer is held back by us, which is not the server's fault.
    mutating func stop(at now: Instant) {
        if stoppedSince == nil { stoppedSince = now }
    }

    /// Goes on after ``stop(at:)``; silence is counted anew.
    mutating func go(at now: Instant) {
        guard let since = stoppedSince else { return }
        stoppedSince = nil
        totalDeadline = totalDeadline.advanced(by: since.duration(to: now))
        if heard != nil { heard = now }
    }

    /// A connection is being made: from here until ``hear(at:)`` silence is not counted.
    mutating func connect(at now: Instant) {
        drainDeadline = nil
        heard = nil
        connectDeadline = now.advanced(by: connecting)
    }

    /// The request is being sent, or bytes of it were acknowledged, or bytes arrived.
    mutating func hear(at now: Instant) {
        heard = now
    }

    /// Gives the rest of an answer that nobody wants only so long; a new connection has its own time again.
    mutating func end(within duration: Duration, at now: Instant) {
        let end = now.advanced(by: duration)
        drainDeadline = min(drainDeadline ?? end, end)
    }

    /// Whether no request was sent yet.
    var isConnecting: Bool { heard == nil }

    /// When to look again, nil while the clocks stand.
    var deadline: Instant? {
        guard stoppedSince == nil else { return nil }
        let totalDeadline = min(self.totalDeadline, drainDeadline ?? self.totalDeadline)
        guard let heard else { return min(totalDeadline, connectDeadline ?? totalDeadline) }
        return min(totalDeadline, heard.advanced(by: idle))
    }

    /// The limit that has run out, if one has.
    func expired(at now: Instant) -> TransferError? {
        guard stoppedSince == nil else { return nil }
        if heard == nil, let connectDeadline, now >= connectDeadline { return .timeout(.connect, connecting) }
        if now >= min(totalDeadline, drainDeadline ?? totalDeadline) { return .timeout(.total, total) }
        if let heard, now >= heard.advanced(by: idle) { return .timeout(.idle, idle) }
        return nil
    }
}
