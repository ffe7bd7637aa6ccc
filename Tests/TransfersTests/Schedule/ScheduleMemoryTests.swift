import Testing

@testable import Transfers

/// What a schedule remembers of hosts, and for how long.
@Suite struct ScheduleMemoryTests {
    typealias Schedule = TransferSchedule<Int, Int>

    /// Those that may be forgotten are looked for some times, and not with each host that comes.
    @Test func hostsThatAreAllInUseAreSeldomLookedThrough() {
        var hosts = KnownHosts<Int>()
        var looks: [Int] = []
        for host in 0..<100_000 {
            if hosts.isFull {
                looks.append(host)
                hosts.makeRoom()
            }
            _ = hosts.insert(KnownHost(host: host, nameEnd: .zero), of: host)
        }
        #expect(looks == [16_384, 32_768, 65_536])
        for place in hosts.places { hosts.remove(place) }
        hosts.makeRoom()
        for host in 0..<16_384 { _ = hosts.insert(KnownHost(host: host, nameEnd: .zero), of: host) }
        #expect(hosts.isFull && hosts.places.count == 100_000, "Places are used again.")
    }

    /// Many hosts that failed once are not remembered for ever.
    @Test func memoryIsBounded() {
        var schedule = TransferSchedule<Int, Int>(ScheduleLimits())
        var now = Duration.zero
        for host in 0..<40_000 {
            schedule.add(host, for: host, patience: .zero, at: now)
            guard case .start(_, let turn)? = schedule.next(at: now) else {
                Issue.record("\(host)")
                return
            }
            schedule.finished(turn, .failed(.truncated), at: now)
            now += .milliseconds(1)
        }
        #expect(schedule.knownHosts <= 32_768)
    }

    /// Who has a name for each address, and asks for long rests at each.
    @Test func hostsThatRestAreNotAllRemembered() {
        var schedule = Schedule(ScheduleLimits())
        var most = 0
        for host in 0..<100_000 {
            schedule.add(host, for: host, patience: .zero, at: .zero)
            guard case .start(_, let turn)? = schedule.next(at: .zero) else {
                Issue.record("\(host)")
                return
            }
            schedule.finished(
                turn, .failed(.http(status: 429), retryAfter: .seconds(host < 100 ? 3_600 : 60)), at: .zero)
            most = max(most, schedule.knownHosts)
        }
        #expect(most <= 40_000)
        #expect(schedule.classes.atRest == schedule.knownHosts)
        // Those that asked for most are.
        schedule.add(7, for: 7, patience: .zero, at: .seconds(61))
        guard case .refuse(7, .refused(_, let rest))? = schedule.next(at: .seconds(61)) else {
            Issue.record("it is started")
            return
        }
        #expect(rest == .seconds(3_539))
    }

    /// One answer does not speak for a host for years.
    @Test func aRestThatAHostAsksForIsAnHourAtMost() {
        var schedule = Schedule(ScheduleLimits())
        for item in 1...2 { schedule.add(item, for: 0, patience: .seconds(60), at: .zero) }
        var turns: [Schedule.Turn] = []
        while case .start(_, let turn)? = schedule.next(at: .zero) { turns.append(turn) }
        let named = Duration.seconds(999_999_999)
        #expect(
            schedule.finished(turns[0], .failed(.http(status: 503), retryAfter: named), at: .zero)?.length
                == .seconds(3_600))
        // Also where it was begun before.
        #expect(
            schedule.finished(turns[1], .failed(.http(status: 503), retryAfter: named), at: .seconds(1))?.length
                == .seconds(3_600))
        schedule.add(3, for: 0, patience: .seconds(60), at: .seconds(3_600))
        if schedule.next(at: .seconds(3_600)) != nil { Issue.record("it is started") }
        guard case .start(3, _)? = schedule.next(at: .seconds(3_601)) else {
            Issue.record("it is not started")
            return
        }
    }

    /// Reading from disk takes no places from hosts that are yet to answer.
    @Test func theDiskIsNoHostThatHasNotAnswered() {
        var limits = ScheduleLimits()
        limits.inAll = 16
        var schedule = Schedule(limits, isOwn: { $0 == 0 })
        for item in 0..<4 { schedule.add(item, for: 0, patience: .zero, at: .zero) }
        for item in 10..<20 { schedule.add(item, for: 1, patience: .zero, at: .zero) }
        var started: [Int] = []
        while case .start(let item, _)? = schedule.next(at: .zero) { started.append(item) }
        #expect(started.sorted() == [0, 1, 2, 3, 10, 11, 12])
    }
}
