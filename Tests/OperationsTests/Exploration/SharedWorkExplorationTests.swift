import Operations
import OperationsCore
import OperationsTesting
import XCTest

/// Shared work in many interleavings: holders that come, leave, hurry and take at random.
final class SharedWorkExplorationTests: XCTestCase {
    func testManyInterleavings() {
        for seed in 0..<UInt64(many(2_000, long: 100_000, sanitized: 500)) where !explore(seed) {
            return XCTFail("seed \(seed)")
        }
    }

    private struct Holder {
        let hold: SharedHold<Text>
        let expected: String
        let over = Counter()
        var isStarted = false
        var isCancelled = false
        var taken: String?
    }

    private func explore(_ seed: UInt64) -> Bool {
        let scheduler = SeededScheduler(seed: seed)
        var random = SeededRandom(seed: seed &+ 1)
        let queue = scheduler.makeQueue()
        queue.maxConcurrentOperationCount = Int.random(in: 1...3, using: &random)
        let texts = TextTables(queue: queue)
        let mayFail = seed.isMultiple(of: 4)
        if mayFail { texts.failures.withLock { $0 = Int.random(in: 1...5, using: &random) } }
        var holders: [Holder] = []
        for _ in 0..<Int.random(in: 10...60, using: &random) {
            act(&holders, texts, scheduler, &random)
        }
        for index in holders.indices where !holders[index].isStarted { start(&holders[index]) }
        scheduler.run()
        var isRight = true
        for index in holders.indices {
            let holder = holders[index]
            let taken = holder.taken ?? holder.hold.take()?.text
            isRight = isRight && holder.over.value == 1
            // Who has left may have taken it before.
            let isExpected = taken == holder.expected || mayFail && taken == TextTables.nothing
            isRight = isRight && (isExpected || holder.isCancelled && taken == nil)
        }
        isRight = isRight && texts.count == 0 && queue.operationCount == 0
        holders = []
        return isRight && Text.living(of: texts) == 0
    }

    private func act(
        _ holders: inout [Holder], _ texts: TextTables, _ scheduler: SeededScheduler, _ random: inout SeededRandom
    ) {
        let index = holders.isEmpty ? 0 : Int.random(in: holders.indices, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3:
            let name = ["a", "b"].randomElement(using: &random) ?? ""
            let number = Int.random(in: 0...1, using: &random)
            let letter = ([nil, "x", "y"] as [Character?]).randomElement(using: &random) ?? nil
            let priority = [Operation.QueuePriority.low, .normal, .high].randomElement(using: &random) ?? .normal
            let hold = texts.hold(name, number, letter: letter, priority)
            guard let hold else { return XCTFail("There is always work.") }
            holders.append(Holder(hold: hold, expected: "\(name)\(number)" + (letter.map { String($0) } ?? "")))
            if Bool.random(using: &random) { start(&holders[holders.count - 1]) }
        case 4 where !holders.isEmpty && !holders[index].isStarted: start(&holders[index])
        case 5 where !holders.isEmpty:
            // What comes too late for a product says nothing of it.
            if holders[index].taken == nil { holders[index].taken = holders[index].hold.take()?.text }
            holders[index].isCancelled = true
            holders[index].hold.cancel()
        case 6 where !holders.isEmpty: holders[index].hold.setPriority(.veryHigh)
        case 7 where !holders.isEmpty && holders[index].taken == nil:
            holders[index].taken = holders[index].hold.take()?.text
        default: scheduler.step()
        }
    }

    private func start(_ holder: inout Holder) {
        holder.isStarted = true
        holder.hold.start { [over = holder.over] in over.increase() }
    }
}
