import OperationsCore

/// Whether this machine has lost its network, as a plain value: where it had a default route, and has none any more.
///
/// A cable that is pulled, a wireless network that is gone, a VPN that ends and a laptop that wakes up are told by that, and not
/// what is broken beyond. A machine that has never had a default route reaches what it reaches, and loses nothing.
struct Connectivity {
    /// How often it is looked whether the route is back.
    static let interval = Duration.seconds(1)

    private let hasRoute: @Sendable () -> Bool
    private var hadRoute: Bool
    /// When to look again; nil while there is nothing to wait for.
    private(set) var nextLook: SteadyTime?

    /// - Parameter hasRoute: Whether there is a default route at present.
    init(_ hasRoute: @escaping @Sendable () -> Bool) {
        self.hasRoute = hasRoute
        hadRoute = hasRoute()
    }

    /// Whether the network is lost, so that nothing is worth beginning.
    var isLost: Bool { nextLook != nil }

    /// A transfer has failed as one does without a network. Says whether that is why.
    mutating func didFail(at now: SteadyTime) -> Bool {
        if isLost { return true }
        if hasRoute() {
            hadRoute = true
            return false
        }
        guard hadRoute else { return false }
        nextLook = now.advanced(by: Self.interval)
        return true
    }

    /// A host has answered, in this machine's neighbourhood perhaps: others there need not wait.
    mutating func hostAnswered() { nextLook = nil }

    /// Looks whether the route is back, where it is time for that.
    mutating func look(at now: SteadyTime) {
        guard let due = nextLook, now >= due else { return }
        nextLook = hasRoute() ? nil : now.advanced(by: Self.interval)
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
