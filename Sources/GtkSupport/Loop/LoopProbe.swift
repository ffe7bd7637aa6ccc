import CGtk

/// Measures how long the main loop is kept from waiting for the next event.
///
/// The time from the return of one poll to the call of the next one is exactly what nobody can be answered in.
public enum LoopProbe {
    /// The longest time that the loop was busy since the last reset.
    public private(set) static var longest = Duration.zero
    /// How often it was busy for longer than 16 milliseconds since the last reset.
    public private(set) static var stalls = 0
    private static var busySince: ContinuousClock.Instant?

    /// Begins to measure; once.
    public static func attach() {
        g_main_context_set_poll_func(nil) { descriptors, count, timeout in
            LoopProbe.endOfWork()
            let result = g_poll(descriptors, count, timeout)
            LoopProbe.busySince = .now
            return result
        }
    }

    /// Forgets what was measured.
    public static func reset() {
        longest = .zero
        stalls = 0
    }

    private static func endOfWork() {
        guard let busySince else { return }
        let busy = ContinuousClock.now - busySince
        longest = max(longest, busy)
        if busy > .milliseconds(16) { stalls += 1 }
    }
}
