/// One way of running work: ours, and those that it is measured beside.
///
/// What a peer can do is told by the shapes' protocols (`RunsChains` and so on) that it conforms to. Their methods
/// return when the work is done and everything made for it has been released.
protocol Peer: Sendable {
    var name: String { get }

    /// Where the peer takes no part, or only to a size, and why; printed below the table.
    var limits: [ShapeKind: Limit] { get }

    /// What a reader must know to compare the peer with the rest; printed below the table too.
    var remarks: [ShapeKind: String] { get }
}

extension Peer {
    var remarks: [ShapeKind: String] { [:] }
}

/// The largest size of a shape that a peer is given.
struct Limit: Sendable {
    let size: Int
    let reason: String

    static func upTo(_ size: Int, _ reason: String) -> Limit { Limit(size: size, reason: reason) }
    static func never(_ reason: String) -> Limit { Limit(size: -1, reason: reason) }
}

/// Every peer, ours first: the rest is compared with it.
let peers: [any Peer] = [
    OurPeer(), FoundationPeer(), DispatchPeer(), TaskPeer(), TaskGroupPeer(), OneTBBPeer(), OneTBBWorkersPeer(),
]
