public import Dispatch
public import Foundation

/// Runs operations: those that are ready, by priority and then in the order of adding, as many at once as its width.
///
/// It behaves as Foundation's `OperationQueue` does. It lives until its operations have finished, also when
/// nobody else holds it. Every member may be used from any thread: all that changes is in the engine, under its monitor.
open class OperationQueue: NSObject, ProgressReporting, @unchecked Sendable {
    /// The default of `maxConcurrentOperationCount`: the engine decides.
    public static let defaultMaxConcurrentOperationCount: Int = -1

    package final let core: QueueCore
    /// Keeps the queue that forwards to this one; under the engine's monitor.
    final var keptForwarding: Foundation.OperationQueue?

    // A designated one: subclasses elsewhere see no other, and could not be created by a convenience one.
    public override init() {
        core = Self.makeCore(on: ThreadPool.shared, ContinuousClock())
        super.init()
        settleIn()
    }

    /// Creates a queue whose work runs on a given pool.
    /// - Parameters:
    ///   - pool: What runs the work and the completion blocks.
    ///   - clock: What the queue measures time with.
    package init(pool: any WorkerPool, clock: any Clock<Duration>) {
        core = Self.makeCore(on: pool, clock)
        super.init()
        settleIn()
    }

    /// Another queue for an engine whose queue is gone.
    init(_ core: QueueCore) {
        self.core = core
        super.init()
        core.attach(self)
    }

    private static func makeCore(on pool: any WorkerPool, _ clock: any Clock<Duration>) -> QueueCore {
        QueueCore(name: "", width: defaultMaxConcurrentOperationCount, pool: pool, clock: clock)
    }

    private func settleIn() {
        core.name = "OperationQueue 0x\(String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16))"
        core.attach(self)
    }

    private init(mainQueueNamed name: String) {
        core = QueueCore(
            name: name, width: 1, pool: DispatchPool(.main), clock: ContinuousClock(), isMain: true)
        super.init()
        core.attach(self)
    }

    deinit { core.hub.end() }

    private static let mainQueue = OperationQueue(mainQueueNamed: "OperationQueue main")

    /// The queue of the main thread, through the main dispatch queue. Its width is 1 for good, and it ignores
    /// suspension and `cancelAllOperations()`. Tasks begin on the main thread and go on where Swift's tasks do, and
    /// `run(isolation:name:priority:_:)` stays where it is called: what draws is the main actor's.
    open class var main: OperationQueue { mainQueue }

    /// The queue whose operation or barrier runs on the calling thread or whose task is calling; `main` on the main
    /// thread otherwise.
    open class var current: OperationQueue? {
        let core = ExecutionContext.current.core
        if let place = TaskPlace.current, place.isInside(core) { return place.core.owner }
        if let core { return core._withUnsafeGuaranteedRef { $0.owner } }
        return Thread.isMainThread ? main : nil
    }

    // MARK: Adding

    /// Adds an operation. One that has been added before, or has started, traps.
    /// - Parameter op: The operation; the queue holds it until it finishes.
    open func addOperation(_ op: Operation) {
        core.add(op, to: self)
    }

    /// Adds operations as one step, in their order.
    /// - Parameters:
    ///   - ops: The operations; the queue holds each until it finishes.
    ///   - wait: True to block the calling thread until all of them have finished.
    @available(*, noasync, message: "Use addBarrierBlock or a dependent Operation instead")
    open func addOperations(_ ops: [Operation], waitUntilFinished wait: Bool) {
        guard !ops.isEmpty else { return }
        core.add(ops, to: self)
        guard wait else { return }
        // The last first: when it is done most of the others are, which wakes this thread once and not for each.
        for index in ops.indices.reversed() where !ops[index].state.isFinished { ops[index].waitUntilFinished() }
    }

    /// Adds a block as an operation of its own.
    /// - Parameter block: What to run; released when it has run.
    open func addOperation(_ block: @escaping @Sendable () -> Void) {
        addOperation(BlockOperation(block: block))
    }

