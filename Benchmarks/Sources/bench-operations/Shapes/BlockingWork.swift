protocol RunsBlockingWork: Peer {
    /// Runs `count` blocks that each block their thread.
    func blocking(_ count: Int, width: Int, microseconds: UInt32)
}

/// Blocks that block their threads, as old code does; 0.2 s is the least that width 32 allows for 64 of them.
struct BlockingWork: Shape {
    let kind = ShapeKind.blocking
    let title = "blocking 0.1 s each, width 32"
    let sizes = [64]
    let quickSizes = [64]
    let unit = Unit.seconds

    func round(of peer: any Peer, size: Int) -> (() -> Double)? {
        guard let peer = peer as? any RunsBlockingWork else { return nil }
        return { timed { peer.blocking(size, width: 32, microseconds: 100_000) } / .seconds(1) }
    }
}
