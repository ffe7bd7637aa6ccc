// Chapter 1: the list that blocks. `swift run list-1-blocking`

import ListParts
import Pixels

let server = PhotoServer()
var pictures: [String: Picture] = [:]

// MARK: load
@MainActor func load(_ row: Int) {
    var picture = server.picture(of: photos[row])
    FilterChain.classic.apply(to: &picture.pixels)
    pictures[photos[row]] = picture
}

// MARK: draw
/// Draws a row, and loads its photo first.
@MainActor func draw(_ row: Int) -> Bool {
    if pictures[photos[row]] == nil { load(row) }
    return true
}

// MARK: scroll
let screen = Screen()
for top in 0..<5 {
    await screen.frame(rows: top..<top + 4, draw: draw)
}
print(screen.summary)

// MARK: main thread
pictures = [:]
print("\nAgain, with the loading as tasks of the main thread:")
let second = Screen()
for top in 0..<5 {
    await second.frame(rows: top..<top + 4) { row in
        if pictures[photos[row]] != nil { return true }
        Task { @MainActor in load(row) }
        return false
    }
}
print(second.summary)
