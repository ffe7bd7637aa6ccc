import Foundation

/// The mutexes of all operations: a fixed table, in which an operation's address chooses its own.
///
/// A mutex inside each operation would be a fifth of its memory, and is needed only for what lies beside the
/// word: the side record and blocks. Two operations may share a mutex, so that nobody may hold two,
/// and nothing may be released under one (a `deinit` may take one too).
private enum OperationLocks {
    private static let count = 256

    /// Written once, before anyone can see it; from then on only pthread touches what it points to.
    private nonisolated(unsafe) static let table: UnsafeMutablePointer<pthread_mutex_t> = {
        let table = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: count)
        table.initialize(repeating: pthread_mutex_t(), count: count)
        for index in 0..<count { pthread_mutex_init(table + index, nil) }
        return table
    }()

    @inline(__always)
    static func mutex(of operation: Operation) -> UnsafeMutablePointer<pthread_mutex_t> {
        let address = UInt(bitPattern: Unmanaged.passUnretained(operation).toOpaque())
        // Fibonacci hashing: the allocator's regular distances must not fall on a few of them.
        return table + Int(((address >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
}

extension Operation {
    /// Locks the operation's mutex, for code that is generic where `locked` would cost it metadata at run time.
    @inline(__always)
    final func lock() { pthread_mutex_lock(OperationLocks.mutex(of: self)) }

    @inline(__always)
    final func unlock() { pthread_mutex_unlock(OperationLocks.mutex(of: self)) }

    /// Runs `body` under the operation's mutex. It must release nothing and call nobody else's code.
    @inline(__always)
    final func locked<Result>(_ body: () -> Result) -> Result {
        let mutex = OperationLocks.mutex(of: self)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
