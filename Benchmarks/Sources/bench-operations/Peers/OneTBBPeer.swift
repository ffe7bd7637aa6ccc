import COneTBB

/// oneTBB's flow graph, through a small C++ target.
struct OneTBBPeer: Peer {
    let name = "oneTBB"
    let limits: [ShapeKind: Limit] = [
        .reprioritise: .never("a node keeps its priority"),
        .tasksTogether: .never("runs no Swift tasks"),
        .tasksOneByOne: .never("runs no Swift tasks"),
    ]
    let remarks: [ShapeKind: String] = [
        .independent: "the caller takes a slot of the width, so that at width 1 it runs everything itself"
    ]
}

extension OneTBBPeer: RunsIndependentWork {
    func independent(_ count: Int, width: Int) { onetbb_independent(Int32(count), Int32(width)) }
}

extension OneTBBPeer: RunsChains {
    func chain(_ count: Int) { onetbb_chain(Int32(count)) }
}

extension OneTBBPeer: RunsDiamonds {
    func diamond(_ count: Int) { onetbb_diamond(Int32(count)) }
}

extension OneTBBPeer: RunsBesideBlocked {
    func besideBlocked(_ count: Int, blocked: Int) -> Duration {
        .nanoseconds(onetbb_beside_blocked(Int32(count), Int32(blocked)))
    }
}

extension OneTBBPeer: CancelsAll {
    func cancelAll(_ count: Int) -> Duration { .nanoseconds(onetbb_cancel(Int32(count))) }
}

extension OneTBBPeer: RunsBlockingWork {
    func blocking(_ count: Int, width: Int, microseconds: UInt32) {
        onetbb_blocking(Int32(count), Int32(width), microseconds)
    }
}

extension OneTBBPeer: HoldsWork {
    func hold(_ count: Int, whileHeld look: () -> Void) {
        withoutActuallyEscaping(look) { look in
            withUnsafePointer(to: look) { pointer in
                onetbb_hold(
                    Int32(count), { $0?.assumingMemoryBound(to: (() -> Void).self).pointee() },
                    UnsafeMutableRawPointer(mutating: pointer))
            }
        }
    }
}
