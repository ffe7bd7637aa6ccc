import OperationsTesting
import Testing

@testable import PhotoPipeline

@Suite struct ClockCacheTests {
    @Test("What was asked for stays, what was not goes first, in the order of arrival")
    func order() {
        var cache = ClockCache<Int, Int>(limit: 4)
        var evicted: [Int] = []
        for key in 0..<4 { cache.insert(key, for: key, cost: 1, evicted: &evicted) }
        _ = cache.value(for: 0)
        _ = cache.value(for: 2)
        for key in 4..<6 { cache.insert(key, for: key, cost: 1, evicted: &evicted) }
        #expect(evicted == [1, 3])
        // The marks are used up now.
        for key in 6..<8 { cache.insert(key, for: key, cost: 1, evicted: &evicted) }
        #expect(evicted == [1, 3, 0, 4])
    }

    @Test("What costs more than there is, is not kept, and takes nothing with it but its own former value")
    func tooLarge() {
        var cache = ClockCache<String, Int>(limit: 10)
        var evicted: [Int] = []
        cache.insert(1, for: "a", cost: 4, evicted: &evicted)
        cache.insert(2, for: "b", cost: 4, evicted: &evicted)
        cache.insert(3, for: "b", cost: 11, evicted: &evicted)
        #expect(evicted.sorted() == [2, 3])
        let (a, b) = (cache.value(for: "a"), cache.value(for: "b"))
        #expect(a == 1 && b == nil && cache.cost == 4 && cache.count == 1)
    }

    @Test("What costs too much goes, and the rest stays in its order")
    func removeAll() {
        var cache = ClockCache<Int, Int>(limit: 100)
        var evicted: [Int] = []
        for key in 0..<6 { cache.insert(key, for: key, cost: key.isMultiple(of: 2) ? 1 : 20, evicted: &evicted) }
        cache.removeAll(where: { !$0.isMultiple(of: 2) }, evicted: &evicted)
        #expect(evicted == [1, 3, 5])
        #expect(cache.cost == 3 && cache.count == 3)
        cache.setLimit(1, evicted: &evicted)
        #expect(evicted == [1, 3, 5, 0, 2])
    }

    @Test("Random use: the limit holds, costs add up, and a value is its key's", arguments: UInt64(1)...8)
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var cache = ClockCache<Int, (key: Int, cost: Int)>(limit: 1_000)
        var evictedCost = 0
        var insertedCost = 0
        for _ in 0..<5_000 {
            let key = Int.random(in: 0..<60, using: &random)
            var evicted: [(key: Int, cost: Int)] = []
            switch Int.random(in: 0..<10, using: &random) {
            case 0: cache.setLimit(Int.random(in: 0...1_500, using: &random), evicted: &evicted)
            case 1..<5:
                let cost = Int.random(in: 0...300, using: &random)
                insertedCost += cost
                cache.insert((key, cost), for: key, cost: cost, evicted: &evicted)
            default:
                let value = cache.value(for: key)
                #expect(value == nil || value?.key == key)
            }
            evictedCost += evicted.reduce(0) { $0 + $1.cost }
            #expect(cache.cost <= cache.limit)
            #expect(cache.cost == insertedCost - evictedCost)
        }
    }

    /// What a scripted person does with a list: reads on, looks back, flings away, comes back to the same places.
    private static func scroll(seed: UInt64) -> [Int] {
        var random = SeededRandom(seed: seed)
        let (rows, visible) = (10_000, 14)
        let favourites = (0..<12).map { _ in Int.random(in: 0..<rows, using: &random) }
        var shown: [Int] = []
        var top = 0
        func show(_ row: Int) {
            top = max(0, min(rows - visible, row))
            shown.append(contentsOf: top..<top + visible)
        }
        for _ in 0..<800 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9:
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    show(top + Int.random(in: 3...14, using: &random))
                }
            case 9..<14:
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    show(top - Int.random(in: 3...14, using: &random))
                }
            case 14..<16: show(top + Int.random(in: -1_500...1_500, using: &random))
            default: show(favourites.randomElement(using: &random) ?? 0)
            }
        }
        return shown
    }

    /// The share of rows that a policy has.
    private static func hits(_ rows: [Int], _ has: (Int) -> Bool) -> Double {
        Double(rows.count(where: has)) / Double(rows.count)
    }

    @Test("On a scripted scroll it has nearly what an order by last use has", arguments: [50, 200, 1_000])
    func scroll(size: Int) {
        let rows = Self.scroll(seed: 1)
        var cache = ClockCache<Int, Int>(limit: size)
        let clock = Self.hits(rows) { row in
            if cache.value(for: row) != nil { return true }
            var evicted: [Int] = []
            cache.insert(row, for: row, cost: 1, evicted: &evicted)
            return false
        }
        var used: [Int: Int] = [:]
        var time = 0
        let lastUse = Self.hits(rows) { row in
            time += 1
            defer { used[row] = time }
            if used[row] != nil { return true }
            if used.count == size, let oldest = used.min(by: { $0.value < $1.value }) { used[oldest.key] = nil }
            return false
        }
        print("scripted scroll, \(size) pictures: CLOCK \(clock), by last use \(lastUse)")
        #expect(clock > lastUse - 0.03)
        #expect(clock > 0.3)
    }
}
