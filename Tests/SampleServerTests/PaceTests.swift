import Testing

@testable import SampleServer

@Suite struct PaceTests {
    @Test func nothingGoesOutBeforeTheLatencyIsOver() {
        var pace = Pace(asked: .seconds(10))
        let speed = NetworkSpeed(latency: .milliseconds(200), bytesPerSecond: 1_000)
        #expect(pace.due(at: .seconds(10), speed) == nil)
        #expect(pace.due(at: .milliseconds(10_199), speed) == nil)
        #expect(pace.due(at: .milliseconds(10_200), speed) == 0, "the head of the answer")
        #expect(pace.due(at: .milliseconds(10_300), speed) == 100)
    }

    @Test func theBytesOfASecondAreThoseOfTheRate() {
        var pace = Pace(asked: .zero)
        let speed = NetworkSpeed(latency: .zero, bytesPerSecond: 1_234)
        // Many small steps, of which each has less than a byte or a part of one.
        let sum = (0...3_000).compactMap { pace.due(at: .milliseconds($0), speed) }.reduce(0, +)
        #expect((3 * 1_234 - 1...3 * 1_234).contains(sum))
    }

    @Test func aChangeHoldsForWhatIsUnderWay() {
        var pace = Pace(asked: .zero)
        let slow = NetworkSpeed(latency: .seconds(60), bytesPerSecond: 1)
        #expect(pace.due(at: .seconds(1), slow) == nil)
        let fast = NetworkSpeed(latency: .seconds(1), bytesPerSecond: 1_000)
        #expect(pace.due(at: .seconds(2), fast) == 1_000)
        #expect(pace.due(at: .seconds(3), slow) == 1, "an answer that has begun waits for no latency")
        #expect(pace.due(at: .seconds(4), fast) == 1_000)
    }

    @Test func anyTimeAndAnyRateAreNumbers() {
        var pace = Pace(asked: .zero)
        let speed = NetworkSpeed(latency: .zero, bytesPerSecond: .max)
        #expect(pace.due(at: .seconds(1_000_000), speed) == 1_000_000_000_000)
        #expect(NetworkSpeed(latency: .zero, bytesPerSecond: -3).bytesPerSecond == 1)
    }
}
