/// How slow a network is.
public struct NetworkSpeed: Hashable, Sendable {
    /// How long a request waits for the first byte of its answer.
    public var latency: Duration
    /// How many bytes each connection brings in a second, at least 1.
    public var bytesPerSecond: Int

    /// Makes a network that is so slow.
    ///
    /// - Parameters:
    ///   - latency: How long a request waits for the first byte of its answer. Default: 200 ms.
    ///   - bytesPerSecond: How many bytes each connection brings in a second, at least 1. Default: 200,000.
    public init(latency: Duration = .milliseconds(200), bytesPerSecond: Int = 200_000) {
        self.latency = latency
        self.bytesPerSecond = max(1, bytesPerSecond)
    }
}
