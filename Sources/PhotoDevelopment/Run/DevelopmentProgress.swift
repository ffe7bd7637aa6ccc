/// How far a development has come.
public struct DevelopmentProgress: Hashable, Sendable {
    /// The entries of the catalog.
    public let total: Int
    /// The photos that were written, in this run.
    public internal(set) var filtered = 0
    /// Those of them whose data is damaged, and that were kept all the same.
    public internal(set) var damaged = 0
    /// The photos that were left alone because their file is there already.
    public internal(set) var skipped = 0
    /// The photos that failed in this run.
    public internal(set) var failed = 0
    /// The photos that earlier runs into the same folder wrote, and this one left alone.
    public internal(set) var filteredEarlier = 0
    /// The photos that failed in earlier runs, and were not tried again.
    public internal(set) var failedEarlier = 0
    /// The photos whose bytes another one had brought before, which is known by ``DevelopmentOptions/comparesContents``; they share that
    /// one's picture, and count among the others as what came of it.
    public internal(set) var repeated = 0
    /// The bytes that finished photos received.
    public internal(set) var bytes = 0
    /// The photos that wait at present for their turn, for their host, or for another try.
    public internal(set) var waiting = 0
    /// The hosts that are left alone at present, because they failed again and again or asked for it.
    public internal(set) var restingHosts = 0
    /// Whether nothing is fetched at present because this machine has lost its network.
    public internal(set) var isWaitingForConnectivity = false

    init(total: Int) {
        self.total = total
    }

    /// The photos that failed, in this run or before.
    public var failures: Int { failed + failedEarlier }

    /// The photos that are done, one way or another.
    public var done: Int { filtered + skipped + failed + filteredEarlier + failedEarlier }
}
