public import Foundation
import Synchronization

/// A unit of work that a queue starts when its dependencies have finished and a place in the queue's width is free.
///
/// It behaves as Foundation's `Operation` does. Synchronous work overrides `main()`; work that outlasts its
/// `start()` is best a subclass of `AsyncOperation`, and the published patterns that override `start()`,
/// `isExecuting` and `isFinished` and announce changes by `willChangeValue(forKey:)` work too.
///
/// Every member may be used from any thread: what threads race for is one atomic word, the rest is behind a mutex.
open class Operation: NSObject, @unchecked Sendable {
    /// The state machine's word; see `OperationState`.
    private final let word = Atomic<UInt64>(OperationState().rawValue)

    /// The engine of its queue: written once, before the word says that a queue takes it in, and never again.
    ///
    /// Until the queue has taken it in, which the word says, the queue keeps the engine; from then on this is a
    /// reference. So those who add leave the engine's reference count, which the workers are using, alone.
    @exclusivity(unchecked) final var unretainedCore: Unmanaged<QueueCore>?

    final var core: QueueCore? { unretainedCore?.takeUnretainedValue() }

    // Owned by the queue, under its lock, which is what makes accesses exclusive.
    @exclusivity(unchecked) final var sequence: UInt64 = 0
    @exclusivity(unchecked) final var storePlace = StorePlace.none
    @exclusivity(unchecked) final var previousMember: Unmanaged<Operation>?
    @exclusivity(unchecked) final var nextMember: Unmanaged<Operation>?

    // The edges, under the locks that `Operation+Dependencies.swift` tells of.
    @exclusivity(unchecked) final var edges = Edges.none
    @exclusivity(unchecked) final var nextEdge = EdgeLink.none
    @exclusivity(unchecked) final var previousEdge = EdgeLink.none
    @exclusivity(unchecked) final var firstDependent = EdgeLink.none
    /// Under the operation's mutex, which is what makes accesses exclusive.
    @exclusivity(unchecked) final var extras: OperationExtras?

    public override init() {
        super.init()
    }

    deinit {
        if state.unmetDependencies > 0 { unlinkFromDependencies() }
        if !edges.isEmpty { ExecutionContext.unretained._withUnsafeGuaranteedRef { $0.release(&edges) } }
        if state.isEnqueued { unretainedCore?.release() }
    }

    // MARK: State

    @inline(__always)
    final var state: OperationState {
        OperationState(rawValue: word.load(ordering: .acquiring))
    }

    /// Applies `event` to the word as one atomic step.
    @inline(__always)
    final func transition(_ event: OperationState.Event) -> OperationState.Actions {
        var old = state
        while true {
            var new = old
            let actions = new.apply(event)
            if new == old { return actions }
            switch replace(old, by: new) {
            case nil: return actions
            case .some(let current): old = current
            }
        }
    }

    /// Stores `new` if the word is still `old`; otherwise returns what it is.
    @inline(__always)
    final func replace(_ old: OperationState, by new: OperationState) -> OperationState? {
        let (exchanged, original) = word.compareExchange(
            expected: old.rawValue, desired: new.rawValue, ordering: .acquiringAndReleasing)
        return exchanged ? nil : OperationState(rawValue: original)
    }

    /// Takes one of the word's locks, and applies an event in the same step. It is held for some instructions only.
    @inline(__always)
    final func acquire(
        _ lock: OperationState.EdgeLock, _ event: OperationState.Event? = nil
    ) -> OperationState.Actions {
        var (old, tries) = (state, 0)
        while true {
            guard !old.isHeld(lock) else {
                tries += 1
                if tries > 1_000 { usleep(50) } else if tries > 10 { sched_yield() }
                old = state
                continue
            }
            var new = old
            new.hold(lock)
            let actions = event.map { new.apply($0) } ?? []
            guard let current = replace(old, by: new) else { return actions }
            old = current
        }
    }

    @inline(__always)
    final func release(_ lock: OperationState.EdgeLock) {
        word.bitwiseAnd(~lock.rawValue, ordering: .releasing)
    }

