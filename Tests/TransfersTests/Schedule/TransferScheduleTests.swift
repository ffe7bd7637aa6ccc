import OperationsTesting
import Testing

@testable import Transfers

@Suite struct TransferScheduleTests: ScheduleSuite {
    private func schedule(
        perHost: Int = 8, inAll: Int = 64, isLastFirst: Bool = false,
        _ change: (inout ScheduleLimits) -> Void = { _ in }
    ) -> Schedule {
        var limits = ScheduleLimits()
        limits.perHost = perHost
        limits.inAll = inAll
        change(&limits)
        return Schedule(limits, isLastFirst: isLastFirst)
    }

    /// What is refused now, and why.
    private func refusals(_ schedule: inout Schedule, at now: Duration) -> [(Int, Schedule.Refusal)] {
        var refusals: [(Int, Schedule.Refusal)] = []
        while let step = schedule.next(at: now) {
            switch step {
            case .start(let item, _): Issue.record("\(item) is started")
            case .refuse(let item, let reason): refusals.append((item, reason))
            }
        }
        return refusals
    }

    @Test func whatIsNearIsStartedWithoutANetwork() {
        var schedule = Schedule(ScheduleLimits(), isNear: { $0 == "near" })
        add([1, 2], for: "far", to: &schedule)
        schedule.setOffline(true, at: .zero)
        add([11], for: "near", to: &schedule)
        add([3], for: "other", to: &schedule)
        #expect(starts(&schedule).map(\.item) == [11])
        #expect(schedule.waiting == 3)
        schedule.setOffline(false, at: .zero)
        #expect(Set(starts(&schedule).map(\.item)) == [1, 2, 3])
    }

    @Test func hostsTakeTurnsAndItemsKeepTheirOrder() {
        var schedule = schedule(perHost: 2, inAll: 3)
        add([1, 2, 3, 4], for: "a", to: &schedule)
        add([11, 12], for: "b", to: &schedule)
        let first = starts(&schedule)
        #expect(first.map(\.item) == [1, 11, 2])
        schedule.finished(first[1].turn, .answered, at: .zero)
        let second = starts(&schedule)
        #expect(second.map(\.item) == [12])
        schedule.finished(second[0].turn, .answered, at: .zero)
        // "a" is full although there is room in all.
        #expect(starts(&schedule).isEmpty)
        schedule.finished(first[0].turn, .answered, at: .zero)
        schedule.finished(first[2].turn, .answered, at: .zero)
        #expect(starts(&schedule).map(\.item) == [3, 4])
        #expect(schedule.running == 2)
    }

    @Test func whatIsMoreUrgentComesFirstAndCanBecomeSo() {
        var schedule = schedule(perHost: 1, inAll: 9)
        var tickets: [Schedule.Ticket] = []
        for item in 1...4 {
            tickets.append(
                schedule.add(item, for: "a", level: item == 3 ? 4 : 2, patience: .zero, at: .zero))
        }
        schedule.setLevel(3, of: tickets[3], at: .zero)
        #expect(schedule.remove(tickets[1], at: .zero) == 2)
        #expect(schedule.remove(tickets[1], at: .zero) == nil)
        var order: [Int] = []
        while let next = starts(&schedule).first {
            order.append(next.item)
            schedule.finished(next.turn, .answered, at: .zero)
        }
        #expect(order == [3, 4, 1])
        #expect(schedule.waiting == 0 && schedule.running == 0)
    }

    @Test func theLastCanComeFirst() {
        var schedule = schedule(inAll: 1, isLastFirst: true)
        add([1, 2, 3], for: "a", to: &schedule)
        #expect(starts(&schedule).map(\.item) == [3])
    }

    @Test func aSuspendedScheduleStartsNothing() {
        var schedule = schedule()
        schedule.isSuspended = true
        add([1], for: "a", to: &schedule)
        #expect(starts(&schedule).isEmpty)
        schedule.isSuspended = false
        #expect(starts(&schedule).map(\.item) == [1])
    }

    @Test func aWaitForAnotherTryHoldsNoPlaceAndEndsAtTheEndOfTheLine() {
        var schedule = schedule(perHost: 1)
        schedule.add(1, for: "a", patience: .zero, notBefore: .seconds(2), at: .zero)
        add([2], for: "a", to: &schedule)
        let second = starts(&schedule)
        #expect(second.map(\.item) == [2])
        #expect(schedule.nextTime == .seconds(2))
        add([3], for: "a", to: &schedule)
        #expect(starts(&schedule, at: .seconds(2)).isEmpty)
        schedule.finished(second[0].turn, .answered, at: .seconds(2))
        let third = starts(&schedule, at: .seconds(2))
        #expect(third.map(\.item) == [3])
        schedule.finished(third[0].turn, .answered, at: .seconds(3))
        #expect(starts(&schedule, at: .seconds(3)).map(\.item) == [1])
    }

