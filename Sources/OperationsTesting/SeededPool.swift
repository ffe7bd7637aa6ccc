import Dispatch
import Foundation
import OperationsCore

/// Runs the jobs of a scheduler's queues, one step at a time, in the order that a seed decides.
///
/// Whoever takes steps has the turn, which only one thread has at a time: one that uses the scheduler, one that waits for work of it, or
/// the leader, a thread of the scheduler. A wait inside a step keeps its thread, as it does on threads: the leader takes the steps from
/// then on. When the wait is over it is drawn like a job, and its thread goes on with the turn while the leader ends. So every order
/// that comes to an end on threads comes to an end here, and whatever waits holds up nothing but itself.
///
/// For a task that awaits work the leader takes the steps, since a step that waits would keep the task's own thread. The task goes on
/// between two steps.
final class SeededPool: WorkerPool, TaskExecutor {
    private struct State {
        var line: SeededLine
        /// What observers have to be told, in order. It is not drawn, so that looking on changes no order.
        var deliveries: [@Sendable () -> Void] = []
        /// The waits inside steps, in the order of their beginning.
        var waits: [SeededWait] = []
        /// How many steps each thread is in, one inside the other, but for those that wait.
        var depths: [UInt: Int] = [:]
        /// Somebody has the turn. A thread that is in a step and does not wait has it.
        var isTurnTaken = false
        /// What wakes a thread that has drawn the end of another one's wait, and gets the turn back.
        var lender: DispatchSemaphore?
        /// Tasks outside of all steps that wait, and maybe some that have gone on.
        var tasks: [SeededTaskWait] = []
        /// Leaders that have begun, and not ended.
        var leaders: Set<UInt> = []

        /// - Returns: False if somebody else has the turn.
        mutating func takeTurn() -> Bool {
            defer { isTurnTaken = true }
            return !isTurnTaken
        }

        /// There is something to do, or will be when a wait is over.
        var hasSteps: Bool { !line.isEmpty || !deliveries.isEmpty || !waits.isEmpty }

        /// Somebody cannot go on by itself without steps: a task, or a thread in a step, but for a leader.
        var needsLeader: Bool { !tasks.isEmpty && hasSteps || waits.contains { !$0.isOfLeader } }
    }

    private enum Next {
        case job(WorkerJob, Lane)
        /// The end of a wait.
        case wait(SeededWait)
    }

    private let seed: UInt64
    private let state: Lock<State>
    /// For what the work itself does by chance, so that it changes no order of the jobs.
    private let chance: Lock<SeededRandom>

    init(seed: UInt64) {
        self.seed = seed
        state = Lock(State(line: SeededLine(SeededRandom(seed: seed))))
        chance = Lock(SeededRandom(seed: ~seed))
    }

    func number(_ core: QueueCore) { state.withLock { $0.line.number(core) } }

    // MARK: What the queues ask for

    func add(_ job: WorkerJob, lane: Lane, urgency: Urgency) { add { $0.line.add(job, lane) } }

    func addDelivery(_ block: @escaping @Sendable () -> Void) { add { $0.deliveries.append(block) } }

    private func add(_ body: (inout State) -> Void) {
        let isAwaited = state.withLock { state in
            body(&state)
            return !state.isTurnTaken && !state.tasks.isEmpty
        }
        guard isAwaited else { return }
        // It may be a task that has gone on which adds something.
        letTasksGoOn()
        let isLeaderless = state.withLock { $0.needsLeader && $0.takeTurn() }
        if isLeaderless { startLeader() }
    }

    func taskExecutor(in lane: Lane) -> (any TaskExecutor)? { self }

    func random(in range: ClosedRange<Double>) -> Double {
        chance.withLock { Double.random(in: range, using: &$0) }
    }

