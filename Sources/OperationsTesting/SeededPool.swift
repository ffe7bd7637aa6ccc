import Dispatch
import Foundation
import OperationsCore

/// Runs the jobs of a scheduler's queues, one step at a time, in the order that a seed decides.
///
/// Steps run on the thread that uses the scheduler. A wait inside a step keeps its thread, as it does on threads: another
/// thread, the leader, takes the steps from then on. When the wait is over it is drawn like a job, and its thread goes on while
/// the leader ends. So every order that comes to an end on threads comes to an end here, and whatever waits holds
/// up nothing but itself. The threads hand over to each other, and no two of them are at work at a time.
final class SeededPool: WorkerPool, TaskExecutor {
    private struct State {
        var line: SeededLine
        /// What observers have to be told, in order. It is not drawn, so that looking on changes no order.
        var deliveries: [@Sendable () -> Void] = []
        /// The waits inside steps, in the order of their beginning.
        var waits: [SeededWait] = []
        /// How many steps each thread is in, one inside the other, but for those that wait.
        var depths: [UInt: Int] = [:]
        /// What wakes the thread that uses the scheduler, while one that it has drawn goes on with its step. There are several
        /// if tasks drive it on several threads.
        var users: [DispatchSemaphore] = []
        /// Another thread than the user's takes the steps.
        var isLed = false
    }

    private enum Next {
        case job(WorkerJob, Lane)
        /// The end of a wait.
        case wait(SeededWait)
    }

    private let seed: UInt64
    private let state: Lock<State>

    init(seed: UInt64) {
        self.seed = seed
        state = Lock(State(line: SeededLine(SeededRandom(seed: seed))))
    }

    func number(_ core: QueueCore) { state.withLock { $0.line.number(core) } }

    // MARK: What the queues ask for

    func add(_ job: WorkerJob, lane: Lane, urgency: Urgency) { state.withLock { $0.line.add(job, lane) } }

    func addDelivery(_ block: @escaping @Sendable () -> Void) { state.withLock { $0.deliveries.append(block) } }

    func taskExecutor(in lane: Lane) -> (any TaskExecutor)? { self }

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
            let suspended = SeededWait(wait, on: thread, depth: depth)
            state.waits.append(suspended)
            return suspended
        }
        guard let suspended else { return takeSteps(until: SeededWait(wait, on: thread, depth: 0)) }
        handOver()
        suspended.sleep()
        // What the others have done is seen from here on.
        state.withLock { _ in }
    }

    func drive(until isDone: () -> Bool) {
        // The step that the task is in returns when the task is suspended, and another one follows.
        if state.withLock({ $0.depths.isEmpty && !$0.isLed }) { while !isDone(), advance() {} }
    }

    // MARK: Steps of the thread that uses the scheduler

    /// Takes a step. Where there is none, and some wait for what comes from elsewhere, it waits for that.
    /// - Returns: False if there was nothing to do.
    func step() -> Bool {
        var pause: SeededPause?
        while !advance() {
            guard state.withLock({ !$0.waits.isEmpty && $0.depths[Self.thread] == nil }) else { return false }
            rest(&pause)
        }
        return true
    }

    /// Takes steps as long as a wait outside of all steps lasts.
    private func takeSteps(until wait: SeededWait) {
        var pause: SeededPause?
        while !wait.isOver {
            // What ends elsewhere may end it, or bring more to do.
            if advance() { pause = nil } else { rest(&pause, wait) }
        }
    }

    private func advance() -> Bool {
        while deliver() {}
        guard let next = takeNext() else { return false }
        switch next {
        case .job(let job, let lane): run(job, lane)
        case .wait(let wait):
            let user = DispatchSemaphore(value: 0)
            state.withLock { $0.users.append(user) }
            wait.wake()
            user.wait()
            state.withLock { _ in }
        }
        while deliver() {}
        return true
    }

    // MARK: Handing over

    /// Has another thread take the steps, as the calling one is about to wait.
    private func handOver() {
        if wakeUser() { return }
        state.withLock { $0.isLed = true }
        startLeader()
    }

    /// Has the thread that uses the scheduler go on, if that has let another one go on with a step.
    private func wakeUser() -> Bool {
        let user = state.withLock { state in
            let user = state.users.popLast()
            if user != nil { state.isLed = false }
            return user
        }
        user?.signal()
        return user != nil
    }

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

    /// Takes the steps until another thread does.
    private func lead() {
        var pause: SeededPause?
        while !wakeUser() {
            if deliver() { continue }
            switch takeNext() {
            case .job(let job, let lane):
                pause = nil
                run(job, lane)
            case .wait(let wait):
                state.withLock { $0.isLed = false }
                return wait.wake()
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
