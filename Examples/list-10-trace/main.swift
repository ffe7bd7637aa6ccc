// Chapter 10: reading the trace. `swift run list-10-trace trace.json`

import Foundation
import ListParts
import Operations

let server = PhotoServer()

/// Stands for work that keeps its thread for a time, in seconds.
func work(for time: TimeInterval) { Thread.sleep(forTimeInterval: time) }

// MARK: list
/// Loads twelve photos, each in three stages, and returns how long that took.
func load(width: Int, filterTime: TimeInterval, into trace: ([OperationQueue]) -> Void) async throws -> Duration {
    let stages = ["Downloads", "Filters", "Saves"].map { name in
        let queue = OperationQueue()
        (queue.name, queue.maxConcurrentOperationCount) = (name, name == "Downloads" ? width : 1)
        return queue
    }
    trace(stages)
    let start = ContinuousClock.now
    let saves = photos.map { title in
        let download = stages[0].addTask(name: "Download \(title)") { server.picture(of: title) }
        let filter = download.then(on: stages[1], name: "Filter \(title)") { picture in
            work(for: filterTime)
            return picture
        }
        return filter.then(on: stages[2], name: "Save \(title)") { _ in work(for: 0.005) }
    }
    for save in saves { try await save.value }
    return ContinuousClock.now - start
}

// MARK: trace
var trace: OperationTrace?
let before = try await load(width: 2, filterTime: 0.01) { trace = OperationTrace(of: $0) }
print("2 downloads at once: \(milliseconds(before))")
if let trace { try writeTimeline(trace) }

// MARK: change
let filters = try await load(width: 2, filterTime: 0.005) { _ in }
print("the filter is twice as fast: \(milliseconds(filters))")
let downloads = try await load(width: 4, filterTime: 0.01) { _ in }
print("4 downloads at once: \(milliseconds(downloads))")
