protocol RunsBesideBlocked: Peer {
    /// Runs `count` blocks beside `blocked` ones that wait for something that has not started.
    /// Returns the time from making the free blocks to their end, without that of the blocked ones.
    func besideBlocked(_ count: Int, blocked: Int) -> Duration
}

/// Free blocks in a queue where many others are blocked.
struct BesideBlocked: Shape {
    let kind = ShapeKind.besideBlocked
    let title = "2,000 free beside blocked ones"
    let sizeTitle = "blocked"
    let sizes = [400, 4_000, 40_000]
    let quickSizes = [400, 4_000]
    private let free = 2_000

    func round(of peer: any Peer, size: Int) -> (() -> Double)? {
        guard let peer = peer as? any RunsBesideBlocked else { return nil }
        return { peer.besideBlocked(free, blocked: size).nanoseconds / Double(free) }
    }
}
