extension OperationQueueAdditions where Self: OperationQueue {
    /// How many operations may start in a time, by the queue's clock; nil, the default, for any number.
    ///
    /// It applies beside `maxConcurrentOperationCount`. Barriers do not count, nor do operations that were cancelled
    /// before the start, which do not wait for it when their turn comes, or are put aside. For one that is being asked
    /// whether it is ready a start is kept free: an `isReady` that takes its time holds up those behind it. A change takes
    /// effect at once, with a full bucket.
    public var rateLimit: RateLimit? {
        get { core.rateLimit }
        set { core.rateLimit = newValue }
    }
}