    /// Adds a block that starts when all that was added before it has finished, and holds back all that is added after.
    ///
    /// It obeys suspension and the width, is not among `operations`, and `cancelAllOperations()` drops it.
    /// - Parameter barrier: What to run; released when it has run.
    open func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
        core.addBarrier(barrier, to: self)
    }

    // MARK: Settings

    /// How many operations may run at once: -1, the default, lets the engine decide, 0 starts none.
    ///
    /// Any number is honoured, also for operations that block, which have a thread each; changes apply to what has not started.
    /// Of operations that compute, four for each processor run at once in all such queues together, and more when none of
    /// those ends for a while. By default as many compute as there are processors, and one more for each fifth of a second of
    /// processor time in which none of them comes to an end. One that blocks is replaced within milliseconds, up to 64 threads in
    /// all queues together, and one more within about a second while all of those are blocked. Beside those, the first operation
    /// of a queue that was idle always gets a thread. Work that holds no thread, as a task that is suspended, is not counted
    /// then. Queues that want more than there is take turns of about a millisecond.
    /// Negative numbers other than -1 trap.
    open var maxConcurrentOperationCount: Int {
        get { core.width }
        set {
            Misuse.require(newValue >= Self.defaultMaxConcurrentOperationCount, Misuse.width(newValue, of: core.name))
            if !core.isMain { core.width = newValue }
        }
    }

    /// True while nothing new starts; what runs goes on. False by default.
    open var isSuspended: Bool {
        get { core.isSuspended }
        set { if !core.isMain { core.isSuspended = newValue } }
    }

    /// A name for messages and diagnostics; made from the address by default.
    open var name: String? {
        get { core.name }
        set { if !core.isMain { core.name = newValue ?? "" } }
    }

    /// Which threads run operations that have no quality of service of their own; `.default` by default.
    open var qualityOfService: QualityOfService {
        get { core.isMain ? .userInteractive : QualityOfService(code: core.quality) ?? .default }
        set { if !core.isMain { core.quality = newValue.code } }
    }

    /// The dispatch queue that the operations run on; nil, the default, for the engine's own threads.
    ///
    /// Setting it while the queue has operations traps. On the main dispatch queue they run on the main thread, one at a time, as those
    /// of ``main`` do; Apple's documentation forbids that, and programs do it. Whoever waits for them there waits for ever.
    open var underlyingQueue: DispatchQueue? {
        get { core.underlyingQueue }
        set {
            guard !core.isMain else { return }
            let pool: any WorkerPool = newValue.map { DispatchPool($0) } ?? core.completionPool
            let isReplaced = core.replacePool(by: pool)
            Misuse.require(isReplaced, Misuse.underlyingQueue(of: core.name))
        }
    }

    // MARK: Looking on

    /// The operations that have not finished, in the order of adding.
    ///
    /// The list of some hundred and more is made in parts, between which others may use the queue: all that were in it
    /// throughout are listed, and those that finish meanwhile may be.
    open var operations: [Operation] { core.operations }

    /// How many operations have not finished.
    open var operationCount: Int { core.operationCount }

    /// Counts operations that have run, once its `totalUnitCount` has been set; one unit each. One that was cancelled before its
    /// start is not counted, as with Foundation.
    open var progress: Progress { core.progress.whole }

    /// Cancels all operations, in the order of adding, and drops the barriers that have not started.
    ///
    /// What a barrier held back does not start before its turn to be cancelled has come. So an override of `cancel()` may wait for
    /// its own operation and for those that it cancels or adds, but not for one that is cancelled after it.
    open func cancelAllOperations() {
        if !core.isMain { core.cancelAll() }
    }

    /// Blocks the calling thread until the queue has no operations and no barriers.
    ///
    /// Waiting for the queue whose operation's `main()`, block or barrier is calling traps, and so does waiting on the main
    /// thread for a main queue that has operations or barriers. A wait in the `execute()` or `start()` of an operation of the
    /// queue, which another thread may end, is reported in the log after a second.
    @available(*, noasync, message: "Use completionBlock or a dependent Operation instead")
    open func waitUntilAllOperationsAreFinished() {
        let context = ExecutionContext.current
        context.forEachMain { main in
            main._withUnsafeGuaranteedRef {
                Misuse.require($0.enqueuedCore !== core, Misuse.waitedForOwnQueue(core.name, in: $0))
            }
        }
        Misuse.require(!context.isInBarrier(of: core), Misuse.waitedForOwnQueue(core.name))
        let waitsForItself = core.isMain && DispatchPool.isOnMain && !core.isDrained
        Misuse.require(!waitsForItself, Misuse.waitedForMainQueue())
        core.waitUntilDrained(context.suspicion(of: core))
    }
}
