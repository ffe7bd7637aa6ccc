/// Child tasks of a group.
struct TaskGroupPeer: Peer {
    let name = "task group"
    let limits: [ShapeKind: Limit] = [
        .chain: .never("children cannot wait for one another"),
        .besideBlocked: .never("children cannot wait for one another"),
        .reprioritise: .never("a task's priority rises by escalation only"),
        .cancelAll: .never("cancelling a task does not keep it from running"),
        .blocking: .never("would block the pool's threads, one for each processor"),
        .resident: .never("a child is a task, see there"),
    ]
    let remarks: [ShapeKind: String] = [.independent: "waits for one child before adding the next beyond the width"]
}

extension TaskGroupPeer: RunsIndependentWork {
    func independent(_ count: Int, width: Int) {
        blocking {
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<count {
                    if index >= width { await group.next() }
                    group.addTask {}
                }
            }
        }
    }
}

extension TaskGroupPeer: RunsDiamonds {
    func diamond(_ count: Int) {
        blocking {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {}
                await group.waitForAll()
                for _ in 0..<count { group.addTask {} }
                await group.waitForAll()
                group.addTask {}
            }
        }
    }
}

extension TaskGroupPeer: RunsTasks {
    func tasks(_ count: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask {} }
        }
    }

    func taskByTask(_ count: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {}
                await group.next()
            }
        }
    }
}
