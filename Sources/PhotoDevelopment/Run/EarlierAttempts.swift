/// What is remembered of a row that waits for another try, in place of all that was made for it.
struct EarlierAttempts {
    /// How many have failed.
    var count = 0
    /// What they have received.
    var bytes = 0
    /// When the first one began.
    var began = ContinuousClock.now

    /// How long ago that was.
    var milliseconds: Int64 {
        let elapsed = (ContinuousClock.now - began).components
        return elapsed.seconds * 1_000 + elapsed.attoseconds / 1_000_000_000_000_000
    }
}
