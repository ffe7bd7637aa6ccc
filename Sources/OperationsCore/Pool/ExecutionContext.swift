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
    /// The operations whose `main()` runs here, the innermost last.
    @exclusivity(unchecked) var mains: [Unmanaged<Operation>] = []

    /// A thread of the utility or background lane.
    var hasLowPriority = false

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { context in
            if let context { Unmanaged<ExecutionContext>.fromOpaque(context).release() }
        }
        return key
    }()

    /// The calling thread's.
    static var current: ExecutionContext {
        if let context = pthread_getspecific(key) {
            return Unmanaged<ExecutionContext>.fromOpaque(context).takeUnretainedValue()
        }
        let made = ExecutionContext()
        pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque())
        return made
    }

    func isRunningMain(of operation: Operation) -> Bool {
        mains.contains { $0.toOpaque() == Unmanaged.passUnretained(operation).toOpaque() }
    }

    /// Runs `body` as part of `core`'s work.
    func working<Result>(for core: QueueCore, _ body: () -> Result) -> Result {
        let outer = self.core
        self.core = .passUnretained(core)
        defer { self.core = outer }
        return body()
    }
}
