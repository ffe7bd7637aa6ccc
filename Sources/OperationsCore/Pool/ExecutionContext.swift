import Foundation

/// What the engine knows about one thread: which queue's work runs on it, and which operations' `main()`.
///
/// Made on a thread's first use of the engine and touched by that thread alone. The references are unretained:
/// whoever sets one holds the object until it is reset.
final class ExecutionContext {
    // One thread alone touches them, and no access calls out: nothing to check for exclusivity.
    /// The queue whose operation or barrier runs here.
    @exclusivity(unchecked) var core: Unmanaged<QueueCore>?
    /// The operation that a worker's step is about, while its `start()` has not returned.
    @exclusivity(unchecked) var stepping: Unmanaged<Operation>?
    /// It starts what it made room for, and leaves what that makes room for to others.
    @exclusivity(unchecked) var startsForOthers = false
    let claim = Claim()
    /// When that `start()` was called; nil where nobody wants to know.
    @exclusivity(unchecked) var startMoment: EventHub.Moment?
    /// The operations whose `main()` runs here, as a list through the stack.
    @exclusivity(unchecked) private(set) var innermostMain: UnsafePointer<RunningMain>?

    /// The operation whose `isFinished` is asked after its `main()` has returned.
    @exclusivity(unchecked) private var asked: Unmanaged<Operation>?

    /// The edges of operations that are being released, while the thread lets go of some.
    @exclusivity(unchecked) private var released: [Edges]?

    /// The operations whose work has yet to be raised, while the thread raises that of another.
    @exclusivity(unchecked) private var escalations: [(operation: Operation, priority: TaskPriority)] = []
    @exclusivity(unchecked) private var isEscalating = false

    /// A thread of the utility or background lane.
    var hasLowPriority = false

    private init() { ClaimWatch.add(self) }

    deinit { ClaimWatch.remove(self) }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { context in
            if let context { Unmanaged<ExecutionContext>.fromOpaque(context).release() }
        }
        return key
    }()

    /// The calling thread's.
    static var current: ExecutionContext { unretained.takeUnretainedValue() }

    /// The calling thread's, if it has used the engine.
    static var existing: ExecutionContext? {
        pthread_getspecific(key).map { Unmanaged<ExecutionContext>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The calling thread's, which the thread holds.
    static var unretained: Unmanaged<ExecutionContext> {
        if let context = pthread_getspecific(key) { return .fromOpaque(context) }
        let made = Unmanaged.passRetained(ExecutionContext())
        pthread_setspecific(key, made.toOpaque())
        return made
    }

    /// Runs an operation's `main()`, or what stands for it, as the innermost one of the thread.
    @inline(__always)
    func running(_ operation: Operation, _ body: () -> Void) {
        let outer = innermostMain
        withUnsafePointer(to: RunningMain(operation: .passUnretained(operation), outer: outer)) {
            innermostMain = $0
            body()
        }
        innermostMain = outer
    }

    /// Asks an operation whether it has finished, now that its `main()` has returned.
    @inline(__always)
    func asking(_ operation: Operation, _ isFinished: () -> Bool) -> Bool {
        let outer = asked
        asked = .passUnretained(operation)
        defer { asked = outer }
        return isFinished()
    }

    /// The thread is a worker, in the `start()` of the operation.
    func isStepping(_ operation: Operation) -> Bool {
        stepping?.toOpaque() == Unmanaged.passUnretained(operation).toOpaque()
    }

    func isAsking(_ operation: Operation) -> Bool {
        asked?.toOpaque() == Unmanaged.passUnretained(operation).toOpaque()
    }

    /// Has another thread go on with what this one has claimed, since this one is about to wait or to run something else.
    func giveClaimedAway() { claim.take()?.giveAway() }

    /// Visits the operations whose `main()` runs here, the innermost first.
    func forEachMain(_ body: (Unmanaged<Operation>) -> Void) {
        var main = innermostMain
        while let current = main {
            body(current.pointee.operation)
            main = current.pointee.outer
        }
    }

    func isRunningMain(of operation: Operation) -> Bool {
        var isRunning = false
        forEachMain { if $0.toOpaque() == Unmanaged.passUnretained(operation).toOpaque() { isRunning = true } }
        return isRunning
    }

    /// Lets go of edges, and of all that is released with them, without recursion: so a chain of any length can be released.
    ///
    /// Each operation gives up its own edges in its `deinit`, when no weak reference can bring it back to life.
    func release(_ edges: inout Edges) {
        var own = Edges.none
        swap(&own, &edges)
        guard released == nil else { released?.append(own); return }
        released = []
        // The optimiser would let go of them as early as it can: before there is the list, which ends in recursion.
        withExtendedLifetime(own) {}
        own = .none
        while let next = released?.popLast() { withExtendedLifetime(next) {} }
        released = nil
    }

    /// Raises the work of an operation.
    ///
    /// Swift tells those that are awaited in a task of its rise while it holds that task's lock. What follows from that comes
    /// afterwards, so that neither the stack nor the locks that are held grow with a chain of waits.
    func escalateWork(of operation: Operation, to priority: TaskPriority) {
        escalations.append((operation, priority))
        guard !isEscalating else { return }
        isEscalating = true
        while let next = escalations.popLast() { next.operation.escalateWork(to: next.priority) }
        isEscalating = false
    }

    /// One operation whose `main()` runs, for as long as it does.
    struct RunningMain {
        let operation: Unmanaged<Operation>
        let outer: UnsafePointer<RunningMain>?
    }

    /// Runs `body` as part of `core`'s work.
    func working<Result>(for core: QueueCore, _ body: () -> Result) -> Result {
        let outer = self.core
        self.core = .passUnretained(core)
        defer { self.core = outer }
        return body()
    }
}
