/// What a client is about.
public struct TransferActivity: Hashable, Sendable {
    /// Transfers that run, or are about to.
    public internal(set) var running = 0
    /// Those that wait for their turn, for their host, or for another try.
    public internal(set) var waiting = 0
    /// Hosts that are left alone for a while, because they failed again and again or asked for it.
    public internal(set) var restingHosts = 0
    /// Those of them that were given up: they have failed after the longest rest, too.
    public internal(set) var givenUpHosts = 0
    /// Hosts that transfers run with at present, and that do not rest.
    public internal(set) var workingHosts = 0
    /// Whether nothing is begun because this machine has lost its network, see
    /// ``TransferClient/Configuration/waitsForConnectivity``.
    public internal(set) var isWaitingForConnectivity = false

    /// Nothing.
    public init() {}
}
