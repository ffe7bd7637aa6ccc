protocol Reprioritises: Peer {
    /// Gives each of `count` queued blocks another priority, the last first. Returns the time of the changes alone.
    func reprioritise(_ count: Int) -> Duration
}

/// Changing the priority of queued blocks.
struct Reprioritising: Shape {
    let kind = ShapeKind.reprioritise
    let title = "reprioritise each of n"
    let sizeTitle = "queued"
    let sizes = [400, 4_000, 40_000]
    let quickSizes = [400, 4_000]

    func round(of peer: any Peer, size: Int) -> (() -> Double)? {
        guard let peer = peer as? any Reprioritises else { return nil }
        return { peer.reprioritise(size).nanoseconds / Double(size) }
    }
}
