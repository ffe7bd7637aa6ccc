import OperationsCore

/// Whether this machine has lost its network, as a plain value: where it had a default route, and has none any more.
///
/// A cable that is pulled, a wireless network that is gone and a laptop that wakes up are told by that, and not what is broken
/// beyond. A machine that has never had a default route reaches what it reaches, and loses nothing. Where
/// routes are kept elsewhere, as some VPNs do, all may be well without one: now and then transfers try, and an answer to one says so.
struct Connectivity {
    /// How often it is looked whether the route is back.
    static let interval = Duration.seconds(1)
    /// After so long without one, transfers try.
    static let probeInterval = Duration.seconds(30)
    /// After so long a machine counts as one that has none.
    static let longestWait = Duration.seconds(86_400)

    private let hasRoute: @Sendable () -> Bool
    private var hadRoute: Bool
    /// Since when there is none; nil while nothing is lost.
    private var lostSince: SteadyTime?
    private var nextProbe: SteadyTime?
    /// When to look again; nil where nothing is waited for.
    private(set) var nextLook: SteadyTime?

    /// - Parameter hasRoute: Whether there is a default route at present.
    init(_ hasRoute: @escaping @Sendable () -> Bool) {
        self.hasRoute = hasRoute
        hadRoute = hasRoute()
    }

    /// Whether there is no route where there was one, also while transfers try.
    var isLost: Bool { lostSince != nil }

    /// Whether nothing is to be begun.
    var isWaiting: Bool { nextLook != nil }

    /// A transfer has failed as one does without a network. Says whether that is why.
    mutating func didFail(at now: SteadyTime) -> Bool {
        if isWaiting { return true }
        if hasRoute() {
            lostSince = nil
            hadRoute = true
            return false
        }
        guard hadRoute else { return false }
        let since = lostSince ?? now
        guard since.duration(to: now) < Self.longestWait else {
            giveUp()
            return false
        }
        lostSince = since
        nextLook = now.advanced(by: Self.interval)
        nextProbe = now.advanced(by: Self.probeInterval)
        return true
    }

    /// A host has answered a transfer that began at a time. Where that was after the loss, nothing is lost.
    mutating func hostAnswered(_ begun: SteadyTime) {
        if let lostSince, begun > lostSince { giveUp() }
    }

    /// Looks whether the route is back, or it is time to try without, where it is time for that.
    mutating func look(at now: SteadyTime) {
        guard let due = nextLook, now >= due else { return }
        nextLook = now.advanced(by: Self.interval)
        if hasRoute() {
            (lostSince, nextLook) = (nil, nil)
        } else if let nextProbe, now >= nextProbe {
            nextLook = nil
        }
    }

    /// There need be no default route.
    private mutating func giveUp() {
        hadRoute = false
        (lostSince, nextLook) = (nil, nil)
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
