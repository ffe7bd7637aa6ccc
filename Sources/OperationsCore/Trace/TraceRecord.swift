/// What became of one operation, as far as a trace has seen.
struct TraceRecord {
    /// A number that stands for the operation, in the order of being seen.
    var identifier: Int
    var name: String
    /// The queue's name.
    var queue: String
    var added: Duration?
    var ready: Duration?
    var started: Duration?
    var finished: Duration?
    /// Where it began.
    var thread: UInt64 = 0
    var isCancelled = false
    var hasFailed = false
    var isAsynchronous = false
    /// The operations it depended on when it finished, by their numbers.
    var dependencies: [Int] = []
    /// The one of them that finished last, which it waited for.
    var waitedFor: Int?
}
