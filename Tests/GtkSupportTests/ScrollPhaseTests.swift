import GtkSupport
import Testing

@Suite struct ScrollPhaseTests {
    private let start = ContinuousClock.now

    @Test func creepingIsNotScrolling() {
        var phase = ScrollPhase()
        for step in 0..<100 {
            phase.moved(to: Double(step) * 2, screen: 600, at: start + .milliseconds(16 * step))
        }
        #expect(!phase.isScrolling)
    }

    @Test func beginsWithSpeedAndEndsWithAPause() {
        var phase = ScrollPhase()
        phase.moved(to: 0, screen: 600, at: start)
        phase.moved(to: 60, screen: 600, at: start + .milliseconds(16))
        #expect(phase.isScrolling)
        let early = phase.check(at: start + .milliseconds(100))
        #expect(!early)
        // The tail that creeps on does not keep it going.
        phase.moved(to: 61, screen: 600, at: start + .milliseconds(120))
        let late = phase.check(at: start + .milliseconds(200))
        #expect(late)
        #expect(!phase.isScrolling)
    }

    @Test func aJumpAfterARestIsScrolling() {
        var phase = ScrollPhase()
        phase.moved(to: 50_000, screen: 600, at: start + .seconds(60))
        #expect(phase.isScrolling)
    }
}
