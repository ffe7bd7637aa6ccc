import Testing

@testable import OperationsCore

/// Which threads are taken for blocked, so that others run in their place.
@Suite struct ThreadClockTests {
    private var sample = ThreadClock.Sample()

    /// One that sleeps for a moment, at a mutex for example, is at work.
    @Test mutating func oneThatIsAsleepOnceIsNotBlocked() {
        #expect(!sample.look(0, inTurn: 1) { true }, "It is not known what it did before.")
        #expect(!sample.look(0, inTurn: 1) { true })
        #expect(!sample.look(0, inTurn: 1) { false })
        #expect(!sample.look(0, inTurn: 1) { true })
    }

    @Test mutating func oneThatStaysAsleepIsBlocked() {
        for _ in 0..<2 { _ = sample.look(0, inTurn: 1) { true } }
        for used in 1..<4 {
            let isBlocked = sample.look(Int64(used), inTurn: 1) { true }
            #expect(isBlocked)
        }
    }

    /// Where there are more threads than processors, one that was woken may not have come to anything yet.
    @Test mutating func oneThatWaitsForAProcessorIsNotBlocked() {
        for _ in 0..<3 { _ = sample.look(0, inTurn: 1) { true } }
        #expect(!sample.look(0, inTurn: 1) { false })
    }

    @Test mutating func oneThatHasComputedIsNotBlocked() {
        for _ in 0..<3 { _ = sample.look(0, inTurn: 1) { true } }
        #expect(!sample.look(500_000, inTurn: 1) { true })
    }

    @Test mutating func oneThatHasBegunAnotherTurnIsNotBlocked() {
        for _ in 0..<3 { _ = sample.look(0, inTurn: 1) { true } }
        #expect(!sample.look(0, inTurn: 2) { true })
        #expect(!sample.look(0, inTurn: 2) { true })
        let isBlocked = sample.look(0, inTurn: 2) { true }
        #expect(isBlocked)
    }
}
