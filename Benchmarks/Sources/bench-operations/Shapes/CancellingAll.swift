protocol CancelsAll: Peer {
    /// Cancels `count` blocks that have not started. Returns the time from cancelling to their release.
    func cancelAll(_ count: Int) -> Duration
}

/// Cancelling everything that is queued.
struct CancellingAll: Shape {
    let kind = ShapeKind.cancelAll
    let title = "cancel all of n"
    let sizeTitle = "queued"
    let sizes = [1_000, 10_000, 100_000, 1_000_000]
    let quickSizes = [1_000, 10_000]

    func round(of peer: any Peer, size: Int) -> (() -> Double)? {
        guard let peer = peer as? any CancelsAll else { return nil }
        return { peer.cancelAll(size).nanoseconds / Double(size) }
    }
}
