// Chapter 2: the work goes into the background. `swift run list-2-background`

import ListParts
import Operations
import Pixels

let server = PhotoServer()
var pictures: [String: Picture] = [:]
var requested: Set<String> = []

// MARK: load
let queue = OperationQueue()
queue.maxConcurrentOperationCount = 2

@MainActor func load(_ title: String) {
    queue.addOperation {
        var picture = server.picture(of: title)
        FilterChain.classic.apply(to: &picture.pixels)
        let finished = picture
        Task { @MainActor in pictures[title] = finished }
    }
}

// MARK: draw
/// Draws a row with what there is, and asks for the rest once.
@MainActor func draw(_ row: Int) -> Bool {
    let title = photos[row]
    if requested.insert(title).inserted { load(title) }
    return pictures[title] != nil
}

// MARK: scroll
let screen = Screen()
for frame in 0..<12 {
    let top = frame / 6
    await screen.frame(rows: top..<top + 4, draw: draw)
}
print(screen.summary)