    /// A task that was suspended can go on.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        add(.block { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }, lane: .standard, urgency: .prompt)
    }

    func help(_ wait: BlockingWait) {
        if wait.isOver() { return }
        let thread = Self.thread
        let suspended: SeededWait? = state.withLock { state in
            guard let depth = state.depths.removeValue(forKey: thread) else { return nil }
            let isOfLeader = state.leaders.contains(thread)
            let suspended = SeededWait(wait, on: thread, depth: depth, isOfLeader: isOfLeader)
            state.waits.append(suspended)
            return suspended
        }
        guard let suspended else { return takeSteps(until: SeededWait(wait, on: thread, depth: 0)) }
        if !returnTurn() { startLeader() }
        suspended.sleep()
        // What the others have done is seen from here on.
        state.withLock { _ in }
    }

    nonisolated(nonsending) func drive(until isDone: @escaping @Sendable () -> Bool) async {
        // The leader may resume the task before that is suspended. Thread Sanitizer does not see what orders that, and takes what an
        // unsafe continuation reads of the task's memory for a race with what the task writes there next.
        await withCheckedContinuation { continuation in
            let (waits, begins) = state.withLock { state in
                // The step that the task is in returns when the task is suspended, and another one follows.
                guard state.depths[Self.thread] == nil else { return (false, false) }
                let begins = state.hasSteps && state.takeTurn()
                state.tasks.append(SeededTaskWait(state.isTurnTaken ? continuation : nil, until: isDone))
                return (state.isTurnTaken, begins)
            }
            if !waits { continuation.resume() }
            if begins { startLeader() }
        }
    }

    // MARK: Steps of threads that use the scheduler

    /// Takes a step. Where there is none, and some wait for what comes from elsewhere, it waits for that.
    /// - Returns: False if there was nothing to do.
    func step() -> Bool {
        var pause: SeededPause?
        while true {
            switch tryToAdvance() {
            case true?: return true
            case false?:
                guard state.withLock({ !$0.waits.isEmpty && $0.depths[Self.thread] == nil }) else { return false }
                rest(&pause)
            case nil: letOthersStep(&pause)
            }
        }
    }

    /// Takes steps as long as a wait outside of all steps lasts.
    private func takeSteps(until wait: SeededWait) {
        var pause: SeededPause?
        while !wait.isOver {
            // What ends elsewhere may end it, or bring more to do.
            switch tryToAdvance() {
            case true?: pause = nil
            case false?: rest(&pause, wait)
            case nil: letOthersStep(&pause)
            }
        }
    }

    /// Takes a step, if nobody else has the turn.
    /// - Returns: False if there was nothing to do; nil if somebody else has the turn.
    private func tryToAdvance() -> Bool? {
        // It may be in a step, and takes another one inside that.
        let hasTurn = state.withLock { state in
            state.depths[Self.thread] != nil || state.takeTurn()
        }
        guard hasTurn else { return nil }
        defer { giveTurn() }
        return advance()
    }

    private func advance() -> Bool {
        while deliver() {}
        guard let next = takeNext() else { return false }
        switch next {
        case .job(let job, let lane): run(job, lane)
        case .wait(let wait):
            let lender = DispatchSemaphore(value: 0)
            state.withLock { $0.lender = lender }
            wait.wake()
            lender.wait()
            state.withLock { _ in }
        }
        while deliver() {}
        return true
    }

    // MARK: The turn

    /// Lets the turn go, unless the calling thread is still in a step.
    private func giveTurn() {
        if state.withLock({ $0.depths[Self.thread] != nil }) { return }
        if !returnTurn(), !letTurnGo() { startLeader() }
    }

    /// Gives the turn back to the thread that has lent it, if there is one.
    private func returnTurn() -> Bool {
        let lender = state.withLock { $0.lender.take() }
        lender?.signal()
        return lender != nil
    }

    /// Lets the turn go, if nobody waits who needs steps. Tasks whose wait is over go on, and those for whom there are no steps.
    /// - Returns: Whether it did. Otherwise a leader has to have the turn.
    private func letTurnGo() -> Bool {
        letTasksGoOn { state in
            guard !state.needsLeader else { return false }
            state.isTurnTaken = false
            return true
        }
    }

    /// Lets tasks go on whose wait is over, or for whom there are no steps.
    /// - Parameter decide: What is decided before they do, under the lock.
    @discardableResult
    private func letTasksGoOn(_ decide: (inout State) -> Bool = { _ in true }) -> Bool {
        // Asked without the lock, since that takes locks of operations.
        let done = state.withLock { $0.tasks }.filter { $0.isDone() }
        let (decision, goesOn) = state.withLock { state in
            state.tasks.removeAll { task in done.contains { $0 === task } }
            let idle = state.hasSteps ? [] : state.tasks
            return (decide(&state), (done + idle).compactMap { $0.continuation.take() })
        }
        for continuation in goesOn { continuation.resume() }
        return decision
    }

    /// Has a thread of the scheduler go on with the turn.
    private func startLeader() {
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { pool in
            pthread_detach(pthread_self())
            if let pool { Unmanaged<SeededPool>.fromOpaque(pool).takeRetainedValue().lead() }
            return nil
        }
        let itself = Unmanaged.passRetained(self)
        var thread: pthread_t = 0
        let error = ThreadSignals.inheritOnlyFaults(and: ThreadSignals.ofWorkers) {
            pthread_create(&thread, nil, body, itself.toOpaque())
        }
        guard error != 0 else { return }
        itself.release()
        RefusedThread.askAgain(after: error) { [self] in startLeader() }
    }

    /// Takes the steps until another thread does, or nobody needs them.
    private func lead() {
        state.withLock { _ = $0.leaders.insert(Self.thread) }
        defer { state.withLock { _ = $0.leaders.remove(Self.thread) } }
        var pause: SeededPause?
        while !returnTurn() {
            if deliver() { continue }
            if letTurnGo() { return }
            switch takeNext() {
            case .job(let job, let lane):
                pause = nil
                run(job, lane)
            case .wait(let wait): return wait.wake()
            case nil: rest(&pause)
            }
        }
    }

    // MARK: Steps

    private static var thread: UInt { UInt(pthread_self()) }

    /// Draws what comes next. A thread that is in a step, and takes another one inside that, leaves the others asleep: they
    /// may wait for it.
    private func takeNext() -> Next? {
        let waits = state.withLock { $0.depths[Self.thread] == nil ? $0.waits : [] }
        let over = waits.filter(\.isOver)
        return state.withLock { state in
            switch state.line.draw(besides: over.count) {
            case nil: return nil
            case .job(let job, let lane): return .job(job, lane)
            case .other(let number):
                let wait = over[number]
                state.waits.removeAll { $0 === wait }
                state.depths[wait.thread] = wait.depth
                return .wait(wait)
            }
        }
    }

    private func run(_ job: WorkerJob, _ lane: Lane) {
        inStep {
            let following = job.step(in: WorkerTurn(lane: lane, of: self))
            if let following { add(following, lane: lane, urgency: .prompt) }
        }
    }

    /// Tells observers something, if there is something to tell them.
    private func deliver() -> Bool {
        let delivery = state.withLock { $0.deliveries.isEmpty ? nil : $0.deliveries.removeFirst() }
        guard let delivery else { return false }
        inStep(delivery)
        return true
    }

    private func inStep(_ body: () -> Void) {
        let thread = Self.thread
        state.withLock { $0.depths[thread, default: 0] += 1 }
        body()
        state.withLock { state in
            let depth = state.depths[thread, default: 1] - 1
            state.depths[thread] = depth == 0 ? nil : depth
        }
    }

    /// Lets a moment pass in which somebody else has the turn.
    private func letOthersStep(_ pause: inout SeededPause?) {
        pause = nil
        usleep(500)
    }

    /// Lets a moment pass in which there is nothing to do. After a second it says so of each wait.
    private func rest(_ pause: inout SeededPause?, _ wait: SeededWait? = nil) {
        let current = pause ?? SeededPause()
        pause = current
        if current.isLong {
            let waits = state.withLock { $0.waits }
            for each in waits + (wait.map { [$0] } ?? []) { each.report(seed: seed) }
        }
        usleep(500)
    }
}
