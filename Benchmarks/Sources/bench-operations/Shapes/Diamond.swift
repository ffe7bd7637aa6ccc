protocol RunsDiamonds: Peer {
    /// Runs one block, then `count` that wait for it, then one that waits for them all.
    func diamond(_ count: Int)
}

/// One block, then many, then one.
struct Diamond: Shape {
    let kind = ShapeKind.diamond
    let title = "diamond 1-n-1"
    let sizes = [1_000, 4_000, 100_000, 1_000_000]
    let quickSizes = [1_000, 10_000]

    func round(of peer: any Peer, size: Int) -> (() -> Double)? {
        guard let peer = peer as? any RunsDiamonds else { return nil }
        return { timed { peer.diamond(size) }.nanoseconds / Double(size + 2) }
    }
}
