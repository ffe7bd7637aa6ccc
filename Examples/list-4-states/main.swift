// Chapter 4: the states of an operation, and those of a photo. `swift run list-4-states`

import ListParts
import Operations

let server = PhotoServer()

/// Every state that an operation goes through, from now to its end.
func path(of operation: Operation) -> Task<String, Never> {
    let states = operation.states
    return Task {
        var names: [String] = []
        for await state in states { names.append("\(state)") }
        return names.joined(separator: ", ")
    }
}

// MARK: operations
let queue = OperationQueue()
queue.isSuspended = true

let download = BlockOperation { _ = server.picture(of: "Dune") }
let filter = BlockOperation {}
let unwanted = BlockOperation { print("this is never printed") }
filter.addDependency(download)

let paths = [path(of: download), path(of: filter), path(of: unwanted)]
for operation in [filter, download, unwanted] { queue.addOperation(operation) }

// MARK: cancel
unwanted.cancel()
print("cancelled: \(unwanted.isCancelled), finished: \(unwanted.isFinished)")
queue.isSuspended = false
for (name, path) in zip(["download", "filter", "unwanted"], paths) {
    print("\(name): \(await path.value)")
}
print("cancelled: \(unwanted.isCancelled), finished: \(unwanted.isFinished)")

// MARK: photo
/// What the list knows of a photo. Only the main thread changes it.
enum PhotoState {
    case new, loading, loaded, failed
}

struct Missing: Error {}

var states = Dictionary(uniqueKeysWithValues: photos.map { ($0, PhotoState.new) })

/// Draws a row. It asks for a photo only where the state is `new`.
@MainActor func draw(_ title: String) -> Operation? {
    guard states[title] == .new else { return nil }
    states[title] = .loading
    let download = BlockOperation()
    download.addExecutionBlock { [unowned download] in
        if title == "Canyon" { download.fail(Missing()) } else { _ = server.picture(of: title) }
    }
    queue.addOperation(download)
    return download
}

// MARK: draw
let before = server.answerCount
for frame in 1...3 {
    for title in photos.prefix(3) {
        guard let download = draw(title) else { continue }
        await download.untilFinished()
        // Finished does not mean that it went well.
        states[title] = download.error == nil ? .loaded : .failed
    }
    print("frame \(frame):", photos.prefix(3).map { "\($0) \(states[$0] ?? .new)" }.joined(separator: ", "))
}
print("\(server.answerCount - before) requests for three frames of three rows")
