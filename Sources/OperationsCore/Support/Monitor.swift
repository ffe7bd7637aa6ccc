import Foundation

/// A mutex with a condition, for state that threads wait on.
///
/// `Lock` owns the value it guards; a monitor stands beside the values it guards, because an operation cannot
/// afford a mutex of its own and the queue's hottest path hands several values through one critical section.
/// Both pointers are fixed for life and every use of them is a pthread call, which makes it `Sendable`.
package final class Monitor: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        mutex = .allocate(capacity: 1)
        initializeAdaptive(mutex)
        condition = .allocate(capacity: 1)
        initializeMonotonic(condition)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Makes it as new, in a process that has just been forked: the threads that wait for the old one are not there.
    func forgetWaiters() {
        initializeAdaptive(mutex)
        initializeMonotonic(condition)
    }

    @inline(__always)
    func lock() { pthread_mutex_lock(mutex) }

    /// False if another thread has it.
    @inline(__always)
    func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }

    @inline(__always)
    func unlock() { pthread_mutex_unlock(mutex) }

    @inline(__always)
    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Waits for a signal; the caller holds the lock and checks its condition in a loop.
    func wait() { pthread_cond_wait(condition, mutex) }

    /// Waits for a signal until `deadline`; false once that moment has passed.
    func wait(until deadline: Moment) -> Bool { deadline.wait(condition, mutex) }

    /// Waits for a signal of another condition until `deadline`; false once that moment has passed.
    func wait(on condition: UnsafeMutablePointer<pthread_cond_t>, until deadline: Moment) -> Bool {
        deadline.wait(condition, mutex)
    }

    func signal() { pthread_cond_signal(condition) }

    func broadcast() { pthread_cond_broadcast(condition) }
}

/// Makes a mutex that tries again for a moment before it puts the thread to sleep.
///
/// A monitor is held for some ten nanoseconds at a time. Sleeping and being woken costs a hundred times that, and
/// the one who unlocks pays part of it, while it keeps everyone else waiting.
private func initializeAdaptive(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
}

/// Makes a condition whose timed waits a change of the wall clock neither ends nor stretches.
func initializeMonotonic(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
}

/// A moment of the monotonic clock, in the form that pthread's timed waits take.
struct Moment {
    private let time: timespec

    /// The moment `milliseconds` from now.
    init(millisecondsFromNow milliseconds: Int) {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let nanoseconds = now.tv_nsec + (milliseconds % 1_000) * 1_000_000
        time = timespec(
            tv_sec: now.tv_sec + milliseconds / 1_000 + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000)
    }

    /// Waits on a condition until this moment; false once it has passed.
    func wait(
        _ condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>
    ) -> Bool {
        var time = time
        return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT
    }
}
