import Foundation
import Operations
import OperationsTesting
import PhotoBrowser
import PhotoPipeline
import Pixels

/// Somebody at the list, who does everything that one can do there, at random.
@MainActor struct Visit {
    private let list: PhotoList
    private var random: SeededRandom
    private var top = 0
    /// Photos opened in their own size.
    private var opened: ImageTask?
    private(set) var samples: [ResourceSample] = []
    private(set) var counts = Counts()
    private var wasShown: [Bool]
    private let start = ContinuousClock.now

    private static let screen = 24
    /// An eighth of a screen's frame: an hour becomes minutes.
    private static let frame = 0.002

    struct Counts: Codable {
        /// What the user did.
        var acts = 0
        /// How often a row on screen had its filtered picture when the user went on.
        var shown = 0
        /// How many of the addresses were on screen with their picture at least once.
        var distinct = 0
    }

    init(_ list: PhotoList, seed: UInt64) {
        self.list = list
        random = SeededRandom(seed: seed)
        wasShown = Array(repeating: false, count: list.catalog.count)
        samples.reserveCapacity(10_000)
    }

    mutating func browse(for time: Duration) {
        // What is made once, for the first search and the first order, is there from the start.
        list.arrangement = PhotoArrangement(order: .name, search: "a")
        wait(10) { !$0.isArranging }
        list.arrangement = PhotoArrangement()
        while ContinuousClock.now - start < time {
            act()
            rest()
            counts.acts += 1
        }
        opened?.cancel()
    }

    private mutating func act() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45: scroll(by: Int.random(in: -3...5, using: &random), frames: Int.random(in: 4...24, using: &random))
        case 45..<70: top = Int.random(in: 0..<max(1, list.count), using: &random)
        case 70..<80:
            scroll(by: Int.random(in: 20...400, using: &random), frames: Int.random(in: 10...40, using: &random))
        case 80..<87: list.look = randomLook()
        case 87..<91: search(Bool.random(using: &random) ? "" : "\(Int.random(in: 0..<1_000, using: &random))")
        case 91..<93:
            list.arrangement.order = PhotoArrangement.Order.allCases.randomElement(using: &random) ?? .catalog
            wait(10) { !$0.isArranging }
        case 93..<95: list.retryAllFailed()
        case 95..<97:
            list.isPaused = true
            scroll(by: 2, frames: 5)
            list.isPaused = false
        default: open()
        }
    }

    private mutating func scroll(by rows: Int, frames: Int) {
        list.isScrolling = abs(rows) > 0
        for _ in 0..<frames {
            top = min(max(0, top + rows), max(0, list.count - Self.screen))
            list.visibleRowsChanged(top..<top + Self.screen)
            runLoop(Self.frame)
        }
        list.isScrolling = false
    }

    private mutating func search(_ text: String) {
        list.arrangement.search = text
        wait(10) { !$0.isArranging }
        top = 0
    }

    private mutating func randomLook() -> PhotoLook {
        let look = Look.allCases.randomElement(using: &random) ?? .moon
        let chain = Bool.random(using: &random) ? "look(\(look.rawValue))" : "sepia(80%) blur(1px)"
        guard let filter = try? FilterChain(parsing: chain) else { return .classic }
        return PhotoLook(filter, intensity: Bool.random(using: &random) ? 1 : 0.5)
    }

    /// The large view: in the size that the photo was published in, over whatever was open before.
    private mutating func open() {
        guard list.count > 0 else { return }
        opened?.cancel()
        let row = min(top + Int.random(in: 0..<Self.screen, using: &random), list.count - 1)
        guard case .success(var request) = list.request(for: list.photo(atRow: row), longestSide: nil) else { return }
        request.priority = .high
        opened = list.pipeline.imageTask(for: request)
    }

    /// Looks at the screen until everything is there, or not so long.
    private mutating func rest() {
        let rows = top..<min(list.count, top + Self.screen)
        list.visibleRowsChanged(rows)
        let patience = Bool.random(using: &random) ? 1 : Double.random(in: 0...0.1, using: &random)
        wait(patience) { list in
            rows.allSatisfy { row in
                switch list[list.photo(atRow: row)].state {
                case .filtered, .failed: true
                default: false
                }
            }
        }
        for row in rows {
            let photo = list.photo(atRow: row)
            guard list[photo].state == .filtered else { continue }
            counts.shown += 1
            if !wasShown[photo.index] {
                wasShown[photo.index] = true
                counts.distinct += 1
            }
        }
    }

    private mutating func wait(_ seconds: Double, until isDone: (PhotoList) -> Bool) {
        let end = ContinuousClock.now + .seconds(seconds)
        repeat { runLoop(Self.frame) } while !isDone(list) && ContinuousClock.now < end
    }

    private mutating func runLoop(_ seconds: Double) {
        RunLoop.current.run(until: Date(timeIntervalSinceNow: seconds))
        let passed = (ContinuousClock.now - start) / .seconds(1)
        guard passed >= Double(samples.count + 1) else { return }
        samples.append(
            ResourceSample(
                seconds: passed, shown: counts.shown, distinct: counts.distinct,
                imageMegabytes: Double(list.imageBytes) / 1e6))
    }
}
