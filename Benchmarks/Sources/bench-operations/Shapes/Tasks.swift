protocol RunsTasks: Peer {
    /// Makes `count` tasks that do nothing, then waits for each.
    func tasks(_ count: Int) async
    /// Makes `count` tasks that do nothing, each after the one before is done.
    func taskByTask(_ count: Int) async
}

/// Asynchronous work that does nothing: many at once, or one after the other.
struct Tasks: Shape {
    let areTogether: Bool
    let sizes = [1_000, 10_000, 100_000]
    let quickSizes = [1_000]
    var kind: ShapeKind { areTogether ? .tasksTogether : .tasksOneByOne }
    var title: String { "empty tasks, \(areTogether ? "all at once" : "one after the other")" }

    func round(of peer: any Peer, size: Int) -> (() -> Double)? {
        guard let peer = peer as? any RunsTasks else { return nil }
        return {
            let time = timed {
                blocking { if areTogether { await peer.tasks(size) } else { await peer.taskByTask(size) } }
            }
            return time.nanoseconds / Double(size)
        }
    }
}
