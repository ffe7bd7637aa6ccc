import OperationsTesting
import Testing

@testable import PhotoPipeline

@Suite struct MemoryBudgetTests {
    private var budget = MemoryBudget(limit: 100)

    private mutating func isGranted(_ amount: Int, to holder: Int) -> Bool {
        budget.request(amount, for: holder)
    }

    @Test("Holders share the limit")
    mutating func limit() {
        let answers = [isGranted(60, to: 0), isGranted(40, to: 1), isGranted(1, to: 2)]
        #expect(answers == [true, true, false])
        #expect(budget.held == 100)
    }

    @Test("The eldest is granted over the limit, so that somebody can finish")
    mutating func eldest() {
        let answers = [isGranted(90, to: 1), isGranted(50, to: 2), isGranted(500, to: 1)]
        #expect(answers == [true, false, true])
        let woken = budget.dismiss(1)
        #expect(woken == [2])
        let isGranted = isGranted(900, to: 2)
        #expect(isGranted)
    }

    @Test("Nobody waits for one that cannot go on, which comes back as the youngest")
    mutating func pause() {
        let answers = [isGranted(60, to: 1), isGranted(30, to: 2), isGranted(500, to: 2)]
        #expect(answers == [true, true, false])
        let woken = [budget.pause(1), budget.pause(1)]
        #expect(woken == [[2], []])
        let whilePaused = [isGranted(500, to: 2), isGranted(600, to: 1)]
        #expect(whilePaused == [true, false])
        #expect(budget.held == 560)
        budget.resume(1, as: 3)
        let later = budget.dismiss(2)
        #expect(later == [3])
        let (isGranted, rest) = (isGranted(600, to: 3), budget.dismiss(3))
        #expect(isGranted && rest.isEmpty && budget.held == 0)
    }

    @Test("Giving back wakes those who wait, once")
    mutating func wake() {
        let answers = [isGranted(100, to: 1), isGranted(10, to: 2), isGranted(10, to: 3)]
        #expect(answers == [true, false, false])
        let woken = [budget.shrink(to: 50, for: 1), budget.shrink(to: 40, for: 1)]
        #expect(woken == [[2, 3], []])
    }

    @Test("What is there already counts over the limit, and never less than before")
    mutating func take() {
        let isGranted = isGranted(90, to: 0)
        budget.take(30, for: 1)
        budget.take(20, for: 1)
        let another = self.isGranted(10, to: 2)
        #expect(isGranted && !another && budget.held == 120)
        let woken = budget.dismiss(1)
        #expect(woken == [2] && budget.held == 90)
    }

    @Test("A request replaces what was granted before, and a smaller one always fits")
    mutating func replace() {
        let answers = [isGranted(120, to: 0), isGranted(1, to: 1), isGranted(110, to: 0)]
        #expect(answers == [true, false, true])
        #expect(budget.held == 110)
    }

    @Test("Who has left is not woken and not counted")
    mutating func left() {
        let answers = [isGranted(100, to: 0), isGranted(10, to: 1)]
        #expect(answers == [true, false])
        let woken = [budget.dismiss(1), budget.dismiss(0), budget.dismiss(0)]
        #expect(woken == [[], [], []])
        #expect(budget.held == 0)
    }

    @Test("Random use: the sum is right, and beyond the limit only by the eldest's own need", arguments: [1, 2, 3, 4])
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var budget = MemoryBudget(limit: 1_000)
        var model: [Int: Int] = [:]
        var next = 0
        for _ in 0..<5_000 {
            var holder = model.keys.sorted().randomElement(using: &random) ?? next
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where model.count < 8:
                holder = next
                fallthrough
            case 1:
                next = max(next, holder + 1)
                let amount = Int.random(in: 0...600, using: &random)
                let before = model[holder] ?? 0
                let others = model.values.reduce(0, +) - before
                let isGranted = budget.request(amount, for: holder)
                let isEldest = holder <= model.keys.min() ?? holder
                #expect(isGranted == (amount <= before || others + amount <= 1_000 || isEldest))
                model[holder] = isGranted ? amount : before
            case 2:
                _ = budget.dismiss(holder)
                model[holder] = nil
            default:
                guard let before = model[holder] else { continue }
                let amount = Int.random(in: 0...600, using: &random)
                _ = budget.shrink(to: amount, for: holder)
                model[holder] = min(amount, before)
            }
            #expect(budget.held == model.values.reduce(0, +))
        }
    }
}
