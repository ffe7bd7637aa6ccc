import OperationsTesting
import Testing

@testable import PhotoDevelopment

@Suite struct RowNumbersTests {
    @Test("Numbers come out in order, whatever the gaps, and whenever they are taken", arguments: 0..<12)
    func order(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (numbers, expected) = (RowNumbers(), [Int]())
        var (next, taken) = (0, 0)
        let longestGap = [1, 3, 200, 1 << 40][Int(seed % 4)]
        for _ in 0..<3_000 {
            if Int.random(in: 0..<5, using: &random) < 3 {
                next += Int.random(in: 1...longestGap, using: &random)
                numbers.append(next)
                expected.append(next)
            } else if let row = numbers.popFirst() {
                #expect(row == expected[taken])
                taken += 1
            } else {
                #expect(taken == expected.count)
            }
            #expect(numbers.count == expected.count - taken)
        }
        while let row = numbers.popFirst() {
            #expect(row == expected[taken])
            taken += 1
        }
        #expect(taken == expected.count && numbers.isEmpty)
    }

    @Test("Rows that follow each other are one run, and rows that take turns cost two bytes")
    func memory() {
        var (one, other) = (RowNumbers(), RowNumbers())
        for row in 0..<100_000 { one.append(row) }
        for row in 0..<100_000 { other.append(2 * row) }
        #expect(one.byteCount < 16)
        #expect(other.byteCount <= 200_000)
        // What was taken is let go.
        for _ in 0..<90_000 { _ = other.popFirst() }
        #expect(other.byteCount <= 40_000)
    }
}