    /// Makes it a member of its queue, and keeps the queue's engine from now on. Refused if it has finished before.
    @inline(__always)
    final func enterQueue(mayClaim: Bool) -> OperationState.Actions {
        let actions = transition(.enqueue(mayClaim: mayClaim))
        _ = unretainedCore?.retain()
        return actions
    }

    /// Its number in the order of adding, for whoever does not hold the queue's lock; the last that there is while it is no
    /// member.
    final var numberInQueue: UInt64 { state.isEnqueued ? sequence : .max }

    /// A comparison that leaves the engine's reference count alone.
    @inline(__always)
    final func belongs(to core: QueueCore?) -> Bool {
        unretainedCore?.toOpaque() == core.map { Unmanaged.passUnretained($0).toOpaque() }
    }

    /// True once it was cancelled; a finished operation cannot be.
    open var isCancelled: Bool { state.isCancelled }

    /// True while `main()` runs, or between start and finish of asynchronous work.
    open var isExecuting: Bool { state.phase == .executing && !state.hasWorkReturned }

    /// True from the end of the work on, also when it was cancelled and never ran.
    ///
    /// An override that says false when `main()` has returned keeps the operation from finishing, until it says true and
    /// `didChangeValue(forKey: "isFinished")` reports the change.
    open var isFinished: Bool {
        let state = state
        return state.isFinished || state.phase == .executing && (state.hasWorkReturned || isAskedAfterMain)
    }

    /// True if the work outlasts `start()`. The engine does not need to know; false by default.
    open var isAsynchronous: Bool { false }

    /// True if every dependency has finished, or the operation was cancelled; from the start on it stays true.
    ///
    /// An override is asked when a queue is about to start the operation. If it says no, the operation is put
    /// aside until `didChangeValue(forKey: "isReady")` reports a change. A queue starts one that was cancelled without
    /// asking. In no queue it is read when the last dependency has finished or is removed, and when the operation is
    /// cancelled, on the thread that did that, and after each report of a change.
    open var isReady: Bool { state.isUnhindered }

    // MARK: Running

    /// Runs the operation on the calling thread: `main()`, then finish.
    ///
    /// A queue calls it; called by hand it needs an operation in no queue whose dependencies have finished.
    /// A second call does nothing. A cancelled operation finishes without `main()`.
    open func start() {
        noteReasonIfStartedByHand()
        let actions = beginWork()
        guard actions.contains(.accepted) else { return checkRefusedStart() }
        let context = ExecutionContext.current
        if actions.contains(.skipMain) {
            // An override that calls this one may have something to do before it says that it has finished.
            if context.isStepping(self), !isFinished { return }
        } else {
            runMain(on: context, in: enqueuedCore)
            if !context.asking(self, { isFinished }) {
                _ = transition(.workReturned)
                // A report that came between the question and now was about nothing yet.
                guard isFinished else { return }
            }
        }
        finishNow()
    }

    /// Its `main()` has returned on this thread, which asks whether it has finished: yes, unless a subclass says otherwise.
    private final var isAskedAfterMain: Bool { ExecutionContext.existing?.isAsking(self) ?? false }

    /// `main()`, as the innermost one of the thread and as a part of the queue's progress.
    final func runMain(on context: ExecutionContext, in core: QueueCore?) {
        context.running(self) {
            if let core, core.progress.isReporting {
                core.progress.reporting { main() }
            } else {
                main()
            }
        }
    }

    /// A second start does nothing; one that comes too early is a mistake.
    final func checkRefusedStart() {
        Misuse.require(state.hasBegun, Misuse.started(self))
    }

    /// The work of a synchronous operation; does nothing by default.
    open func main() {}

    /// Marks the operation cancelled.
    ///
    /// One that has not started never runs `main()`: it stops waiting for its dependencies and finishes as soon
    /// as its queue may start it. One that runs has to look at `isCancelled` itself. One that has finished stays
    /// as it is.
    open func cancel() {
        let actions = transition(.cancel)
        if actions.contains(.reconcile) { core?.reconcile(self) }
        if actions.contains(.cancelExecution) { deliverCancellation() }
        // Not again: what is read may cancel.
        if actions.contains(.accepted) { askReadiness() }
    }

