// Chapter 7: operations for interfaces that call back. `swift run list-7-asynchronous`

import ListParts
import Operations

let server = PhotoServer()

// MARK: wrong
/// Begins a download in `main()`, and is finished when `main()` returns: before the picture is there.
final class HastyDownload: Operation, @unchecked Sendable {
    override func main() {
        server.requestPicture(of: "Dune") { _ in }
    }
}

// MARK: right
final class Download: AsyncOperation, @unchecked Sendable {
    private let title: String
    /// Written before the finish only, and read after it only.
    private(set) var picture: Picture?

    init(_ title: String) {
        self.title = title
        super.init()
    }

    override func execute() {
        server.requestPicture(of: title) { picture in
            self.picture = picture
            self.finish()
        }
    }
}

// MARK: compare
let queue = OperationQueue()
queue.maxConcurrentOperationCount = photos.count

let hasty = HastyDownload()
queue.addOperation(hasty)
await hasty.untilFinished()
print("main() with a callback: finished, and the server has answered \(server.answerCount) times")

let download = Download("Dune")
queue.addOperation(download)
await download.untilFinished()
print("AsyncOperation: finished, and the picture is of \(download.picture?.title ?? "nothing")")

// MARK: before the start
final class Reported: AsyncOperation, @unchecked Sendable {
    override func execute() { print("execute") }
    override func cancelExecution() {
        print("cancelExecution")
        finish()
    }
}

queue.isSuspended = true
let waiting = Reported()
queue.addOperation(waiting)
waiting.cancel()
print("\ncancelled before the start: finished \(waiting.isFinished)")
queue.isSuspended = false
await waiting.untilFinished()
print("the queue goes on: finished \(waiting.isFinished)")

let running = Reported()
queue.addOperation(running)
await wait { running.isExecuting }
running.cancel()
await running.untilFinished()
print("cancelled while it ran: finished \(running.isFinished)")

// MARK: threads
let clock = ContinuousClock()
let all = photos.map { Download($0) }
let start = clock.now
for download in all { queue.addOperation(download) }
for download in all { await download.untilFinished() }
print("\n\(all.count) downloads at once: \(milliseconds(clock.now - start))")
