import Synchronization

/// What a thread has claimed and not begun, while it lets go of what ran before.
///
/// Letting go may call others' code, and that may wait for just what was claimed, or take long. So any thread may take it from
/// here; whoever does goes on with it.
struct Claim: ~Copyable {
    /// What is not an operation is rare, and in a box.
    private final class Box: Sendable {
        let job: WorkerJob
        init(_ job: WorkerJob) { self.job = job }
    }

    /// The address of an operation, or of a box with a reference to it, and one of the marks; 0 for nothing.
    private let word = Atomic<UInt>(0)

    private let looks = ClaimWatch.looks

    private static let plain: UInt = 1
    private static let boxed: UInt = 2

    /// The thread holds something.
    @inline(__always)
    var isHeld: Bool { word.load(ordering: .relaxed) != 0 }

    /// Lets others take what the calling thread has claimed, until it takes that itself.
    @inline(__always)
    func hold(_ job: consuming WorkerJob?) {
        assert(!isHeld, "A thread has one claim at most.")
        switch consume job {
        case nil: return
        case .operation(let operation, let isPlain):
            word.store(UInt(bitPattern: operation.toOpaque()) | (isPlain ? Self.plain : 0), ordering: .releasing)
        case .some(let other): word.store(Self.box(other), ordering: .releasing)
        }
        looks.ask()
    }

    /// Takes what is held, to go on with it; nil if another thread has it.
    @inline(__always)
    func take() -> WorkerJob? {
        isHeld ? Self.job(word.exchange(0, ordering: .acquiring)) : nil
    }

    /// Takes what was held at the last look, too.
    /// - Parameter seen: What is held; for the next look.
    fileprivate func take(heldSince seen: inout UInt) -> WorkerJob? {
        let last = seen
        seen = word.load(ordering: .relaxed)
        guard last != 0, seen == last else { return nil }
        seen = 0
        return word.compareExchange(expected: last, desired: 0, ordering: .acquiring).exchanged ? Self.job(last) : nil
    }

    @inline(never)
    private static func box(_ job: WorkerJob) -> UInt {
        UInt(bitPattern: Unmanaged.passRetained(Box(job)).toOpaque()) | boxed
    }

    @inline(never)
    private static func unboxed(_ address: UnsafeRawPointer) -> WorkerJob {
        Unmanaged<Box>.fromOpaque(address).takeRetainedValue().job
    }

    /// What a word stands for, which is not used again.
    @inline(__always)
    private static func job(_ word: UInt) -> WorkerJob? {
        guard let address = UnsafeRawPointer(bitPattern: word & ~(plain | boxed)) else { return nil }
        return word & boxed != 0 ? unboxed(address) : .operation(.fromOpaque(address), isPlain: word & plain != 0)
    }
}

/// Has other threads go on with what threads have claimed that do not come back to it.
///
/// A thread that waits through the engine gives away what it has claimed by itself; of others' locks nobody knows.
enum ClaimWatch {
    /// All threads that know the engine, with what each held at the last look. A context takes itself out before it goes.
    private static let threads = Lock<[(context: Unmanaged<ExecutionContext>, held: UInt)]>([])
    static let looks = PeriodicLook(everyMilliseconds: 100) { look() }

    static func add(_ context: ExecutionContext) {
        threads.withLock { $0.append((.passUnretained(context), 0)) }
    }

    static func remove(_ context: ExecutionContext) {
        let address = Unmanaged.passUnretained(context).toOpaque()
        threads.withLock { $0.removeAll { $0.context.toOpaque() == address } }
    }

    /// Giving away may let go of a queue that is gone, and with it of others' code, which may block: so the next look is asked
    /// for before that.
    private static func look() {
        var (jobs, isHeld) = ([WorkerJob](), false)
        threads.withLock { threads in
            for index in threads.indices {
                threads[index].context._withUnsafeGuaranteedRef {
                    if let job = $0.claim.take(heldSince: &threads[index].held) { jobs.append(job) }
                }
                if threads[index].held != 0 { isHeld = true }
            }
        }
        if isHeld { looks.ask() }
        for job in jobs { job.giveAway() }
    }
}

extension WorkerJob {
    /// Has another thread go on with what the calling one has claimed.
    func giveAway() {
        switch self {
        case .search(let core, _): core.give(self, to: core.searchLane)
        case .barrier(_, let core): core.give(self, to: core.lane(nil))
        case .operation(let operation, _):
            let core = operation._withUnsafeGuaranteedRef { $0.core }
            core?.give(self, to: core?.lane(of: self) ?? .standard)
        case .block: preconditionFailure("A thread gives away what it has claimed, and that it has not.")
        }
    }
}
