protocol RunsChains: Peer {
    /// Runs `count` blocks that do nothing, each after the one before.
    func chain(_ count: Int)
}

/// Blocks of which each waits for the one before.
struct Chain: Shape {
    let kind = ShapeKind.chain
    let title = "chain"
    let sizes = [1_000, 4_000, 100_000, 1_000_000]
    let quickSizes = [1_000, 10_000]

    func round(of peer: any Peer, size: Int) -> (() -> Double)? {
        guard let peer = peer as? any RunsChains else { return nil }
        return { timed { peer.chain(size) }.nanoseconds / Double(size) }
    }
}