    @Test func hostsThatNeverAnswerLeaveRoomToTheOthers() {
        var schedule = schedule()
        for host in 0..<12 { add(Array(repeating: 0, count: 20), for: "silent \(host)", to: &schedule) }
        add(Array(1...100), for: "good", to: &schedule)
        let first = starts(&schedule)
        // One of each host, and an eighth of all beside.
        #expect(first.count == 13 + 8)
        var (silent, good) = (first.filter { $0.item == 0 }, first.filter { $0.item > 0 })
        #expect(!good.isEmpty)
        var done = 0
        while !good.isEmpty {
            schedule.finished(good.removeFirst().turn, .answered, at: .zero)
            done += 1
            let next = starts(&schedule)
            good += next.filter { $0.item > 0 }
            silent += next.filter { $0.item == 0 }
            #expect(good.count == min(8, 100 - done))
        }
        #expect(done == 100)
        #expect(silent.count == 12 + 8)
        // Who fails makes room for the next one.
        schedule.finished(silent[0].turn, .failed(.truncated), at: .seconds(9))
        #expect(starts(&schedule, at: .seconds(9)).count == 1)
    }

    @Test func aHostThatHasFailedCountsAsOneThatHasNotAnswered() {
        var schedule = schedule(perHost: 8, inAll: 4)
        add(Array(0..<20), for: "a", to: &schedule)
        let first = starts(&schedule)
        #expect(first.count == 2)
        schedule.finished(first[0].turn, .answered, at: .zero)
        #expect(starts(&schedule).count == 3)
        schedule.finished(first[1].turn, .failed(.truncated), at: .zero)
        #expect(starts(&schedule).isEmpty)
        add([21], for: "b", to: &schedule)
        #expect(starts(&schedule).count == 1)
    }

    @Test func aRateIsKept() {
        var schedule = schedule { $0.interval = .milliseconds(100) }
        add([1, 2, 3], for: "a", to: &schedule)
        add([11], for: "b", to: &schedule)
        #expect(starts(&schedule).map(\.item) == [1, 11])
        #expect(schedule.nextTime == .milliseconds(100))
        #expect(starts(&schedule, at: .milliseconds(99)).isEmpty)
        #expect(starts(&schedule, at: .milliseconds(150)).map(\.item) == [2])
        #expect(starts(&schedule, at: .milliseconds(249)).isEmpty)
        #expect(starts(&schedule, at: .milliseconds(250)).map(\.item) == [3])
    }

    @Test func itIsKnownWhetherItemsOnlyWait() {
        var schedule = schedule { $0.patience = .seconds(60) }
        func onlyWait(_ count: Int, at now: Duration = .zero) -> Bool {
            schedule.onlyWait(count, at: now) { $0 < 10 }
        }
        #expect(onlyWait(0))
        add([1, 2, 3, 4], for: "a", to: &schedule)
        #expect(!onlyWait(4))
        let begun = starts(&schedule)
        for (_, turn) in begun { schedule.finished(turn, .failed(.unreachable("")), at: .zero) }
        add([1, 2], for: "a", to: &schedule)
        schedule.add(3, for: "b", patience: .zero, notBefore: .seconds(9), at: .zero)
        // Others do not count, and while it is another number somebody is on the way.
        add([11], for: "c", to: &schedule)
        #expect(onlyWait(3))
        #expect(!onlyWait(4))
        // Who tries the host is at work; who waits for how that ends is not.
        let trial = starts(&schedule, at: .seconds(2))
        #expect(trial.map(\.item).sorted() == [1, 11])
        #expect(onlyWait(2, at: .seconds(2)))
        schedule.finished(trial.first { $0.item == 1 }?.turn ?? trial[0].turn, .answered, at: .seconds(2))
        #expect(!onlyWait(2, at: .seconds(2)))
    }

