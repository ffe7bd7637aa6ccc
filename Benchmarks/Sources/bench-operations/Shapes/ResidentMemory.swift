protocol HoldsWork: Peer {
    /// Queues `count` blocks that cannot start, calls `look`, and lets them run.
    func hold(_ count: Int, whileHeld look: () -> Void)
}

/// The memory that a queued block keeps resident.
struct ResidentMemory: Shape {
    let kind = ShapeKind.resident
    let title = "resident memory of a queued block"
    let sizes = [200_000]
    let quickSizes = [200_000]
    let unit = Unit.bytesEach
    let isMeasuredColdOnly = true

    func round(of peer: any Peer, size: Int) -> (() -> Double)? {
        guard let peer = peer as? any HoldsWork else { return nil }
        return {
            // What a library sets up at its first use is no operation's.
            peer.hold(100) {}
            let before = residentBytes()
            var after = before
            peer.hold(size) { after = residentBytes() }
            return Double(after - before) / Double(size)
        }
    }
}
