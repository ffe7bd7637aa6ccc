#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The time that a thread or a process has computed.
struct ProcessorClock {
    private let identifier: clockid_t

    init(_ identifier: clockid_t) {
        self.identifier = identifier
    }

    /// That of the thread that asks.
    static let thisThread = ProcessorClock(CLOCK_THREAD_CPUTIME_ID)
    /// That of all threads of this process.
    static let thisProcess = ProcessorClock(CLOCK_PROCESS_CPUTIME_ID)
    /// Does not tell: somebody else's decoder computes on threads that nobody names.
    static let unknown = ProcessorClock(-1)

    /// Nil if the system does not tell, as for a process that has ended.
    var now: Duration? {
        var time = timespec()
        guard clock_gettime(identifier, &time) == 0 else { return nil }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