    @Test func aFailingHostRestsLongerAndLongerAndIsGivenUpAfterARestOfThePatience() {
        var schedule = schedule { $0.patience = .seconds(5) }
        add(Array(1...20), for: "a", to: &schedule)
        var now = Duration.seconds(10)
        let first = starts(&schedule, at: now)
        #expect(first.count == 8)
        for start in first { schedule.finished(start.turn, .failed(.truncated), at: now) }
        var rests: [Duration] = []
        while rests.count < 4, let end = schedule.nextTime {
            rests.append(end - now)
            now = end
            let probes = starts(&schedule, at: now)
            #expect(probes.count == 1 && schedule.classes.atRest == 0 && schedule.classes.working == 1)
            guard let probe = probes.first else { break }
            schedule.finished(probe.turn, .failed(.truncated), at: now)
            #expect(schedule.classes.atRest == 1 && schedule.classes.working == 0)
            #expect(schedule.classes.givenUp == (rests.count == 4 ? 1 : 0))
        }
        #expect(rests == [.seconds(1), .seconds(2), .seconds(4), .seconds(5)])
        let refused = refusals(&schedule, at: now)
        #expect(refused.map(\.0) == Array(13...20))
        #expect(refused.allSatisfy { $0.1 == .givenUp(.truncated) })
        // Who comes now is refused at once, and later is the next to try.
        add([21], for: "a", to: &schedule, at: now)
        #expect(refusals(&schedule, at: now).map(\.0) == [21])
        now += .seconds(5)
        add([22, 23], for: "a", to: &schedule, at: now)
        let probe = starts(&schedule, at: now)
        #expect(probe.map(\.item) == [22])
        guard probe.count == 1 else { return }
        schedule.finished(probe[0].turn, .answered, at: now)
        #expect(schedule.classes == HostClasses())
        add([24], for: "a", to: &schedule, at: now)
        #expect(starts(&schedule, at: now).map(\.item) == [23, 24])
    }

    @Test func brokenAddressesOfAHostThatAnswersAreNoReasonToRest() {
        var schedule = schedule(perHost: 1)
        add(Array(1...30), for: "a", to: &schedule)
        for item in 1...30 {
            let next = starts(&schedule)
            #expect(next.map(\.item) == [item])
            guard let turn = next.first?.turn else { return }
            schedule.finished(turn, item % 3 == 0 ? .answered : .failed(.truncated), at: .zero)
        }
    }

    @Test func aPauseThatAHostAsksForIsKeptAndOneThatIsTooLongRefuses() {
        var schedule = schedule(perHost: 2)
        add([1, 2], for: "a", to: &schedule)
        let first = starts(&schedule)
        schedule.add(3, for: "a", patience: .seconds(20), at: .zero)
        schedule.add(4, for: "a", patience: .seconds(10), at: .zero)
        schedule.finished(first[0].turn, .failed(.http(status: 429), retryAfter: .seconds(7)), at: .zero)
        #expect(starts(&schedule, at: .seconds(6)).isEmpty)
        // What was begun before has news as well.
        schedule.finished(first[1].turn, .failed(.http(status: 503), retryAfter: .seconds(15)), at: .seconds(1))
        let refused = refusals(&schedule, at: .seconds(1))
        #expect(refused.map(\.0) == [4] && refused.first?.1 == .refused(.http(status: 503), rest: .seconds(15)))
        #expect(starts(&schedule, at: .seconds(15)).isEmpty)
        #expect(starts(&schedule, at: .seconds(16)).map(\.item) == [3])
    }

    /// Two requests of one host in any second, whenever they were begun.
    @Test func requestsCountFromWhenTheyAreSent() {
        var schedule = schedule { $0.interval = .milliseconds(500) }
        add(Array(1...6), for: "a", to: &schedule)
        var first = starts(&schedule)
        #expect(first.map(\.item) == [1])
        var second = starts(&schedule, at: .milliseconds(500))
        #expect(second.map(\.item) == [2])
        // Both still connect, so that nobody knows when a third may come.
        #expect(starts(&schedule, at: .seconds(5)).isEmpty)
        #expect(schedule.nextTime == nil)
        let sent = Duration.seconds(5)
        #expect(schedule.maySend(&first[0].turn, at: sent))
        #expect(schedule.maySend(&second[0].turn, at: sent))
        #expect(schedule.nextTime == sent + .seconds(1))
        #expect(starts(&schedule, at: sent + .milliseconds(999)).isEmpty)
        let third = starts(&schedule, at: sent + .seconds(1))
        #expect(third.map(\.item) == [3])
        // What is never sent counts no longer.
        schedule.finished(third[0].turn, .none, at: sent + .seconds(1))
        #expect(starts(&schedule, at: sent + .milliseconds(1_500)).map(\.item) == [4])
        #expect(starts(&schedule, at: sent + .seconds(2)).map(\.item) == [5])
    }

