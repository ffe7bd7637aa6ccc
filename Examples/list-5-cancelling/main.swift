// Chapter 5: what scrolls away is cancelled. `swift run list-5-cancelling`

import ListParts
import Operations
import Pixels

// MARK: operation
final class Load: Operation, @unchecked Sendable {
    let title: String
    private let server: PhotoServer
    /// Written by `main()` only, and read after the finish only.
    private(set) var picture: Picture?

    init(_ title: String, from server: PhotoServer) {
        self.title = title
        self.server = server
        super.init()
        name = "Load \(title)"
    }

    override func main() {
        var picture = server.picture(of: title)
        // The download took a while; the row may be gone by now.
        guard !isCancelled else { return }
        FilterChain.classic.apply(to: &picture.pixels)
        self.picture = picture
    }
}

// MARK: list
@MainActor final class PhotoList {
    let server = PhotoServer()
    let queue = OperationQueue()
    /// What was asked for and is not cancelled, by title.
    var loads: [String: Load] = [:]

    init(name: String) {
        queue.name = name
        queue.maxConcurrentOperationCount = 2
    }

    func show(_ rows: Range<Int>) {
        for title in photos[rows] where loads[title] == nil {
            let load = Load(title, from: server)
            loads[title] = load
            queue.addOperation(load)
        }
    }

    /// Waits until the rows have what they will get, and returns how many have a picture.
    func settle(_ rows: Range<Int>) async -> Int {
        for title in photos[rows] { await loads[title]?.untilFinished() }
        return photos[rows].filter { loads[$0]?.picture != nil }.count
    }
}

// MARK: cancel
extension PhotoList {
    /// Cancels what is not on screen, and forgets it, so that it can be asked for again.
    func leaveAll(but rows: Range<Int>) {
        for (title, load) in loads where !load.isFinished && !photos[rows].contains(title) {
            load.cancel()
            loads[title] = nil
        }
    }
}

// MARK: scroll
/// Jumps from the top to the end while the first two photos are on their way.
@MainActor func scroll(_ list: PhotoList, _ title: String, leave: (PhotoList, Range<Int>) -> Void) async {
    let clock = ContinuousClock()
    list.show(0..<2)
    await wait { photos[0..<2].allSatisfy { list.loads[$0]?.executionState ?? .pending >= .executing } }
    let start = clock.now
    // Nothing else starts before the jump is over, so that each run counts the same.
    list.queue.isSuspended = true
    list.show(0..<4)
    for rows in [4..<8, 8..<12] {
        leave(list, rows)
        list.show(rows)
    }
    list.queue.isSuspended = false
    _ = await list.settle(8..<12)
    let time = clock.now - start
    print("\(title): the last rows took \(milliseconds(time)); \(list.server.answerCount) photos were downloaded")
}

let (patient, brisk) = (PhotoList(name: "Kept"), PhotoList(name: "Cancelled"))
let trace = OperationTrace(of: [patient.queue, brisk.queue])
await scroll(patient, "nothing is cancelled") { _, _ in }
await scroll(brisk, "rows that left are cancelled") { $0.leaveAll(but: $1) }
try writeTimeline(trace)

// MARK: back
brisk.show(0..<4)
print("\nback at the top: \(await brisk.settle(0..<4)) of 4 rows have a picture")

let forgetful = PhotoList(name: "Stages are kept")
forgetful.queue.isSuspended = true
forgetful.show(0..<4)
for load in forgetful.loads.values { load.cancel() }
forgetful.queue.isSuspended = false
forgetful.show(0..<4)
print("cancelled, but kept in the table: \(await forgetful.settle(0..<4)) of 4 rows have a picture")
