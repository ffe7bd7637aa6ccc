/// How long an answer may be used without asking, and how old it is (RFC 9111, 4.2).
struct Freshness: Hashable, Sendable {
    /// For how many seconds from its making the answer is fresh.
    let lifetime: Int
    /// How old it was when it arrived, in seconds.
    let initialAge: Int
    /// When it arrived, in seconds since 1970.
    let receivedAt: Int

    /// The longest lifetime that is guessed, in seconds: a day. Beyond that the guess would need a warning to the user.
    static let longestGuess = 86_400
    /// The longest that a failure is used without asking, in seconds: what is put right is soon seen.
    static let longestFailure = 300

    /// What the fields of an answer say.
    /// - Parameters:
    ///   - fields: The answer's fields.
    ///   - requestedAt: When the request was sent to which it is the answer, in seconds since 1970.
    ///   - receivedAt: When its head arrived.
    init(_ fields: HeaderFields, requestedAt: Int, receivedAt: Int) {
        self.receivedAt = receivedAt
        let control = CacheControl(fields)
        // An answer without a date counts as made when it arrived (RFC 9110, 6.6.1).
        let date = fields.first("date").flatMap { HTTPDate.seconds($0) } ?? receivedAt
        lifetime = Self.lifetime(fields, control, date: date, receivedAt: receivedAt)
        // 4.2.3: the age by the clocks, or what those in between tell and the way took, whichever is more.
        let apparent = max(0, receivedAt - date)
        let told = CacheControl.seconds(fields.list("age").first) ?? 0
        initialAge = max(apparent, told + max(0, receivedAt - requestedAt))
    }

    /// The age at a time, in seconds; nil where the clock was set back behind the arrival, so that nobody knows.
    func age(at now: Int) -> Int? {
        now >= receivedAt ? initialAge + (now - receivedAt) : nil
    }

    /// For how many seconds it has been stale: none or less while it is fresh. Forever, if the age is unknown.
    /// - Parameter lifetime: For how many seconds it is fresh; nil for as long as its server says.
    func staleness(at now: Int, lifetime: Int? = nil) -> Int {
        guard let age = age(at: now) else { return .max }
        // Fresh is what is younger than its lifetime (4.2), so that a lifetime of 0 is never fresh.
        return age - (lifetime ?? self.lifetime) + 1
    }

    private static func lifetime(
        _ fields: HeaderFields, _ control: CacheControl, date: Int, receivedAt: Int
    ) -> Int {
        if let maxAge = control.maxAge { return maxAge }
        let expires = fields.values("expires")
        if let first = expires.first {
            // One that cannot be read, `0` above all, means that it is over (5.3).
            guard Set(expires).count == 1, let end = HTTPDate.seconds(first) else { return 0 }
            return min(max(0, end - date), CacheControl.longest)
        }
        // 4.2.2: nothing was said, so a tenth of the time for which it has not changed.
        guard let text = fields.first("last-modified"), let changed = HTTPDate.seconds(text)
        else { return 0 }
        return min(max(0, date - changed) / 10, longestGuess)
    }
}
