// Chapter 8: failures, and trying again. `swift run list-8-failures`

import ListParts
import Operations
import OperationsTesting
import Synchronization

// MARK: server
enum Failure: Error {
    /// The server has no such photo. To ask again is no use.
    case notFound
    /// The server has too much to do. Later it may answer.
    case busy
}

/// Has no photo of the glacier, and is too busy for the first two requests for the dune.
final class UnreliableServer: Sendable {
    private let server = PhotoServer()
    private let attempts = Mutex<[String: Int]>([:])

    func picture(of title: String) throws -> Picture {
        let attempt = attempts.withLock { attempts in
            attempts[title, default: 0] += 1
            return attempts[title, default: 0]
        }
        print("  \(title), attempt \(attempt)")
        if title == "Glacier" { throw Failure.notFound }
        if title == "Dune", attempt < 3 { throw Failure.busy }
        return server.picture(of: title)
    }
}

// MARK: policy
let policy = RetryPolicy(attempts: 4, backoff: Backoff(initial: .seconds(10), jitter: 0)) { error in
    if case Failure.busy = error { true } else { false }
}

// MARK: load
let scheduler = SeededScheduler(seed: 1)
let downloads = scheduler.makeQueue()
let filters = scheduler.makeQueue()
let server = UnreliableServer()

@MainActor func load(_ title: String) -> (download: TaskOperation<Picture>, filter: TaskOperation<String>) {
    let download = downloads.addTask(retry: policy) { try server.picture(of: title) }
    let filter = download.then(on: filters) { picture in
        print("  \(picture.title) is filtered")
        return picture.title
    }
    return (download, filter)
}

// MARK: run
for title in ["Beach", "Glacier", "Dune"] {
    print("\(title):")
    let filter = load(title).filter
    let start = scheduler.clock.now
    scheduler.run()
    while !filter.isFinished {
        // Nobody waits for ten seconds here: the clock is moved.
        scheduler.clock.advance(by: .seconds(1))
        scheduler.run()
    }
    let time = start.duration(to: scheduler.clock.now)
    switch await filter.result {
    case .success: print("  shown after \(time)")
    case .failure(let error): print("  failed after \(time): \(error). Cancelled: \(filter.isCancelled)")
    }
}
