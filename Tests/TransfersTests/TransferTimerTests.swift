import Testing

@testable import Transfers

/// The clocks of an attempt, without any time passing.
@Suite struct TransferTimerTests {
    private let start = SteadyTime.now
    private let limits = TransferLimits(idleTimeout: .seconds(5), totalTimeout: .seconds(20))

    private func after(_ seconds: Double) -> SteadyTime { start.advanced(by: .seconds(seconds)) }

    private func running() -> TransferTimer {
        var timer = TransferTimer(limits: limits, at: start)
        timer.go(at: start)
        return timer
    }

    @Test func waitingCountsForNothing() {
        var timer = TransferTimer(limits: limits, at: start)
        #expect(timer.deadline == nil)
        #expect(timer.expired(at: after(1_000)) == nil)
        timer.go(at: after(1_000))
        #expect(timer.deadline == after(1_020))
    }

    @Test func silenceCountsOnceTheRequestIsSent() {
        var timer = running()
        #expect(timer.expired(at: after(6)) == nil)
        timer.hear(at: after(6))
        #expect(timer.deadline == after(11))
        #expect(timer.expired(at: after(10.9)) == nil)
        #expect(timer.expired(at: after(11)) == .timeout(.idle, .seconds(5)))
        timer.connect(at: after(11))
        #expect(timer.expired(at: after(11)) == nil)
    }

    @Test func aConnectionHasTimeOfItsOwn() {
        var timer = running()
        timer.connect(at: after(2))
        #expect(timer.deadline == after(12))
        #expect(timer.expired(at: after(11.9)) == nil)
        #expect(timer.expired(at: after(12)) == .timeout(.connect, .seconds(10)))
        timer.hear(at: after(11))
        #expect(timer.expired(at: after(12)) == nil)
        #expect(timer.deadline == after(16))
    }

    @Test func bytesEndTheSilenceButNotTheTotal() {
        var timer = running()
        for second in 1...19 {
            timer.hear(at: after(Double(second)))
            #expect(timer.expired(at: after(Double(second))) == nil)
        }
        #expect(timer.deadline == after(20))
        #expect(timer.expired(at: after(20)) == .timeout(.total, .seconds(20)))
    }

    @Test func aPauseStopsBothClocks() {
        var timer = running()
        timer.hear(at: after(1))
        timer.stop(at: after(2))
        timer.stop(at: after(50))
        #expect(timer.deadline == nil)
        #expect(timer.expired(at: after(100)) == nil)
        timer.go(at: after(102))
        timer.go(at: after(103))
        #expect(timer.deadline == after(107))
        timer.hear(at: after(119))
        #expect(timer.deadline == after(120))
    }

    @Test func theEndCanOnlyComeNearer() {
        var timer = running()
        timer.end(within: .seconds(1), at: after(3))
        #expect(timer.deadline == after(4))
        timer.end(within: .seconds(9), at: after(3))
        #expect(timer.deadline == after(4))
        #expect(timer.expired(at: after(4)) != nil)
        // The next hop has the attempt's time again.
        let whole = running().deadline
        timer.connect(at: after(19))
        #expect(timer.deadline == whole)
    }

    @Test func milliseconds() {
        #expect(Duration.zero.wholeMilliseconds == 0)
        #expect(Duration.nanoseconds(1).wholeMilliseconds == 1)
        #expect(Duration.milliseconds(1_500).wholeMilliseconds == 1_500)
        #expect(Duration.seconds(-1).wholeMilliseconds == 0)
        #expect(Duration.seconds(Int64.max).wholeMilliseconds == 1_000_000_000)
    }
}
