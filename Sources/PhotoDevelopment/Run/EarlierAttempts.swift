/// What is remembered of a row that waits for another try, in place of all that was made for it.
struct EarlierAttempts {
    /// How many have failed.
    var count = 0
    /// What they have received.
    var bytes = 0
    /// When the first one began.
    var began = ContinuousClock.now
}
