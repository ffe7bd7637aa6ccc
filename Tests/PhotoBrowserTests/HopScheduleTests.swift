import Testing

@testable import PhotoBrowser

@Suite struct HopScheduleTests {
    @Test func oneHopInAnInterval() {
        let start = ContinuousClock.now
        var schedule = HopSchedule(interval: .milliseconds(16))
        #expect(schedule.request(at: start) == .zero)
        #expect(schedule.request(at: start) == nil)
        schedule.begin(at: start + .milliseconds(1))
        #expect(schedule.request(at: start + .milliseconds(5)) == .milliseconds(12))
        #expect(schedule.request(at: start + .milliseconds(6)) == nil)
        schedule.begin(at: start + .milliseconds(17))
        #expect(schedule.request(at: start + .milliseconds(100)) == .zero)
    }
}
