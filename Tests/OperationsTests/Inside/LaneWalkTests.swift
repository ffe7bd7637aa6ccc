import OperationsTesting
import Testing

@testable import OperationsCore

/// Random walks through the states of a lane, with threads that come when they are asked for, run jobs, look and leave.
@Suite struct LaneWalkTests {
    /// A lane and the threads that it has.
    private struct Walk {
        var lane = LaneState(processors: 2)
        var random: SeededRandom
        /// Jobs that have no thread yet.
        var waiting = 0
        /// Threads that are being made.
        var created = 0
        var woken: [LaneThread] = []
        var sleeping: [LaneThread] = []
        var running: [LaneThread] = []
        var scout: LaneThread?

        private let job = WorkerJob.block {}

        init(seed: UInt64) { random = SeededRandom(seed: seed) }

        private mutating func chance(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &random) == 0 }

        private mutating func take(from threads: WritableKeyPath<Walk, [LaneThread]>) -> LaneThread? {
            let count = self[keyPath: threads].count
            guard count > 0 else { return nil }
            return self[keyPath: threads].remove(at: Int.random(in: 0..<count, using: &random))
        }

        private mutating func provide(_ supply: LaneState.Supply) {
            switch supply {
            case .none: break
            case .create: created += 1
            case .wake(let thread):
                sleeping.removeAll { $0 == thread }
                woken.append(thread)
            }
        }

        private mutating func goOn(_ thread: LaneThread) {
            switch lane.take(for: thread) {
            case .run(_, _, let supply):
                waiting -= 1
                running.append(thread)
                provide(supply)
            case .watch:
                #expect(scout == nil, "There are two scouts.")
                scout = thread
            case .wait: sleeping.append(thread)
            }
        }

        mutating func step() {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1:
                let urgencies: [Urgency] = [.prompt, .elastic, .patient, .first, .brief, .completion]
                waiting += 1
                provide(lane.add(job, urgency: urgencies.randomElement(using: &random) ?? .prompt))
            case 2, 3: letOneArrive()
            case 4: if chance(2), let thread = take(from: \.running) { end(thread) }
            case 5: if chance(3), let thread = take(from: \.running) { endTurn(of: thread) }
            case 6: look()
            default: if chance(4), let thread = take(from: \.sleeping) { leave(thread) }
            }
        }

        private mutating func letOneArrive() {
            if created > 0 {
                created -= 1
                lane.threadArrived()
                goOn(LaneThread())
            } else if let thread = take(from: \.woken) {
                let stays = lane.wakeUp(thread)
                #expect(stays)
                goOn(thread)
            }
        }

        private mutating func end(_ thread: LaneThread) {
            lane.jobEnded(on: thread)
            goOn(thread)
        }

        private mutating func endTurn(of thread: LaneThread) {
            if lane.endTurn(of: thread, before: job) != nil { return running.append(thread) }
            waiting += 1
            goOn(thread)
        }

        private mutating func look() {
            guard let scout else { return }
            let areBlocked = chance(2)
            let sights: [ThreadClock.Sight] = areBlocked ? [.blocked] : [.new, .awake, .asleep, .blocked]
            for thread in lane.working where !chance(10) {
                lane.saw(thread, sights.randomElement(using: &random) ?? .new, inTurn: thread.turns)
            }
            lane.watchEnded()
            self.scout = nil
            goOn(scout)
        }

        private mutating func leave(_ thread: LaneThread) {
            let stays = lane.wakeUp(thread)
            #expect(!stays, "Nobody has woken it.")
        }

        /// Somebody is on the way, or will see what becomes of those that run.
        var isServed: Bool { waiting == 0 || created > 0 || !woken.isEmpty || scout != nil }
    }

    @Test func aJobThatWaitsNeverWaitsForNobody() {
        for seed in 0..<200 as Range<UInt64> {
            var walk = Walk(seed: seed)
            for step in 0..<400 {
                walk.step()
                guard walk.isServed else {
                    Issue.record("Seed \(seed), step \(step).")
                    return
                }
            }
        }
    }
}
