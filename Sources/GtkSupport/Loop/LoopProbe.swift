import CGtk
import Glibc

/// Measures how long the main loop is kept from waiting for the next event.
///
/// The time from the return of one poll to the call of the next one is exactly what nobody can be answered in.
public enum LoopProbe {
    /// The longest time that the loop was busy since the last reset.
    public private(set) static var longest = Duration.zero
    /// How often it was busy for longer than 16 milliseconds since the last reset.
    public private(set) static var stalls = 0
    /// The most CPU time that the loop's thread took in one go since the last reset: what is left of the longest time
    /// where other programs had the processor meanwhile.
    public private(set) static var longestCPU = Duration.zero
    /// Who is told when it was busy.
    private static var observers: [ObjectIdentifier: (ContinuousClock.Instant, ContinuousClock.Instant) -> Void] = [:]
    private static var busySince: ContinuousClock.Instant?
    private static var usedBefore = Duration.zero

    /// Begins to measure. Where it does already, it goes on.
    public static func attach() {
        g_main_context_set_poll_func(nil) { descriptors, count, timeout in
            LoopProbe.endOfWork()
            let result = g_poll(descriptors, count, timeout)
            LoopProbe.busySince = .now
            LoopProbe.usedBefore = LoopProbe.used
            return result
        }
    }

    /// Tells somebody each time when it was busy for longer than 16 milliseconds, with when that was, before the loop waits again.
    ///
    /// - Parameter observer: Who is told, until they are forgotten.
    public static func tell(
        _ observer: AnyObject,
        _ body: @escaping (_ from: ContinuousClock.Instant, _ to: ContinuousClock.Instant) -> Void
    ) {
        observers[ObjectIdentifier(observer)] = body
    }

    /// Tells somebody no more.
    public static func forget(_ observer: AnyObject) { observers[ObjectIdentifier(observer)] = nil }

    /// Forgets what was measured.
    public static func reset() {
        longest = .zero
        longestCPU = .zero
        stalls = 0
    }

    /// The CPU time of the thread.
    private static var used: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func endOfWork() {
        guard let busySince else { return }
        let now = ContinuousClock.now
        let busy = now - busySince
        longest = max(longest, busy)
        longestCPU = max(longestCPU, used - usedBefore)
        guard busy > .milliseconds(16) else { return }
        stalls += 1
        for body in observers.values { body(busySince, now) }
    }
}