    @Test func oneTurnIsForOneRequest() {
        var schedule = schedule { $0.interval = .milliseconds(500) }
        add([1], for: "a", to: &schedule)
        var turn = starts(&schedule)[0].turn
        #expect(!turn.isUsedUp)
        #expect(schedule.maySend(&turn, at: .zero))
        #expect(turn.isUsedUp)
        #expect(!schedule.maySend(&turn, at: .milliseconds(499)))
        #expect(schedule.maySend(&turn, at: .milliseconds(500)))
        #expect(!schedule.maySend(&turn, at: .milliseconds(999)))
        schedule.finished(turn, .answered, at: .milliseconds(999))
        add([2], for: "a", to: &schedule, at: .milliseconds(999))
        #expect(starts(&schedule, at: .milliseconds(999)).isEmpty)
        #expect(starts(&schedule, at: .seconds(1)).map(\.item) == [2])
    }

    /// The schemes of one name, which mostly is a redirect from the one to the other.
    @Test func hostsThatShareAPaceWaitForEachOther() throws {
        var limits = ScheduleLimits()
        limits.interval = .seconds(1)
        var schedule = Schedule(limits, pace: { $0 == "file" ? nil : String($0.last ?? "-") })
        add([1], for: "http a", to: &schedule)
        add([2], for: "https a", to: &schedule)
        add([3], for: "http b", to: &schedule)
        add([4, 5], for: "file", to: &schedule)
        var first = starts(&schedule)
        #expect(first.map(\.item).sorted() == [1, 3, 4, 5])
        let place = try #require(first.firstIndex { $0.item == 1 })
        #expect(starts(&schedule, at: .seconds(3)).isEmpty)
        #expect(schedule.maySend(&first[place].turn, at: .seconds(3)))
        #expect(starts(&schedule, at: .milliseconds(3_999)).isEmpty)
        #expect(starts(&schedule, at: .seconds(4)).map(\.item) == [2])
        let (https, other) = (WebAddress.Origin(scheme: "https", host: "a", port: 443), "http")
        #expect(https.pace == WebAddress.Origin(scheme: other, host: "a", port: 80))
        let own = WebAddress.Origin(scheme: "https", host: "a", port: 8_443)
        #expect(own.pace == own)
        #expect(WebAddress.Origin.localFiles.pace == nil)
    }

    @Test func whatWasHandedOutOrTakenOutIsNotKept() {
        final class Large {}
        var schedule = TransferSchedule<String, Large>(ScheduleLimits())
        for _ in 0..<100 { schedule.add(Large(), for: "a", patience: .zero, at: .zero) }
        weak var first: Large?
        if case .start(let item, _)? = schedule.next(at: .zero) { first = item }
        #expect(first == nil)
        weak var removed: Large?
        do {
            let item = Large()
            removed = item
            let ticket = schedule.add(item, for: "a", patience: .zero, at: .zero)
            _ = schedule.remove(ticket, at: .zero)
        }
        #expect(removed == nil)
        #expect(schedule.removeAll(where: { _ in true }, at: .zero).count == 99)
        #expect(schedule.waiting == 0)
    }

    /// Places are used again.
    @Test func aTicketOfAnItemThatHasGoneIsOfNoUse() {
        var schedule = schedule(perHost: 1, inAll: 9)
        let gone = schedule.add(1, for: "a", patience: .zero, at: .zero)
        #expect(schedule.remove(gone, at: .zero) == 1)
        add([2, 3], for: "a", to: &schedule)
        #expect(schedule.remove(gone, at: .zero) == nil)
        schedule.setLevel(0, of: gone, at: .zero)
        #expect(starts(&schedule).map(\.item) == [2])
        let timed = schedule.add(4, for: "b", patience: .zero, notBefore: .seconds(1), at: .zero)
        #expect(schedule.remove(timed, at: .zero) == 4)
        schedule.add(5, for: "b", patience: .zero, notBefore: .seconds(9), at: .zero)
        #expect(schedule.nextTime == .seconds(9), "Nobody is woken for the one that has gone.")
        #expect(schedule.waiting == 2)
    }

    @Test func aHostThatFailsIsRememberedWhileOthersCome() {
        var schedule = schedule()
        var rests: [Bool] = []
        for round in 0..<3 {
            add([round], for: "a", to: &schedule)
            for (_, turn) in starts(&schedule) {
                rests.append(schedule.finished(turn, .failed(.truncated), at: .zero) != nil)
            }
            add([10], for: "host \(round)", to: &schedule)
            for (_, turn) in starts(&schedule) { schedule.finished(turn, .answered, at: .zero) }
        }
        #expect(rests == [false, false, true])
        #expect(schedule.knownHosts == 1)
    }
}
