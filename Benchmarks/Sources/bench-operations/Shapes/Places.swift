protocol RunsInPlaces: Peer {
    /// Runs `count` asynchronous closures that do nothing and waits for each, in whatever task is cheapest.
    func placeByPlace(_ count: Int) async
}

/// Asynchronous work that does nothing, each after the one before: ours in the caller's task, in a place of the width.
struct Places: Shape {
    let kind = ShapeKind.places
    let title = "empty closures in `run`, one after the other"
    let sizes = [1_000, 10_000, 100_000]
    let quickSizes = [1_000]

    func round(of peer: any Peer, size: Int) -> (() -> Double)? {
        guard let peer = peer as? any RunsInPlaces else { return nil }
        return { timed { blocking { await peer.placeByPlace(size) } }.nanoseconds / Double(size) }
    }
}
