/// What a catalog may cost before it is refused.
public struct CatalogLimits: Sendable, Hashable {
    /// The most bytes that are read, by default 1 GiB, at most 4 GiB less one byte. Where rows go to a temporary file, of a list, a table or
    /// JSON Lines it is the most that one row may have.
    public var maximumBytes: Int
    /// The deepest nesting of a property list or JSON, by default 128.
    public var maximumDepth: Int

    static let mostBytes = Int(UInt32.max) - 1

    /// Creates limits.
    /// - Parameters:
    ///   - maximumBytes: The most bytes that are read, brought into 0 ... 4,294,967,294.
    ///   - maximumDepth: The deepest nesting, brought into 1 ... 10,000.
    public init(maximumBytes: Int = 1 << 30, maximumDepth: Int = 128) {
        self.maximumBytes = min(max(0, maximumBytes), Self.mostBytes)
        self.maximumDepth = min(max(1, maximumDepth), 10_000)
    }
}
