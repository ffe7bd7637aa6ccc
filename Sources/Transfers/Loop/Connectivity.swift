/// Whether this machine has lost its network, as a plain value.
///
/// Two things tell. The machine had a default route and has none any more, as where a cable is pulled or a wireless network is gone.
/// Or transfers are silent, and no host that has answered before can be reached, as where a router has lost its line.
///
/// A machine that has never had a default route reaches what it reaches, and loses none. Where routes are kept elsewhere, as some
/// VPNs do, all may be well without one: now and then transfers try, and an answer to one says so.
struct Connectivity {
    /// How often it is looked whether the route is back.
    static let interval = Duration.seconds(1)
    /// After so long without one, transfers try.
    static let probeInterval = Duration.seconds(30)
    /// After so long a machine counts as one that has no default route.
    static let longestWait = Duration.seconds(86_400)
    /// The same for what is lost farther away, where it may be the hosts.
    static let longestWaitForHosts = Duration.seconds(3_600)
    /// The first pause after which the hosts that answered are tried again; each one is twice as long as the last, up to ``probeInterval``.
    static let firstPause = Duration.seconds(5)

    private struct Loss {
        let since: SteadyTime
        /// Whether the route is lost, and not what is farther away.
        let isOfRoute: Bool
        var nextProbe: SteadyTime
        var pause: Duration
    }

    private let hasRoute: @Sendable () -> Bool
    private var hadRoute: Bool
    private var loss: Loss?
    /// Those that say whether it is lost farther away.
    var hosts = AnsweringHosts()
    /// Whether somebody tries to reach them.
    var isReaching: Bool { reachingSince != nil }
    private var reachingSince: SteadyTime?
    /// When to look again; nil where nothing is waited for, or somebody will say.
    private(set) var nextLook: SteadyTime?

    /// - Parameter hasRoute: Whether there is a default route at present.
    init(_ hasRoute: @escaping @Sendable () -> Bool) {
        self.hasRoute = hasRoute
        hadRoute = hasRoute()
    }

    /// Whether the network is lost, also while transfers try.
    var isLost: Bool { loss != nil }

    /// Whether nothing is to be begun.
    var isWaiting: Bool { nextLook != nil || isReaching }

    /// A host has answered a transfer that began at a time. Where the route was lost before, none is needed; where hosts are silent, what
    /// has come just now says that they can be reached.
    ///
    /// - Parameter now: When the last of that came; nil for a while ago.
    mutating func hostAnswered(_ begun: SteadyTime, at now: SteadyTime?) {
        if let now { hosts.answered(at: now) }
        if let loss, loss.isOfRoute {
            guard begun > loss.since else { return }
            hadRoute = false
        } else if now == nil {
            return
        }
        (loss, nextLook, reachingSince) = (nil, nil, nil)
    }

    /// A transfer has failed as one does without a network. Says whether that is why.
    mutating func didFail(at now: SteadyTime) -> Bool {
        if isWaiting { return isLost }
        if hasRoute() {
            hadRoute = true
            // Those that tried have had no answer, either.
            if let loss, !loss.isOfRoute { return lose(ofRoute: false, at: now) }
            loss = nil
            return false
        }
        return hadRoute && lose(ofRoute: true, at: now)
    }

    /// Nothing has been heard for a while. Says whether somebody is to reach the hosts that have answered; meanwhile nothing is begun.
    mutating func didHearNothing(since last: SteadyTime, at now: SteadyTime) -> Bool {
        guard !isLost, !isReaching, hosts.takeQuestion(since: last, at: now) else { return false }
        reachingSince = now
        return true
    }

    /// Looks whether the network is back, or it is time to try, where it is time for that.
    ///
    /// - Returns: Whether somebody is to reach the hosts that have answered.
    mutating func look(at now: SteadyTime) -> Bool {
        guard let due = nextLook, now >= due, let loss else { return false }
        nextLook = now.advanced(by: Self.interval)
        let isTimeToTry = now >= loss.nextProbe
        if loss.isOfRoute, hasRoute() {
            (self.loss, nextLook) = (nil, nil)
        } else if isTimeToTry {
            nextLook = nil
            if !loss.isOfRoute { reachingSince = now }
        }
        return isReaching
    }

    /// Somebody has tried to reach the hosts that have answered.
    ///
    /// - Parameter last: When anything was heard last, of whomever.
    mutating func reached(_ isAnyThere: Bool, lastHeard last: SteadyTime, at now: SteadyTime) {
        guard let reachingSince else { return }
        self.reachingSince = nil
        if isAnyThere || last > reachingSince {
            if isLost { hosts.renewQuestions() }
            (loss, nextLook) = (nil, nil)
        } else if lose(ofRoute: hadRoute && !hasRoute(), at: now), let loss, !loss.isOfRoute,
            loss.pause == Self.probeInterval
        {
            // Others may be there: transfers try, until one of them fails.
            nextLook = nil
        }
    }

    /// Waits, but not for ever.
    private mutating func lose(ofRoute isOfRoute: Bool, at now: SteadyTime) -> Bool {
        var loss = loss
        if loss?.isOfRoute != isOfRoute { loss = nil }
        let pause =
            loss.map { min($0.pause * 2, Self.probeInterval) } ?? (isOfRoute ? Self.probeInterval : Self.firstPause)
        let since = loss?.since ?? now
        guard since.duration(to: now) < (isOfRoute ? Self.longestWait : Self.longestWaitForHosts) else {
            if isOfRoute { hadRoute = false } else { hosts = AnsweringHosts() }
            (self.loss, nextLook) = (nil, nil)
            return false
        }
        self.loss = Loss(since: since, isOfRoute: isOfRoute, nextProbe: now.advanced(by: pause), pause: pause)
        nextLook = now.advanced(by: Self.interval)
        return true
    }
}

extension TransferError {
    /// Whether a machine without a network sees this.
    var mayBeLostNetwork: Bool {
        switch self {
        case .unreachable, .timeout, .truncated: true
        default: false
        }
    }
}
