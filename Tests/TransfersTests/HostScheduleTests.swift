import OperationsTesting
import Testing

@testable import Transfers

@Suite struct HostScheduleTests {
    @Test func hostsTakeTurnsAndItemsKeepTheirOrder() {
        var schedule = HostSchedule<String, Int>(perHost: 2, inAll: 3)
        for item in [1, 2, 3, 4] { schedule.add(item, for: "a") }
        for item in [11, 12] { schedule.add(item, for: "b") }
        var turns = [schedule.next(), schedule.next(), schedule.next(), schedule.next()]
        #expect(turns == [1, 11, 2, nil])
        schedule.finished(for: "b")
        turns = [schedule.next(), schedule.next()]
        #expect(turns == [12, nil])
        schedule.finished(for: "b")
        // "a" is full although there is room in all.
        let none = schedule.next()
        #expect(none == nil)
        schedule.finished(for: "a")
        schedule.finished(for: "a")
        turns = [schedule.next(), schedule.next(), schedule.next()]
        #expect(turns == [3, 4, nil])
        #expect(schedule.running == 2)
    }

    @Test func aHostThatIsHeldHasNoTurn() {
        var schedule = HostSchedule<String, Int>(perHost: 2, inAll: 9)
        for item in [1, 2, 3] { schedule.add(item, for: "a") }
        schedule.add(11, for: "b")
        let first = schedule.next()
        schedule.hold("a")
        schedule.hold("a")
        let others = [schedule.next(), schedule.next()]
        #expect(first == 1 && others == [11, nil])
        schedule.finished(for: "a")
        schedule.add(4, for: "a")
        schedule.release("a")
        let none = schedule.next()
        #expect(none == nil)
        schedule.release("a")
        schedule.release("a")
        let turns = [schedule.next(), schedule.next(), schedule.next()]
        #expect(turns == [2, 3, nil])
    }

    @Test func whatWasHandedOutIsNotKept() throws {
        final class Large {}
        var schedule = HostSchedule<String, Large>(perHost: 8, inAll: 8)
        for _ in 0..<100 { schedule.add(Large(), for: "a") }
        weak let first = schedule.next()
        #expect(first == nil)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func randomUse(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        var schedule = HostSchedule<Int, Int>(perHost: 3, inAll: 7)
        var waiting: [Int: [Int]] = [:]
        var running: [Int: Int] = [:]
        var item = 0
        for _ in 0..<20_000 {
            let host = Int.random(in: 0..<5, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                schedule.add(item * 5 + host, for: host)
                waiting[host, default: []].append(item * 5 + host)
                item += 1
            case 1:
                let mayRun = running.values.reduce(0, +) < 7
                let hosts = waiting.filter { !$0.value.isEmpty && running[$0.key, default: 0] < 3 }
                if let next = schedule.next() {
                    #expect(mayRun && waiting[next % 5]?.first == next)
                    waiting[next % 5]?.removeFirst()
                    running[next % 5, default: 0] += 1
                    #expect(running[next % 5, default: 0] <= 3)
                } else {
                    #expect(!mayRun || hosts.isEmpty)
                }
            default:
                guard running[host, default: 0] > 0 else { continue }
                running[host, default: 0] -= 1
                schedule.finished(for: host)
            }
        }
        #expect(schedule.running == running.values.reduce(0, +))
    }
}