    /// What `AsyncOperation` does about a cancellation while it executes.
    func deliverCancellation() {}

    /// Raises the priority of work that is under way.
    func escalateWork(to priority: TaskPriority) {}

    /// Its work is asynchronous and known to the engine, so that the thread of a task that awaits it may begin it.
    var beginsWhereAwaited: Bool { false }

    /// What a subclass of the engine lets go of at the finish, with no lock held.
    func discardWork() {}

    // MARK: Dependencies

    /// Makes the operation wait for `op` to finish, in whatever queue that is.
    ///
    /// It has an effect any time before the start. The same operation counts once; a finished one, cancelled or
    /// not, counts as met. Depending on itself traps.
    /// - Parameter op: The operation to wait for; kept alive until it is removed or this operation is released.
    open func addDependency(_ op: Operation) { depend(on: op) }

    /// Stops waiting for `op`, any time before the start; does nothing when it is no dependency.
    /// - Parameter op: The operation to wait for no longer.
    open func removeDependency(_ op: Operation) { stopDepending(on: op) }

    /// The operations that this one waits for or has waited for, in the order of adding.
    open var dependencies: [Operation] { listedDependencies }

    // MARK: Properties

    /// Which of several ready operations of a queue starts first; normal by default, whatever the quality of service.
    ///
    /// A change takes effect at once, also in a queue, and keeps the place in the order of adding.
    open var queuePriority: QueuePriority {
        get { QueuePriority(level: state.priorityLevel) }
        set {
            let actions = transition(.setPriority(newValue.level))
            if actions.contains(.reconcile) { core?.reconcile(self) }
            reconsiderExclusion()
        }
    }

    /// Called once after the operation has finished, cancelled or not, on a thread of the engine.
    ///
    /// It is taken before it is called, so that inside it this property is nil. Nothing waits for it: neither
    /// dependents nor `waitUntilFinished()`, and it takes no place in a queue's width. A block set after the
    /// finish is never called. The operation is there until the block has returned.
    open var completionBlock: (@Sendable () -> Void)? {
        get { locked { extras?.completionBlock } }
        set { replaceCompletionBlock(newValue) }
    }

    /// Blocks the calling thread until the operation has finished.
    ///
    /// Waiting for the operation whose `main()` is calling traps, and so does waiting on the main thread for an
    /// operation of the main queue that has not started.
    @available(*, noasync, message: "Use completionBlock or a dependent Operation instead")
    open func waitUntilFinished() { blockUntilFinished() }

    /// Which threads of the engine run it: `.utility` and `.background` have threads of a lower priority.
    ///
    /// Unless it is set, `.default` is read and the queue's value decides.
    open var qualityOfService: QualityOfService {
        get { QualityOfService(code: state.quality) ?? .default }
        set { _ = transition(.setQuality(newValue.code)) }
    }

    /// A name for messages and diagnostics; nil by default.
    open var name: String? {
        get { locked { extras?.name } }
        set {
            withExtras { extras in
                let old = extras.name
                extras.name = newValue
                return old
            }
        }
    }
}

extension Operation: ReadyElement {}

extension Operation {
    /// The name, or the class and the address of an operation that has none.
    final var label: String {
        if let name { return name }
        let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        return "\(type(of: self)) 0x\(String(address, radix: 16))"
    }

    /// Changes the side record, which is made on first use, under the operation's mutex.
    ///
    /// Whatever a change replaces has to be returned, so that it is released outside.
    @discardableResult
    final func withExtras<Result>(_ body: (OperationExtras) -> Result) -> Result {
        locked { body(madeExtras) }
    }

    /// The same, together with an event.
    /// - Returns: nil if the word does not accept the event; then nothing is changed.
    final func withExtras<Result>(
        accepting event: OperationState.Event, _ body: (OperationExtras) -> Result
    ) -> Result? {
        locked { transition(event).contains(.accepted) ? body(madeExtras) : nil }
    }

    /// The side record, under the operation's mutex.
    private final var madeExtras: OperationExtras {
        if let extras { return extras }
        let made = OperationExtras()
        extras = made
        return made
    }
}
