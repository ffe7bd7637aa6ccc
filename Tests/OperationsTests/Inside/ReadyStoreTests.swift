import OperationsTesting
import Testing

@testable import OperationsCore

/// The store against a list that is sorted anew each time.
@Suite struct ReadyStoreTests {
    private final class Item: ReadyElement {
        let sequence: UInt64
        var storePlace = StorePlace.none {
            didSet { moves += 1 }
        }
        var moves = 0
        var level: UInt8 = 0
        init(_ sequence: UInt64) { self.sequence = sequence }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func behavesAsASortedList(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let items = (0..<400).map { Item(UInt64($0)) }
        var store = ReadyStore<Item>()
        var model: [Item] = []
        var nextInOrder = 0

        func first() -> Item? {
            model.min {
                let isBefore = store.order == .fifo ? $0.sequence < $1.sequence : $0.sequence > $1.sequence
                return $0.level == $1.level ? isBefore : $0.level > $1.level
            }
        }

        for step in 0..<4_000 {
            let item: Item
            if nextInOrder < items.count, Bool.random(using: &random) {
                item = items[nextInOrder]
                nextInOrder += 1
            } else {
                item = items[Int.random(in: items.indices, using: &random)]
            }
            if Int.random(in: 0..<100, using: &random) == 0 { store.order = store.order == .fifo ? .lifo : .fifo }
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1, 2:
                if item.storePlace.isPresent { break }
                item.level = UInt8.random(in: 0..<5, using: &random)
                store.insert(item, level: item.level)
                model.append(item)
            case 3:
                store.remove(item)
                model.removeAll { $0 === item }
            case 4 where item.storePlace.isPresent:
                item.level = UInt8.random(in: 0..<5, using: &random)
                store.move(item, to: item.level)
            default:
                let expected = first()
                let popped = store.popFirst()?.takeUnretainedValue()
                #expect(popped === expected, "seed \(seed), step \(step)")
                model.removeAll { $0 === popped }
                #expect(popped?.storePlace.isPresent != true)
            }
            #expect(store.count == model.count, "seed \(seed), step \(step)")
            #expect(store.isEmpty == model.isEmpty)
            #expect(store.first?.takeUnretainedValue() === first(), "seed \(seed), step \(step)")
        }
        while let expected = first() {
            let popped = store.popFirst()?.takeUnretainedValue()
            #expect(popped === expected, "seed \(seed)")
            model.removeAll { $0 === expected }
        }
        let left = store.popFirst()
        #expect(left == nil)
    }

    @Test func aLongLineIsTrimmedAndKeepsItsOrder() {
        var store = ReadyStore<Item>()
        let items = (0..<10_000).map { Item(UInt64($0)) }
        for item in items { store.insert(item, level: 2) }
        for item in items where item.sequence % 3 != 0 { store.remove(item) }
        store.move(items[9_999], to: 4)
        var popped: [UInt64] = []
        // The store keeps none of them.
        withExtendedLifetime(items) {
            while let item = store.popFirst() { popped.append(item.takeUnretainedValue().sequence) }
        }
        #expect(popped == [9_999] + stride(from: 0, to: 9_999, by: 3).map { UInt64($0) })
    }

    /// What came late is in a heap, in which another order moves nothing.
    @Test func turningTheOrderRoundMovesNone() {
        var store = ReadyStore<Item>()
        let items = (0..<1_000).map { Item(UInt64($0)) }
        for item in items.reversed() { store.insert(item, level: 2) }
        /// How many have been moved since the last time.
        func moves() -> Int {
            defer { for item in items { item.moves = 0 } }
            return items.map(\.moves).reduce(0, +)
        }
        let all = moves()
        #expect(all >= 1_000)
        var (low, high) = (0, 999)
        while low <= high {
            let order: ExecutionOrder = low % 3 == 0 && store.order == .fifo ? .lifo : .fifo
            store.order = order
            #expect(moves() == 0)
            let popped = store.popFirst()?.takeUnretainedValue()
            #expect(popped === items[order == .fifo ? low : high])
            if order == .fifo { low += 1 } else { high -= 1 }
            // Twice the depth of the heap.
            #expect(moves() <= 20)
        }
    }
}
