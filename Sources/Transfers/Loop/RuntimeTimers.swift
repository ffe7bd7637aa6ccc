/// The timers of Swift's runtime, by which transfers wait for another try.
enum RuntimeTimers {
    private static let first: Void = {
        Task { try? await Task.sleep(for: .nanoseconds(1)) }
    }()

    /// Sets the first timer of the process, if none was set here. The runtime needs descriptors for that, and ends the process where
    /// there are none, so that it must not wait until they run short.
    static func begin() { first }
}
