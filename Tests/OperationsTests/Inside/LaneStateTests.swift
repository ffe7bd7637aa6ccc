import Testing

@testable import OperationsCore

/// How many threads the pool wants, without any.
@Suite struct LaneStateTests {
    private let job = WorkerJob.block {}

    /// Has so many threads come that were asked for, and returns those that got a job.
    private func come(_ count: Int, to lane: inout LaneState) -> [LaneThread] {
        (0..<count).compactMap { _ in
            let thread = LaneThread()
            lane.threadArrived()
            guard case .run = lane.take(for: thread) else { return nil }
            return thread
        }
    }

    @Test func promptJobsHaveAThreadEachUntilManyCompute() {
        var lane = LaneState(processors: 2)
        let supplies = (0..<20).map { _ in lane.add(job, urgency: .prompt) }
        #expect(supplies.filter { $0 == .create }.count == 9, "Eight that run, and a scout.")
        let threads = come(8, to: &lane)
        #expect(threads.count == 8)
        lane.threadArrived()
        guard case .watch = lane.take(for: LaneThread()) else { return #expect(Bool(false), "no scout") }
        for thread in threads { lane.saw(thread, .blocked, inTurn: thread.turns) }
        lane.watchEnded()
        guard case .run(_, .prompt, _) = lane.take(for: LaneThread()) else { return #expect(Bool(false), "it waits") }
    }

    @Test func elasticJobsStartAsManyThreadsAsProcessorsAndAScout() {
        var lane = LaneState(processors: 2)
        let supplies = (0..<10).map { _ in lane.add(job, urgency: .elastic) }
        #expect(supplies.filter { $0 == .create }.count == 3)
        #expect(come(2, to: &lane).count == 2)
        lane.threadArrived()
        guard case .watch = lane.take(for: LaneThread()) else { return #expect(Bool(false), "no scout") }
    }

    @Test func whatIsBlockedIsReplacedAndWhatComputesIsNot() {
        var lane = LaneState(processors: 1)
        for _ in 0..<3 { _ = lane.add(job, urgency: .elastic) }
        let first = come(1, to: &lane)[0]
        let scout = LaneThread()
        lane.threadArrived()
        _ = lane.take(for: scout)
        lane.saw(first, .awake, inTurn: first.turns)
        lane.watchEnded()
        guard case .watch = lane.take(for: scout) else { return #expect(Bool(false), "it ran") }
        lane.saw(first, .blocked, inTurn: first.turns &- 1)
        lane.watchEnded()
        guard case .watch = lane.take(for: scout) else { return #expect(Bool(false), "That was another turn.") }
        lane.saw(first, .blocked, inTurn: first.turns)
        lane.watchEnded()
        guard case .run(_, .elastic, let supply) = lane.take(for: scout) else {
            return #expect(Bool(false), "it waits")
        }
        #expect(supply == .create, "Another scout is needed for the job that is left.")
        // It goes on: now two compute, and the one whose turn ends first makes room.
        lane.saw(first, .awake, inTurn: first.turns)
        #expect(lane.endTurn(of: scout, before: job) == nil)
        #expect(lane.working == [first])
    }

    @Test func turnsGoRoundAndThoseWhoHadNoneComeFirst() {
        var lane = LaneState(processors: 1)
        let ran = Recorder()
        let jobs = ["running", "patient", "new"].map { name in WorkerJob.block { ran.note(name) } }
        _ = lane.add(jobs[0], urgency: .elastic)
        let thread = come(1, to: &lane)[0]
        _ = lane.add(jobs[1], urgency: .patient)
        _ = lane.add(jobs[2], urgency: .elastic)
        var last = jobs[0]
        for _ in 0..<4 {
            guard let next = lane.endTurn(of: thread, before: last) else { return #expect(Bool(false), "no job") }
            last = next
            _ = next.step(in: WorkerTurn(lane: .standard, of: HandPool()))
        }
        #expect(ran.all == ["new", "patient", "running", "new"])
    }

    @Test func aPromptJobThatWaitsForOthersWithoutSleepingIsNotLeftAlone() {
        var lane = LaneState(processors: 1)
        for _ in 0..<6 { _ = lane.add(job, urgency: .prompt) }
        #expect(come(4, to: &lane).count == 4)
        let scout = LaneThread()
        lane.threadArrived()
        for _ in 0..<LaneState.patience {
            guard case .watch = lane.take(for: scout) else { return #expect(Bool(false), "too early") }
            lane.watchEnded()
        }
        guard case .run(_, .prompt, _) = lane.take(for: scout) else { return #expect(Bool(false), "it waits") }
    }

    @Test func whoWaitsForAProcessorIsGivenNoCompanyBecauseOfThat() {
        var lane = LaneState(processors: 1)
        for _ in 0..<3 { _ = lane.add(job, urgency: .elastic) }
        let first = come(1, to: &lane)[0]
        let scout = LaneThread()
        lane.threadArrived()
        // Others have nine tenths of the processor.
        let used = LaneState.lookNanoseconds / 10
        for _ in 0..<10 * LaneState.elasticPatience {
            guard case .watch = lane.take(for: scout) else { return #expect(Bool(false), "too early") }
            lane.saw(first, .awake, inTurn: first.turns, used: used)
            lane.watchEnded()
        }
        guard case .run(_, .elastic, _) = lane.take(for: scout) else { return #expect(Bool(false), "it waits") }
    }

    /// They may wait for what has no thread.
    @Test func thoseThatAreAllBlockedForLongGetOneBeyondTheCeiling() {
        var lane = LaneState(processors: 2)
        for _ in 0..<80 { _ = lane.add(job, urgency: .elastic) }
        var (blocked, scout) = ([LaneThread](), LaneThread())
        func look(_ lane: inout LaneState, begun: inout [LaneThread], _ free: inout LaneThread, computing: Int) {
            while case .run = lane.take(for: free) {
                begun.append(free)
                free = LaneThread()
            }
            for (index, thread) in begun.enumerated() {
                lane.saw(thread, index >= computing ? .blocked : .awake, inTurn: thread.turns, used: 0)
            }
            lane.watchEnded()
        }
        while blocked.count < LaneState.elasticCeiling { look(&lane, begun: &blocked, &scout, computing: 0) }
        for _ in 0..<2 * LaneState.elasticPatience { look(&lane, begun: &blocked, &scout, computing: 1) }
        #expect(blocked.count == LaneState.elasticCeiling, "One of them gets on.")
        for _ in 0..<2 * LaneState.elasticPatience + 3 { look(&lane, begun: &blocked, &scout, computing: 0) }
        #expect(blocked.count == LaneState.elasticCeiling + 2)
        // The bound is as before once fewer are there.
        for thread in blocked.suffix(4) { lane.jobEnded(on: thread) }
        blocked.removeLast(4)
        for _ in 0..<10 { look(&lane, begun: &blocked, &scout, computing: 0) }
        #expect(blocked.count == LaneState.elasticCeiling)
    }

    /// The scout looks so often at threads that compute, and those that are then free take what they may.
    private func look(_ count: Int, at lane: inout LaneState, _ scout: LaneThread) -> [LaneThread] {
        var (begun, free) = ([LaneThread](), scout)
        for _ in 0..<count {
            while case .run = lane.take(for: free) {
                begun.append(free)
                free = LaneThread()
            }
            for thread in lane.working { lane.saw(thread, .awake, inTurn: thread.turns) }
            lane.watchEnded()
        }
        return begun
    }

    @Test func elasticJobsThatComputeForLongGetOneMoreBesideThem() {
        var lane = LaneState(processors: 2)
        for _ in 0..<10 { _ = lane.add(job, urgency: .elastic) }
        #expect(come(2, to: &lane).count == 2)
        lane.threadArrived()
        let scout = LaneThread()
        #expect(look(LaneState.elasticPatience, at: &lane, scout).isEmpty)
        #expect(look(1, at: &lane, scout).count == 1)
        // A look takes a millisecond: those of half a second do not all compute at once.
        _ = look(500 - LaneState.elasticPatience - 1, at: &lane, LaneThread())
        #expect(lane.working.count < 6)
    }

    @Test func briefJobsHavePlacesBesideTheElasticOnes() {
        var lane = LaneState(processors: 2)
        for _ in 0..<10 { _ = lane.add(job, urgency: .elastic) }
        #expect(come(2, to: &lane).count == 2)
        lane.threadArrived()
        let scout = LaneThread()
        guard case .watch = lane.take(for: scout) else { return #expect(Bool(false), "no scout") }
        let supplies = (0..<4).map { _ in lane.add(job, urgency: .brief) }
        #expect(supplies == [.create, .create, .none, .none])
        #expect(come(2, to: &lane).map(\.running) == [.brief, .brief])
        lane.watchEnded()
        #expect(look(LaneState.briefPatience - 1, at: &lane, scout).isEmpty)
        #expect(look(1, at: &lane, scout).map(\.running) == [.brief], "They are waited for.")
    }

    /// The scout looks once: those that are free take what they may before, and each thread that runs a job is seen as `sight`
    /// says, by the number of its job.
    private func look(at lane: inout LaneState, _ begun: inout [LaneThread], _ sight: (Int) -> ThreadClock.Sight) {
        begin(in: &lane, &begun)
        for (index, thread) in begun.enumerated() where thread.running != nil {
            lane.saw(thread, sight(index), inTurn: thread.turns)
        }
        lane.watchEnded()
    }

    private func begin(in lane: inout LaneState, _ begun: inout [LaneThread]) {
        while case let thread = LaneThread(), case .run = lane.take(for: thread) { begun.append(thread) }
    }

    @Test(arguments: [Urgency.prompt, .first]) func anyNumberThatBlockHaveBegunAfterAFewLooks(urgency: Urgency) {
        var (lane, begun, looks) = (LaneState(processors: 2), [LaneThread](), 0)
        for _ in 0..<10_000 { _ = lane.add(job, urgency: urgency) }
        var seen: [Int] = []
        while begun.count < 10_000, looks < 100 {
            looks += 1
            // Of each: new, asleep, blocked.
            look(at: &lane, &begun) { index in
                if seen.count == index { seen.append(0) }
                defer { seen[index] += 1 }
                return seen[index] == 0 ? .new : seen[index] == 1 ? .asleep : .blocked
            }
        }
        #expect(begun.count == 10_000)
        #expect(looks < 40)
    }

    @Test func thoseThatComputeGetNoCompanyBecauseOthersAreBlocked() {
        var (lane, begun) = (LaneState(processors: 2), [LaneThread]())
        for _ in 0..<1_000 { _ = lane.add(job, urgency: .prompt) }
        for _ in 0..<4 { look(at: &lane, &begun) { _ in .blocked } }
        let blocked = begun.count
        #expect(blocked > 60)
        // Every second one of those that follow computes. Too many do once the scout has seen the first of them.
        for _ in 0..<4 { look(at: &lane, &begun) { $0 < blocked || $0.isMultiple(of: 2) ? .blocked : .awake } }
        #expect(begun.count == 2 * blocked + 8)
    }

    @Test func whatFollowsThoseThatWereBlockedIsNotTakenForTheSame() {
        var (lane, begun) = (LaneState(processors: 2), [LaneThread]())
        for _ in 0..<1_000 { _ = lane.add(job, urgency: .elastic) }
        for _ in 0..<10 { look(at: &lane, &begun) { _ in .blocked } }
        #expect(begun.count == LaneState.elasticCeiling)
        // All get on at the same time, end, and take what comes next, before the scout looks.
        let first = begun
        for thread in first {
            lane.jobEnded(on: thread)
            if case .run = lane.take(for: thread) { begun.append(thread) }
        }
        #expect(begun.count == first.count + 2)
    }

    /// At a lock, for example, those that wait for it are asleep each time that the scout looks.
    @Test func whereOneEndsNowAndThenTheOthersGetOn() {
        var (lane, begun) = (LaneState(processors: 2), [LaneThread]())
        for _ in 0..<1_000 { _ = lane.add(job, urgency: .prompt) }
        for _ in 0..<20 {
            look(at: &lane, &begun) { _ in .blocked }
            begin(in: &lane, &begun)
            if let last = lane.working.last { lane.jobEnded(on: last) }
        }
        #expect(lane.working.count <= 8 * 21)
    }

    @Test func whatComesLaterIsNotTakenForWhatWasBlocked() {
        var (lane, begun) = (LaneState(processors: 2), [LaneThread]())
        for _ in 0..<100 { _ = lane.add(job, urgency: .prompt) }
        for _ in 0..<10 { look(at: &lane, &begun) { _ in .blocked } }
        #expect(begun.count == 100)
        for _ in 0..<1_000 { _ = lane.add(job, urgency: .prompt) }
        begin(in: &lane, &begun)
        #expect(begun.count == 108)
    }

    /// Many more begin if all of those are blocked: it is not enough that they have used no processor time.
    @Test func theScoutLooksCloselyAtThoseThatWereAsleepTogether() {
        var (lane, begun) = (LaneState(processors: 2), [LaneThread]())
        for _ in 0..<100 { _ = lane.add(job, urgency: .prompt) }
        _ = lane.add(job, urgency: .first)
        func matter() -> [Bool] { begun.filter { $0.running == .prompt }.map { lane.matters($0) } }
        look(at: &lane, &begun) { _ in .new }
        #expect(!matter().contains(true))
        look(at: &lane, &begun) { _ in .asleep }
        #expect(!matter().contains(false))
        look(at: &lane, &begun) { $0 == 0 ? .awake : .blocked }
        #expect(!matter().contains(true))
    }

    @Test func whatThoseUseThatAreBlockedIsNotTakenForProgress() {
        var (lane, begun) = (LaneState(processors: 1), [LaneThread]())
        for _ in 0..<4 { _ = lane.add(job, urgency: .elastic) }
        look(at: &lane, &begun) { _ in .blocked }
        // One is blocked now, and another computes with a tenth of the processor.
        for _ in 0..<5 * LaneState.elasticPatience {
            begin(in: &lane, &begun)
            for (index, thread) in begun.enumerated() {
                let used = index == 0 ? LaneState.lookNanoseconds : LaneState.lookNanoseconds / 10
                lane.saw(thread, index == 0 ? .blocked : .awake, inTurn: thread.turns, used: used)
            }
            lane.watchEnded()
        }
        #expect(begun.count == 2)
    }

    @Test func eventsHavePlacesBesideAnyNumberOfBlockedCompletionBlocks() {
        var (lane, begun) = (LaneState(processors: 2), [LaneThread]())
        for _ in 0..<200 { _ = lane.add(job, urgency: .completion) }
        for _ in 0..<10 { look(at: &lane, &begun) { _ in .blocked } }
        #expect(begun.count < 200)
        _ = lane.add(job, urgency: .brief)
        guard case .run = lane.take(for: LaneThread()) else { return #expect(Bool(false), "it waits") }
    }

    @Test func briefJobsHavePlacesBesideAsManyBlockedOnesAsThereMayBe() {
        var lane = LaneState(processors: 2)
        for _ in 0..<70 { _ = lane.add(job, urgency: .elastic) }
        var blocked = 0
        lane.threadArrived()
        while blocked < LaneState.elasticCeiling, case let thread = LaneThread(), case .run = lane.take(for: thread) {
            lane.saw(thread, .blocked, inTurn: thread.turns)
            blocked += 1
        }
        #expect(blocked == LaneState.elasticCeiling)
        guard case .watch = lane.take(for: LaneThread()) else { return #expect(Bool(false), "no scout") }
        _ = lane.add(job, urgency: .brief)
        guard case .run(_, .brief, _) = lane.take(for: LaneThread()) else { return #expect(Bool(false), "it waits") }
    }

    @Test func aBriefJobThatGoesOnIsOneOfTheElasticOnes() {
        var lane = LaneState(processors: 1)
        for _ in 0..<2 { _ = lane.add(job, urgency: .elastic) }
        #expect(come(1, to: &lane).count == 1)
        _ = lane.add(job, urgency: .brief)
        let thread = come(1, to: &lane)[0]
        #expect(thread.running == .brief)
        #expect(lane.endTurn(of: thread, before: job) == nil)
        guard case .watch = lane.take(for: thread) else { return #expect(Bool(false), "it took an elastic place") }
        // Where nobody else wants the elastic places, brief jobs leave theirs free.
        var other = LaneState(processors: 1)
        _ = other.add(job, urgency: .brief)
        #expect(come(1, to: &other).map(\.running) == [.elastic])
    }

    @Test func theFirstOfAnyNumberOfQueuesMayBlock() {
        var lane = LaneState(processors: 2)
        var threads: [LaneThread] = []
        for _ in 0..<200 {
            _ = lane.add(job, urgency: .first)
            let thread = LaneThread()
            guard case .run = lane.take(for: thread) else { return #expect(Bool(false), "\(threads.count) run") }
            lane.saw(thread, .blocked, inTurn: thread.turns)
            threads.append(thread)
        }
        // Those beyond the elastic ones go on where they are, since nobody else makes room for them.
        #expect(threads.last?.running == .first)
        #expect(lane.endTurn(of: threads[199], before: job) != nil)
        #expect(threads.last?.running == .first)
    }

    @Test func besideThoseThatComputeAsManyFirstOnesMayAsThereAreProcessors() {
        var lane = LaneState(processors: 2)
        for _ in 0..<4 { _ = lane.add(job, urgency: .elastic) }
        for _ in 0..<4 { _ = lane.add(job, urgency: .first) }
        let threads = (0..<5).map { _ in LaneThread() }
        for thread in threads { _ = lane.take(for: thread) }
        #expect(threads.map(\.running) == [.elastic, .elastic, .first, .first, nil])
    }

    @Test func placesForThoseThatComputeForLongAreTakenBackAsTheyEnd() {
        var lane = LaneState(processors: 1)
        for _ in 0..<20 { _ = lane.add(job, urgency: .prompt) }
        let usual = LaneState.promptJobsPerProcessor
        var threads = come(usual, to: &lane)
        lane.threadArrived()
        threads += look(4 * LaneState.patience + 1, at: &lane, LaneThread())
        #expect(threads.count == usual + 4)
        // One that does not take long leaves its place to the next.
        lane.jobEnded(on: threads[usual + 3])
        guard case .run = lane.take(for: threads[usual + 3]) else { return #expect(Bool(false), "it waits") }
        // There is always work, and the places of these are not for it.
        for thread in threads.prefix(3) {
            lane.jobEnded(on: thread)
            if case .run = lane.take(for: thread) { #expect(Bool(false), "too many run") }
        }
        #expect(lane.working.count == usual + 1)
    }

    @Test func idleThreadsAreWokenBeforeOthersAreMade() {
        var lane = LaneState(processors: 2)
        let thread = LaneThread()
        let created = lane.add(job, urgency: .prompt)
        #expect(created == .create)
        lane.threadArrived()
        _ = lane.take(for: thread)
        lane.jobEnded(on: thread)
        guard case .wait = lane.take(for: thread) else { return #expect(Bool(false), "there was a job") }
        let woken = lane.add(job, urgency: .prompt)
        #expect(woken == .wake(thread))
        let stays = lane.wakeUp(thread)
        #expect(stays)
        _ = lane.take(for: thread)
        lane.jobEnded(on: thread)
        guard case .wait = lane.take(for: thread) else { return #expect(Bool(false), "there was a job") }
        let staysUnasked = lane.wakeUp(thread)
        #expect(!staysUnasked, "Nobody woke it: it leaves.")
        #expect(lane.threads == 0)
    }

    @Test func theLastToGoToSleepIsWokenFirstSoThatThoseOfABurstLeave() {
        var lane = LaneState(processors: 5)
        for _ in 0..<20 { _ = lane.add(job, urgency: .prompt) }
        let threads = come(20, to: &lane)
        for thread in threads {
            lane.jobEnded(on: thread)
            _ = lane.take(for: thread)
        }
        #expect(lane.threads == 20)
        // From now on there are never more than three jobs at a time.
        for _ in 0..<100 {
            let woken = threads.suffix(3)
            let supplies = woken.map { _ in lane.add(job, urgency: .prompt) }
            #expect(supplies == woken.reversed().map { .wake($0) })
            for thread in woken {
                let isNeeded = lane.wakeUp(thread)
                #expect(isNeeded)
                _ = lane.take(for: thread)
            }
            for thread in woken {
                lane.jobEnded(on: thread)
                _ = lane.take(for: thread)
            }
        }
        for thread in threads {
            let stays = lane.wakeUp(thread)
            #expect(stays == false, "Its time is out.")
        }
        #expect(lane.threads == 0)
    }
}
