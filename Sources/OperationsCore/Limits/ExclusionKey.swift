/// What operations that must not run at the same time have in common: a file's name, a host.
///
/// Keys are equal if their values are, of whatever type. Sendable, because it can only be made of what is.
public struct ExclusionKey: Hashable, @unchecked Sendable, CustomStringConvertible {
    private let value: AnyHashable

    /// Creates a key of a value.
    /// - Parameter value: What stands for the key. Its `hash(into:)` and `==` are called with no lock of the engine held,
    ///   on the thread that sets `exclusionKeys`; so they may take their time, and may use operations themselves. So is its
    ///   description, where an operation has several keys: they are taken in that order, for the same seed to be the same order.
    public init(_ value: some Hashable & Sendable) {
        self.value = AnyHashable(value)
    }

    public var description: String { "\(value.base)" }
}
