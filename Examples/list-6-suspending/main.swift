// Chapter 6: nothing starts while the list scrolls. `swift run list-6-suspending`

import ListParts
import Operations

// MARK: list
@MainActor final class PhotoList {
    let server = PhotoServer()
    let downloads = OperationQueue()
    private var loads: [String: Operation] = [:]

    init(name: String) {
        downloads.name = name
        downloads.maxConcurrentOperationCount = 2
    }

    /// Asks for the rows on screen, and cancels what has left it.
    func show(_ rows: Range<Int>) {
        for (title, load) in loads where !load.isFinished && !photos[rows].contains(title) {
            load.cancel()
            loads[title] = nil
        }
        for title in photos[rows] where loads[title] == nil {
            let load = BlockOperation { [server] in _ = server.picture(of: title) }
            load.name = "Load \(title)"
            loads[title] = load
            downloads.addOperation(load)
        }
    }

    /// Waits until all rows that were asked for are loaded.
    func settle() async {
        for load in loads.values { await load.untilFinished() }
    }
}

// MARK: fling
/// Scrolls by two rows in each frame, and rests at the end.
@MainActor func fling(_ list: PhotoList) async {
    for top in stride(from: 0, through: 8, by: 2) {
        list.show(top..<top + 4)
        try? await Task.sleep(for: .seconds(1) / 60)
    }
}

// MARK: suspend
let eager = PhotoList(name: "Always on")
let calm = PhotoList(name: "Suspended")
let trace = OperationTrace(of: [eager.downloads, calm.downloads])

await fling(eager)
await eager.settle()
print("always on: \(eager.server.answerCount > 4 ? "more than 4" : "4") photos were downloaded, for 4 rows at rest")

calm.downloads.isSuspended = true
await fling(calm)
print("while it scrolls: \(calm.server.answerCount) downloaded, \(calm.downloads.operationCount) in the queue")
let cancelled = calm.downloads.operations.filter(\.isCancelled).count
print("of those in the queue, \(cancelled) are cancelled and wait for the queue")

calm.downloads.isSuspended = false
await calm.settle()
print("at rest: \(calm.server.answerCount) downloaded, \(calm.downloads.operationCount) in the queue")
try writeTimeline(trace)

// MARK: running
let list = PhotoList(name: "Suspended too late")
list.show(0..<2)
let first = list.downloads.operations
await wait { first.allSatisfy { $0.executionState >= .executing } }
list.downloads.isSuspended = true
list.show(0..<4)
await wait { list.server.answerCount == 2 }
print("\nsuspended while two downloads run: \(list.server.answerCount) end all the same")
list.downloads.isSuspended = false
await list.settle()
