/// What became of one operation, as far as a trace has seen.
struct TraceRecord {
    /// A number that stands for the operation, in the order of being seen.
    var identifier: Int
    var name = ""
    /// The queue's name.
    var queue = ""
    @TraceMoment var added: Duration?
    @TraceMoment var ready: Duration?
    @TraceMoment var started: Duration?
    @TraceMoment var finished: Duration?
    /// What it was about meanwhile, each to the beginning of the next; times as those above.
    var phases: [(name: StaticString, began: Duration)] = []
    /// Where it began.
    var thread: UInt64 = 0
    var isCancelled = false
    var hasFailed = false
    var isAsynchronous = false
    /// The operations it depended on when it finished, by their numbers.
    var dependencies: [Int] = []
    /// The one of them that finished last, which it waited for.
    var waitedFor: Int?

    /// False for one that others depend on, and that finished before the trace began.
    var hasHappened: Bool { (added ?? ready ?? started ?? finished) != nil }
}

/// A time in whole nanoseconds, which takes a third of the memory of a `Duration?`.
@propertyWrapper
struct TraceMoment {
    private var nanoseconds = Int64.min

    var wrappedValue: Duration? {
        get { nanoseconds == .min ? nil : .nanoseconds(nanoseconds) }
        set { nanoseconds = newValue.map { Int64($0 / .nanoseconds(1)) } ?? .min }
    }
}
