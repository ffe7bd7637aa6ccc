import Foundation

/// The mutexes of all operations: a fixed table, in which an operation's address chooses its own.
///
/// A mutex inside each operation would be a fifth of its memory, and is needed only for what lies beside the
/// word: the side record and blocks. Two operations may share a mutex, so that nobody may hold two,
/// and nothing may be released under one (a `deinit` takes one too).
enum OperationLocks {
    struct Stripe {
        var mutex = pthread_mutex_t()
        var condition = pthread_cond_t()
    }

    private static let count = 256

    /// Written once, before anyone can see it; from then on only pthread touches what it points to.
    private nonisolated(unsafe) static let table: UnsafeMutablePointer<Stripe> = {
        let table = UnsafeMutablePointer<Stripe>.allocate(capacity: count)
        for index in 0..<count {
            table.advanced(by: index).initialize(to: Stripe())
            pthread_mutex_init(&table[index].mutex, nil)
            initializeMonotonic(&table[index].condition)
        }
        return table
    }()

    @inline(__always)
    static func stripe(of operation: Operation) -> UnsafeMutablePointer<Stripe> {
        let address = UInt(bitPattern: Unmanaged.passUnretained(operation).toOpaque())
        // Fibonacci hashing: the allocator's regular distances must not fall on a few stripes.
        return table + Int(((address >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
}

extension Operation {
    /// Locks the operation's mutex, for code that is generic where `locked` would cost it metadata at run time.
    @inline(__always)
    final func lock() { pthread_mutex_lock(&OperationLocks.stripe(of: self).pointee.mutex) }

    @inline(__always)
    final func unlock() { pthread_mutex_unlock(&OperationLocks.stripe(of: self).pointee.mutex) }

    /// Runs `body` under the operation's mutex. It must release nothing and call nobody else's code.
    @inline(__always)
    final func locked<Result>(_ body: () -> Result) -> Result {
        let stripe = OperationLocks.stripe(of: self)
        pthread_mutex_lock(&stripe.pointee.mutex)
        defer { pthread_mutex_unlock(&stripe.pointee.mutex) }
        return body()
    }
}
