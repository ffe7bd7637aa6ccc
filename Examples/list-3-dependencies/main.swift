// Chapter 3: download and filter are operations, and one depends on the other. `swift run list-3-dependencies`

import ListParts
import Operations
import Pixels

let server = PhotoServer()

// MARK: download
final class Download: Operation, @unchecked Sendable {
    let title: String
    /// Written by `main()` only, and read after the finish only.
    private(set) var picture: Picture?

    init(_ title: String) {
        self.title = title
        super.init()
        name = "Download \(title)"
    }

    override func main() { picture = server.picture(of: title) }
}

// MARK: filter
final class Filter: Operation, @unchecked Sendable {
    private let download: Download
    /// Written by `main()` only, and read after the finish only.
    private(set) var picture: Picture?

    init(_ download: Download) {
        self.download = download
        super.init()
        name = "Filter \(download.title)"
        addDependency(download)
    }

    override func main() {
        guard var picture = download.picture else { return }
        FilterChain.classic.apply(to: &picture.pixels)
        self.picture = picture
    }
}

// MARK: queues
let downloads = OperationQueue()
downloads.name = "Downloads"
downloads.maxConcurrentOperationCount = 3
let filters = OperationQueue()
filters.name = "Filters"
filters.maxConcurrentOperationCount = 1

@MainActor func load(_ title: String) -> Filter {
    let download = Download(title)
    let filter = Filter(download)
    downloads.addOperation(download)
    filters.addOperation(filter)
    return filter
}

// MARK: measure
let clock = ContinuousClock()
let alone = clock.measure {
    for title in photos {
        var picture = server.picture(of: title)
        FilterChain.classic.apply(to: &picture.pixels)
    }
}
print("One after the other: \(milliseconds(alone))")

let trace = OperationTrace(of: [downloads, filters])
let start = clock.now
for filter in photos.map(load) { await filter.untilFinished() }
print("In two queues: \(milliseconds(clock.now - start))")
try writeTimeline(trace)

// MARK: keys
let titles = Array(photos.prefix(4))
let loading = titles.map(load)
var byRow: [Int: Picture] = [:]
var byTitle: [String: Picture] = [:]
/// Somebody sorts the list while the photos are on their way.
let sorted = Array(titles.reversed())
for (row, filter) in loading.enumerated() {
    await filter.untilFinished()
    byRow[row] = filter.picture
    byTitle[titles[row]] = filter.picture
}
print("\nThe list was sorted while it loaded.")
for (row, title) in sorted.enumerated() {
    print("\(title): by row \(byRow[row]?.title ?? "nothing"), by title \(byTitle[title]?.title ?? "nothing")")
}
