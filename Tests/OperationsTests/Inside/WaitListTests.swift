import Operations
import OperationsTesting
import Testing

@testable import OperationsCore

/// The waits of one queue.
@Suite struct WaitListTests {
    private let target = QueueCore.WaitTarget.operation(BlockOperation {})

    /// Looks once.
    /// - Returns: The numbers of those that are suspicious, and the most that were under one lock.
    private func look(_ list: inout WaitList) -> (numbers: [UInt64], most: Int) {
        var (place, suspicious, most) = (WaitList.Place(), [QueueCore.Wait](), 0)
        list.beginLook()
        var goesOn = true
        while goesOn {
            let before = suspicious.count
            goesOn = list.look(&place, &suspicious)
            most = max(most, suspicious.count - before)
        }
        return (suspicious.compactMap { $0.waiting }, most)
    }

    @Test func manyAreLookedIntoSomeAtATime() {
        var list = WaitList()
        for number in 0..<1_000 as Range<UInt64> { _ = list.add(target, of: number) }
        #expect(look(&list).numbers.isEmpty, "They may have begun just now.")
        let (numbers, most) = look(&list)
        #expect(numbers.sorted() == Array(0..<1_000))
        #expect(most <= WaitList.waitsPerLock)
    }

    @Test func oneIsLookedIntoEachTimeAfterTwiceAsLong() {
        var list = WaitList()
        let identifier = list.add(target, of: 7)
        var looks: [Int] = []
        for number in 1...40 where !look(&list).numbers.isEmpty { looks.append(number) }
        #expect(looks == [2, 3, 5, 9, 17, 33])
        #expect(list.isWatched)
        list.noteReport(of: identifier)
        list.noteReport(of: identifier)
        for _ in 0..<40 { #expect(look(&list).numbers.isEmpty) }
        let goesOn = list.endLook()
        #expect(!goesOn)
        _ = list.add(target, of: 8)
        let goesOnAgain = list.endLook()
        #expect(goesOnAgain)
    }

    @Test func oneThatHasTheRoomOfAnotherIsNotTakenForIt() {
        var list = WaitList()
        let first = list.add(target, of: 1)
        let removed = list.remove(first).wait
        #expect(removed?.waiting == 1)
        let second = list.add(target, of: 2)
        list.noteReport(of: first)
        let again = list.remove(first).wait
        #expect(again == nil)
        #expect(list[first] == nil)
        #expect(list[second]?.waiting == 2)
        let goesOn = list.endLook()
        #expect(goesOn, "It was not reported.")
    }

    /// While others come and go.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func thoseThatStayAreVisitedOnce(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var list = WaitList()
        var identifiers = (0..<500 as Range<UInt64>).map { ($0, list.add(target, of: $0)) }
        var (place, visited, gone) = (WaitList.Place(), [UInt64](), Set<UInt64>())
        while list.visit(&place, { visited.append($0.waiting ?? 0) }) {
            for _ in 0..<20 {
                if Bool.random(using: &random) {
                    let number = 500 + UInt64(list.changes)
                    identifiers.append((number, list.add(target, of: number)))
                } else {
                    let index = Int.random(in: identifiers.indices, using: &random)
                    let (number, identifier) = identifiers.remove(at: index)
                    gone.insert(number)
                    _ = list.remove(identifier)
                }
            }
        }
        #expect(Set(visited).count == visited.count)
        #expect((0..<500).allSatisfy { gone.contains($0) || visited.contains($0) })
        for (_, identifier) in identifiers { _ = list.remove(identifier) }
        #expect(list.isEmpty)
    }
}
