import Testing

@testable import OperationsCore

/// Which threads are taken for blocked, so that others run in their place.
@Suite struct ThreadClockTests {
    private var sample = ThreadClock.Sample()

    /// Looks at a thread that the kernel would call asleep or not.
    private mutating func look(_ used: Int64 = 0, inTurn turn: UInt = 1, isAsleep: Bool) -> ThreadClock.Sight {
        sample.look(used, inTurn: turn) { _ in isAsleep }
    }

    /// One that sleeps for a moment, at a mutex for example, is at work.
    @Test mutating func oneThatIsAsleepOnceIsNotBlocked() {
        let sights = [true, true, false, true].map { look(isAsleep: $0) }
        #expect(sights == [.new, .asleep, .awake, .asleep], "At first it is not known what it did before.")
    }

    @Test mutating func oneThatStaysAsleepIsBlocked() {
        let sights = (0..<5).map { look($0, isAsleep: true) }
        #expect(sights == [.new, .asleep, .blocked, .blocked, .blocked])
    }

    /// Where there are more threads than processors, one that was woken may not have come to anything yet.
    @Test mutating func oneThatWaitsForAProcessorIsNotBlocked() {
        let sights = [true, true, true, false].map { look(isAsleep: $0) }
        #expect(sights == [.new, .asleep, .blocked, .awake])
    }

    @Test mutating func oneThatHasComputedIsNotBlocked() {
        for _ in 0..<3 { _ = look(isAsleep: true) }
        #expect(look(500_000, isAsleep: true) == .awake)
    }

    @Test mutating func oneThatHasBegunAnotherTurnIsNotBlocked() {
        for _ in 0..<3 { _ = look(isAsleep: true) }
        let sights = (0..<3).map { _ in look(inTurn: 2, isAsleep: true) }
        #expect(sights == [.new, .asleep, .blocked])
    }

    /// The kernel is not asked about each of thousands in each look.
    @Test mutating func whoAsksTheKernelKnowsWhichOnesWereBlocked() {
        var asked: [Bool] = []
        for _ in 0..<4 {
            _ = sample.look(0, inTurn: 1) { wasBlocked in
                asked.append(wasBlocked)
                return true
            }
        }
        #expect(asked == [false, false, true])
    }
}
