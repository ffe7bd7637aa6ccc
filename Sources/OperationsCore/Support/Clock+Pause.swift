extension Clock where Duration == Swift.Duration {
    /// Sleeps for a duration, or for a century if that is shorter.
    ///
    /// The clocks of the standard library end the program at a time whose nanoseconds they cannot count, such as
    /// `.seconds(Int64.max)`, by which people mean that there is no limit.
    package func pause(for duration: Duration) async throws {
        try await sleep(for: min(duration, .seconds(100 * 365 * 86_400)))
    }
}
