import Testing

@testable import OperationsCore

/// How many threads the pool wants, without any.
@Suite struct LaneStateTests {
    private let job = WorkerJob.block {}
    private let sleeper = Sleeper()

    @Test func promptJobsHaveAThreadEach() {
        var lane = LaneState(processors: 2)
        let supplies = (0..<10).map { _ in lane.add(job, urgency: .prompt) }
        #expect(supplies.allSatisfy { $0 == .create })
        #expect(lane.threads == 10)
    }

    @Test func elasticJobsStartAsManyThreadsAsProcessorsAndAScout() {
        var lane = LaneState(processors: 2)
        let supplies = (0..<10).map { _ in lane.add(job, urgency: .elastic) }
        #expect(supplies.filter { $0 == .create }.count == 3)
        for _ in 0..<2 {
            lane.threadArrived()
            guard case .run(_, .elastic, _) = lane.take(for: sleeper) else { return #expect(Bool(false), "no job") }
        }
        lane.threadArrived()
        guard case .watch = lane.take(for: sleeper) else { return #expect(Bool(false), "no scout") }
    }

    @Test func aStallLetsOneMoreRunAndProgressDoesNot() {
        var lane = LaneState(processors: 1)
        for _ in 0..<3 { _ = lane.add(job, urgency: .elastic) }
        lane.threadArrived()
        _ = lane.take(for: sleeper)
        lane.threadArrived()
        _ = lane.take(for: sleeper)
        lane.watchEnded(isStalled: false)
        guard case .watch = lane.take(for: sleeper) else { return #expect(Bool(false), "it ran") }
        lane.watchEnded(isStalled: true)
        let turn = lane.take(for: sleeper)
        guard case .run(_, .elastic, let supply) = turn else { return #expect(Bool(false), "it waits") }
        #expect(supply == .create, "Another scout is needed for the job that is left.")
    }

    @Test func idleThreadsAreWokenBeforeOthersAreMade() {
        var lane = LaneState(processors: 2)
        let created = lane.add(job, urgency: .prompt)
        #expect(created == .create)
        lane.threadArrived()
        _ = lane.take(for: sleeper)
        guard case .wait = lane.take(for: sleeper) else { return #expect(Bool(false), "there was a job") }
        let woken = lane.add(job, urgency: .prompt)
        #expect(woken == .wake(sleeper))
        let stays = lane.wakeUp(sleeper)
        #expect(stays)
        _ = lane.take(for: sleeper)
        guard case .wait = lane.take(for: sleeper) else { return #expect(Bool(false), "there was a job") }
        let staysUnasked = lane.wakeUp(sleeper)
        #expect(!staysUnasked, "Nobody woke it: it leaves.")
        #expect(lane.threads == 0)
    }

    @Test func theLastToGoToSleepIsWokenFirstSoThatThoseOfABurstLeave() {
        var lane = LaneState(processors: 2)
        let sleepers = (0..<20).map { _ in Sleeper() }
        for _ in sleepers { _ = lane.add(job, urgency: .prompt) }
        for sleeper in sleepers {
            lane.threadArrived()
            _ = lane.take(for: sleeper)
        }
        for sleeper in sleepers { _ = lane.take(for: sleeper) }
        #expect(lane.threads == 20)
        // From now on there are never more than three jobs at a time.
        for _ in 0..<100 {
            let woken = sleepers.suffix(3)
            let supplies = woken.map { _ in lane.add(job, urgency: .prompt) }
            #expect(supplies == woken.reversed().map { .wake($0) })
            for sleeper in woken {
                let isNeeded = lane.wakeUp(sleeper)
                #expect(isNeeded)
                _ = lane.take(for: sleeper)
            }
            for sleeper in woken { _ = lane.take(for: sleeper) }
        }
        for sleeper in sleepers {
            let stays = lane.wakeUp(sleeper)
            #expect(stays == false, "Its time is out.")
        }
        #expect(lane.threads == 0)
    }
}
