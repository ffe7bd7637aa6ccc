import Testing

@testable import Transfers

/// The names that are looked up, also for transfers that are over.
@Suite struct ScheduleLookUpTests: ScheduleSuite {
    /// One whose hosts have names.
    private func schedule(lookUps: Int) -> Schedule {
        var limits = ScheduleLimits()
        limits.lookUps = lookUps
        return Schedule(limits) { _ in true }
    }

    @Test func namesAreLookedUpOncePerHostAndFewAtATime() {
        var schedule = schedule(lookUps: 2)
        for host in ["a", "b", "c"] { add([1, 2], for: host, to: &schedule) }
        var first = starts(&schedule)
        #expect(first.count == 2)
        schedule.foundName(&first[0].turn, at: .zero)
        #expect(starts(&schedule).count == 2, "the rest of the first host, and the third one")
        schedule.finished(first[1].turn, .failed(.truncated), at: .zero)
        #expect(starts(&schedule).count == 1, "nobody knows the second host's name yet")
        #expect(starts(&schedule, at: .seconds(61)).isEmpty)
    }

    /// libcurl looks it up again after a minute, in whole seconds and from an earlier moment on: what counts as known here has to be known
    /// there.
    @Test func aNameIsKnownForLessThanAMinute() {
        for (now, isKnown) in [(Duration.seconds(57), true), (.seconds(59), false)] {
            var schedule = schedule(lookUps: 1)
            add([1, 2], for: "a", to: &schedule)
            var first = starts(&schedule)
            schedule.foundName(&first[0].turn, at: .zero)
            #expect(starts(&schedule).map { $0.turn.lookUp == nil } == [true])
            add([3], for: "a", to: &schedule, at: now)
            #expect(starts(&schedule, at: now).map { $0.turn.lookUp == nil } == [isKnown])
        }
    }

    @Test func aLookUpKeepsItsPlaceAlsoWhereItsTurnIsOver() throws {
        var schedule = schedule(lookUps: 1)
        add([1, 2], for: "a", to: &schedule)
        add([11], for: "b", to: &schedule)
        var first = starts(&schedule)
        #expect(first.map(\.item) == [1])
        let parted = schedule.part(&first[0].turn)
        let lookUp = try #require(parted)
        schedule.finished(first[0].turn, .none, at: .zero)
        #expect(schedule.running == 0)
        // Neither another host nor the same one has a place for it.
        #expect(starts(&schedule, at: .seconds(20)).isEmpty)
        schedule.ended(lookUp, isFound: false, at: .seconds(20))
        let second = starts(&schedule, at: .seconds(20))
        #expect(second.count == 1)
        schedule.finished(second[0].turn, .none, at: .seconds(20))
        #expect(starts(&schedule, at: .seconds(20)).count == 1)
    }

    /// The resolver may have begun where there was no network yet.
    @Test func aNameIsLookedUpOnceMoreBesideALookUpWhoseTurnIsOver() throws {
        var schedule = schedule(lookUps: 16)
        add([1, 2, 3], for: "a", to: &schedule)
        var first = starts(&schedule)
        #expect(first.map(\.item) == [1])
        let old = schedule.part(&first[0].turn)
        schedule.finished(first[0].turn, .none, at: .zero)
        var second = starts(&schedule, at: .seconds(1))
        try #require(second.map(\.item) == [2])
        let parted = schedule.part(&second[0].turn)
        schedule.finished(second[0].turn, .none, at: .seconds(1))
        #expect(starts(&schedule, at: .seconds(2)).isEmpty, "Two are enough.")
        schedule.ended(try #require(parted), isFound: false, at: .seconds(2))
        let third = starts(&schedule, at: .seconds(2))
        try #require(third.map(\.item) == [3])
        add([4], for: "a", to: &schedule)
        schedule.ended(try #require(old), isFound: false, at: .seconds(3))
        #expect(starts(&schedule, at: .seconds(3)).isEmpty, "The third one's look-up is under way.")
        schedule.finished(third[0].turn, .none, at: .seconds(3))
        #expect(starts(&schedule, at: .seconds(3)).map(\.item) == [4])
    }

    @Test func whatALookUpFindsAfterItsTurnIsKnown() throws {
        var schedule = schedule(lookUps: 1)
        add([1], for: "a", to: &schedule)
        var first = starts(&schedule)
        let parted = schedule.part(&first[0].turn)
        let lookUp = try #require(parted)
        schedule.finished(first[0].turn, .none, at: .zero)
        // The host is not forgotten meanwhile.
        #expect(schedule.knownHosts == 1)
        schedule.ended(lookUp, isFound: true, at: .seconds(20))
        add([2, 3], for: "a", to: &schedule, at: .seconds(20))
        #expect(starts(&schedule, at: .seconds(20)).map(\.item) == [2, 3])
        #expect(schedule.knownHosts == 1)
    }

    @Test func aHostIsForgottenAfterItsLookUp() throws {
        var schedule = schedule(lookUps: 16)
        add([1], for: "a", to: &schedule)
        var first = starts(&schedule)
        let parted = schedule.part(&first[0].turn)
        let lookUp = try #require(parted)
        schedule.finished(first[0].turn, .none, at: .zero)
        schedule.ended(lookUp, isFound: false, at: .seconds(1))
        #expect(schedule.knownHosts == 0)
    }

    @Test func whoWaitsForALookUpGoesOnAlsoWhereTheOneBeforeItIsTakenOut() {
        var schedule = schedule(lookUps: 1)
        add([1], for: "a", to: &schedule)
        var first = starts(&schedule)
        let second = schedule.add(2, for: "b", patience: .zero, at: .zero)
        add([3], for: "c", to: &schedule)
        #expect(starts(&schedule).isEmpty)
        schedule.foundName(&first[0].turn, at: .zero)
        schedule.remove(second, at: .zero)
        #expect(starts(&schedule).map(\.item) == [3])
    }
}
