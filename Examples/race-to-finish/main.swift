// What starts when? Six races, each drawn from what its queue tells: `swift run race-to-finish`

import Foundation
import Operations

/// A column of the drawing, in seconds.
let tick = 0.03

func runner(_ name: String, _ ticks: Int) -> BlockOperation {
    let operation = BlockOperation { Thread.sleep(forTimeInterval: Double(ticks) * tick) }
    operation.name = name
    return operation
}

/// Adds the runners to a queue that stands still, lets it go, and draws a line for each runner.
func race(_ title: String, width: Int, rules: (OperationQueue, [BlockOperation]) -> Void) async {
    let runners = [runner("Ada", 4), runner("Ben", 3), runner("Cem", 5), runner("Dao", 2)]
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    queue.isSuspended = true
    let events = queue.events()
    rules(queue, runners)
    for runner in runners { queue.addOperation(runner) }
    queue.isSuspended = false

    var times: [String: [QueueEvent.Kind: Duration]] = [:]
    var left = runners.count
    for await event in events {
        times[event.operation.name ?? "", default: [:]][event.kind] = event.time
        if event.kind == .finished { left -= 1 }
        if left == 0 { break }
    }
    let start = times.values.compactMap { $0[.started] }.min() ?? .zero
    print("\n\(title)")
    for runner in runners {
        guard let name = runner.name, let time = times[name] else { continue }
        func column(_ kind: QueueEvent.Kind) -> Int? {
            time[kind].map { max(0, Int((($0 - start) / .seconds(tick)).rounded())) }
        }
        let finished = column(.finished) ?? 0
        let started = column(.started) ?? finished
        let ready = min(column(.ready) ?? started, started)
        let line =
            String(repeating: "·", count: ready) + String(repeating: "░", count: started - ready)
            + String(repeating: "█", count: finished - started) + (runner.isCancelled ? "✗" : "")
        print("  \(name)  \(line)")
    }
}

print("· waits for others   ░ ready, waits for a place   █ runs   ✗ was cancelled")

await race("One place: first come, first served", width: 1) { _, _ in }

await race("One place, and Dao is urgent", width: 1) { _, runners in
    runners[3].queuePriority = .veryHigh
}

await race("One place, newest first", width: 1) { queue, _ in
    queue.executionOrder = .lifo
}

await race("Two places", width: 2) { _, _ in }

await race("A place for everyone, but Dao waits for Ada and Ben", width: 4) { _, runners in
    runners[3].addDependency(runners[0])
    runners[3].addDependency(runners[1])
}

await race("One place, and Ben sends Cem home", width: 1) { _, runners in
    let cem = runners[2]
    runners[1].addExecutionBlock { cem.cancel() }
}
