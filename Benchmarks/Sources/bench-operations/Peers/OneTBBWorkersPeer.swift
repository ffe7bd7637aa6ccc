import COneTBB

/// oneTBB's flow graph where the caller only hands work over, as it does to a queue.
struct OneTBBWorkersPeer: Peer {
    let name = "oneTBB workers"
    let limits: [ShapeKind: Limit] = [:]
    let remarks: [ShapeKind: String] = [
        .independent: "the caller only hands over, as to a queue; the goal is about the other"
    ]
}

extension OneTBBWorkersPeer: RunsIndependentWork {
    func independent(_ count: Int, width: Int) { onetbb_independent_outside(Int32(count), Int32(width)) }
}
