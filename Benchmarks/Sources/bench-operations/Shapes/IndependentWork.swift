protocol RunsIndependentWork: Peer {
    /// Runs `count` blocks that do nothing, each handed over as soon as it is made.
    func independent(_ count: Int, width: Int)
}

/// Blocks that do nothing and wait for nothing.
struct IndependentWork: Shape {
    let width: Int
    let kind = ShapeKind.independent
    let sizes = [1_000, 10_000, 100_000, 1_000_000]
    let quickSizes = [1_000, 10_000]
    var title: String { "independent, width \(width)" }

    func round(of peer: any Peer, size: Int) -> (() -> Double)? {
        guard let peer = peer as? any RunsIndependentWork else { return nil }
        return { timed { peer.independent(size, width: width) }.nanoseconds / Double(size) }
    }
}
