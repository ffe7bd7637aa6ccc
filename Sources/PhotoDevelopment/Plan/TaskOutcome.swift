/// How a task ends, when it is not that all its shards are committed.
struct TaskOutcome {
    private var known: Result<TaskRun.End, DevelopmentError>?

    /// Whether no more shards are to be begun.
    var isKnown: Bool { known != nil }

    var end: TaskRun.End? {
        get throws(DevelopmentError) { try known?.get() }
    }

    /// The first reason counts; that something was given up is none beside others.
    mutating func note(_ end: Result<TaskRun.End, DevelopmentError>) {
        switch known {
        case nil, .success(.cancelled): known = end
        default: break
        }
    }
}
