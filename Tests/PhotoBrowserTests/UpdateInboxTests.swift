import Testing

@testable import PhotoBrowser

@MainActor @Suite struct UpdateInboxTests {
    /// Whoever takes all of them in the middle has what follows, in order.
    @Test func whatIsTakenWhileItIsGivenOutComesInOrder() {
        let inbox = UpdateInbox<Int>(interval: .seconds(60), budget: .seconds(60)) {}
        for number in 0..<5 { inbox.push(number) }
        var seen: [Int] = []
        inbox.drain { number in
            seen.append(number)
            guard number == 1 else { return }
            inbox.push(5)
            seen += inbox.takeAll()
            #expect(seen == [0, 1, 2, 3, 4, 5])
        }
        #expect(seen == [0, 1, 2, 3, 4, 5])
        inbox.push(6)
        inbox.drain { seen.append($0) }
        #expect(seen.last == 6)
    }

    @Test func whatIsOverTheBudgetComesWithTheNextHop() {
        let inbox = UpdateInbox<Int>(interval: .seconds(60), budget: .zero) {}
        for number in 0..<3 { inbox.push(number) }
        var seen: [Int] = []
        for expected in 1...3 {
            inbox.drain { seen.append($0) }
            #expect(seen.count == expected)
        }
        #expect(seen == [0, 1, 2])
    }
}
