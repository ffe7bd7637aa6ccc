import OperationsTesting
import Testing

@testable import OperationsCore

/// Operations in order, any of which can be taken out, against an array.
@Suite struct OperationListTests {
    /// Adding, removing, popping and asking at random, below and above the size from which on there is an index.
    @Test(arguments: 1...40 as ClosedRange<UInt64>) func isWhatAnArrayIs(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let operations = (0..<60).map { _ in Operation() }
        var list = OperationList()
        var model: [Operation] = []
        for _ in 0..<600 {
            let operation = operations[Int.random(in: operations.indices, using: &random)]
            switch Int.random(in: 0..<10, using: &random) {
            case 0...4:
                if !model.contains(operation) {
                    list.append(.passUnretained(operation))
                    model.append(operation)
                }
            case 5...6:
                let index = model.firstIndex(of: operation)
                let isRemoved = list.remove(operation)
                #expect(isRemoved == (index != nil), "seed \(seed)")
                if let index { model.remove(at: index) }
            case 7:
                let last = list.popLast()?.takeUnretainedValue()
                #expect(last === model.popLast(), "seed \(seed)")
            default:
                let isIn = list.contains(operation)
                #expect(isIn == model.contains(operation), "seed \(seed)")
            }
            var all: [Operation] = []
            list.forEach { all.append($0.takeUnretainedValue()) }
            #expect(all == model, "seed \(seed)")
            #expect(list.isEmpty == model.isEmpty, "seed \(seed)")
        }
    }
}
