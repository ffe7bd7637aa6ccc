// Chapter 9: tests that try many orders, and repeat the one that fails. `swift run list-9-testing`

import ListParts
import Operations
import OperationsTesting
import Synchronization

// MARK: subject
/// The stages of two photos. Where it forgets the dependency, a filter may run before its download.
struct Stages {
    let log = Log()

    func load(_ title: String, downloads: OperationQueue, filters: OperationQueue, forgets: Bool) {
        let download = BlockOperation { log.note("download \(title)") }
        let filter = BlockOperation { log.note("filter \(title)") }
        if !forgets { filter.addDependency(download) }
        filters.addOperation(filter)
        downloads.addOperation(download)
    }
}

/// What happened, in order.
final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    func note(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

// MARK: test
/// Runs the stages in the order that a seed decides, and returns what happened.
func order(seed: UInt64, forgets: Bool) -> [String] {
    let scheduler = SeededScheduler(seed: seed)
    let (downloads, filters) = (scheduler.makeQueue(), scheduler.makeQueue())
    let stages = Stages()
    for title in ["Dune", "Lake"] {
        stages.load(title, downloads: downloads, filters: filters, forgets: forgets)
    }
    scheduler.run()
    return stages.log.all
}

/// What the test demands: no photo is filtered before it was downloaded.
func isRight(_ order: [String]) -> Bool {
    ["Dune", "Lake"].allSatisfy { title in
        let (download, filter) = (order.firstIndex(of: "download \(title)"), order.firstIndex(of: "filter \(title)"))
        guard let download, let filter else { return false }
        return download < filter
    }
}

// MARK: search
let seeds = 0..<100 as Range<UInt64>
for forgets in [true, false] {
    let failing = seeds.filter { !isRight(order(seed: $0, forgets: forgets)) }
    print("\(forgets ? "without" : "with") the dependency: \(failing.count) of \(seeds.count) orders are wrong")
}

// MARK: repeat
if let seed = seeds.first(where: { !isRight(order(seed: $0, forgets: true)) }) {
    print("\nseed \(seed):", order(seed: seed, forgets: true).joined(separator: ", "))
    print("again: ", order(seed: seed, forgets: true).joined(separator: ", "))
}

// MARK: clock
let scheduler = SeededScheduler(seed: 0)
let queue = scheduler.makeQueue()
let slow = queue.addTask(limits: TimeLimits(total: .seconds(30))) {
    try await scheduler.clock.sleep(for: .seconds(60))
}
scheduler.run()
scheduler.clock.advance(by: .seconds(29))
scheduler.run()
print("\nafter 29 s: finished \(slow.isFinished)")
scheduler.clock.advance(by: .seconds(1))
scheduler.run()
print("after 30 s: finished \(slow.isFinished).", slow.error.map { "\($0)" } ?? "")
