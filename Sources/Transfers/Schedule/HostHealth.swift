/// Whether a host answers, and when it may be asked again: a circuit breaker, as a plain value.
///
/// A host that fails several times in a row rests: a second, then two, and so on up to the patience. After each rest one
/// transfer tries it. The host is given up when it still fails after a rest of the whole patience, and is tried again each
/// time that the patience has passed. One answer makes it as good as any other.
struct HostHealth {
    /// What a transfer says about its host.
    enum Sign: Hashable, Sendable {
        /// The host is there, be its answer welcome or not.
        case answered
        /// Nobody answered in time, or the host says that it is busy or broken, and perhaps (`Retry-After`) for how long.
        case failed(TransferError, retryAfter: Duration? = nil)
        /// Nothing: the transfer was cancelled, or failed for reasons of its own.
        case none
    }

    /// How many failures in a row are no reason to rest. Addresses may be broken while their host is well.
    private static let tolerated = 2
    /// The longest rest that a host has for the asking: one answer of one address, perhaps by mistake, is not to speak for all of it for
    /// years. Whoever got that answer is told the whole time.
    private static let longestNamedRest = Duration.seconds(3_600)
    /// The first rest.
    private static let firstRest = Duration.seconds(1)

    /// When the rest is over; in the past where there is none.
    private(set) var restEnd = Duration.zero
    /// Whether the host itself has named that time.
    private(set) var isNamed = false
    /// Whether it has had its chances.
    private(set) var isGivenUp = false
    /// Which rest is the current one. What was begun before it says nothing about how the host is after it.
    private(set) var epoch: UInt32 = 0
    /// What it failed with last.
    private(set) var failure = TransferError.unreachable("")
    /// Whether it has answered, and has not failed since.
    private(set) var hasAnswered: Bool
    private var failures: Int32 = 0
    private var lastRest = Duration.zero

    /// - Parameter answers: Whether it counts as one that has answered.
    init(answers: Bool = false) { hasAnswered = answers }

    /// Whether only one transfer may try it.
    var isOnProbation: Bool { lastRest > .zero }

    /// Whether it is as a host of which nothing is known.
    func isUnsuspected(at now: Duration) -> Bool { failures == 0 && !isOnProbation && restEnd <= now }

    /// A transfer has ended that was begun in an epoch.
    ///
    /// - Returns: Whether that began a rest, or made one longer.
    mutating func note(_ sign: Sign, of begun: UInt32, at now: Duration, patience: Duration) -> Bool {
        switch sign {
        case .none: return false
        case .answered:
            failures = 0
            hasAnswered = true
            lastRest = .zero
            isGivenUp = false
            // What the host has asked for holds.
            if !isNamed { restEnd = min(restEnd, now) }
            return false
        case .failed(let error, let named):
            failure = error
            hasAnswered = false
            let named = named.map { min($0, Self.longestNamedRest) }
            guard begun == epoch else {
                guard let named, now + named > restEnd else { return false }
                restEnd = now + named
                isNamed = true
                return true
            }
            failures += 1
            return rest(named, from: now, patience: patience)
        }
    }

    private mutating func rest(_ named: Duration?, from now: Duration, patience: Duration) -> Bool {
        let isDue = patience > .zero && (isOnProbation || failures > Self.tolerated)
        guard isDue || named != nil else { return false }
        let own = isDue ? min(patience, isOnProbation ? lastRest * 2 : Self.firstRest) : .zero
        let length = max(own, named ?? .zero)
        // A host that asks for more than the patience has said all there is to know.
        isGivenUp = isDue && lastRest >= patience && length <= patience
        if patience > .zero { lastRest = min(patience, length) }
        restEnd = now + length
        isNamed = length == named
        epoch &+= 1
        return true
    }
}
