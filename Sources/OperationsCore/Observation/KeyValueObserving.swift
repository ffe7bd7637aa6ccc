// There is no key-value observing on Linux. Code that uses it is told what to use instead, in one error.

extension OperationQueueAdditions where Self: OperationQueue {
    /// Not there on Linux: use ``observe(_:)`` with a closure for events, or ``events(bufferingPolicy:)``.
    @available(
        *, unavailable,
        message: "Linux has no key-value observing: use observe { event in … } or events(), which tell of every change"
    )
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: KeyValueOptions = [],
        changeHandler: @escaping (Self, KeyValueChange<Value>) -> Void
    ) -> ObservationToken { ObservationToken {} }
}

extension OperationAdditions where Self: Operation {
    /// Not there on Linux: use ``observe(_:)`` with a closure for states, or ``states``.
    @available(
        *, unavailable,
        message: "Linux has no key-value observing: use observe { state in … } or states, which tell of every state"
    )
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: KeyValueOptions = [],
        changeHandler: @escaping (Self, KeyValueChange<Value>) -> Void
    ) -> ObservationToken { ObservationToken {} }
}

/// What key-value observing has for options; only for the message that says what to use instead.
public struct KeyValueOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Options from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The value after the change.
    public static let new = KeyValueOptions(rawValue: 1)
    /// The value before the change.
    public static let old = KeyValueOptions(rawValue: 2)
    /// The value at the beginning.
    public static let initial = KeyValueOptions(rawValue: 4)
    /// A call before each change, too.
    public static let prior = KeyValueOptions(rawValue: 8)
}

/// What key-value observing says of a change; only for the message that says what to use instead.
public struct KeyValueChange<Value> {
    /// The value after the change.
    public let newValue: Value?
    /// The value before the change.
    public let oldValue: Value?
    /// Whether the change is still to come.
    public let isPrior: Bool
}
