import Testing

@testable import OperationsCore

/// How many threads the pool wants, without any.
@Suite struct LaneStateTests {
    private let job = WorkerJob.block {}

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
            guard case .run(_, .elastic, _) = lane.take() else { return #expect(Bool(false), "no job") }
        }
        lane.threadArrived()
        guard case .watch = lane.take() else { return #expect(Bool(false), "no scout") }
    }

    @Test func aStallLetsOneMoreRunAndProgressDoesNot() {
        var lane = LaneState(processors: 1)
        for _ in 0..<3 { _ = lane.add(job, urgency: .elastic) }
        lane.threadArrived()
        _ = lane.take()
        lane.threadArrived()
        _ = lane.take()
        lane.watchEnded(isStalled: false)
        guard case .watch = lane.take() else { return #expect(Bool(false), "it ran") }
        lane.watchEnded(isStalled: true)
        guard case .run(_, .elastic, let supply) = lane.take() else { return #expect(Bool(false), "it waits") }
        #expect(supply == .create, "Another scout is needed for the job that is left.")
    }

    @Test func idleThreadsAreWokenBeforeOthersAreMade() {
        var lane = LaneState(processors: 2)
        let created = lane.add(job, urgency: .prompt)
        #expect(created == .create)
        lane.threadArrived()
        _ = lane.take()
        guard case .wait = lane.take() else { return #expect(Bool(false), "there was a job") }
        let woken = lane.add(job, urgency: .prompt)
        #expect(woken == .wake)
        let stays = lane.wakeUp()
        #expect(stays)
        _ = lane.take()
        guard case .wait = lane.take() else { return #expect(Bool(false), "there was a job") }
        let staysUnasked = lane.wakeUp()
        #expect(!staysUnasked, "Nobody woke it: it leaves.")
        #expect(lane.threads == 0)
    }
}
