/// Reads the field `Retry-After` (RFC 9110, 10.2.3). libcurl reads it too, but newer versions, as 8.14, make six hours of
/// what is longer.
enum RetryAfter {
    /// How long a server asks to wait, at most ten years; nil if it does not.
    /// - Parameters:
    ///   - text: The value of the field: a number of seconds, or a date. Of text behind a number, such as `7 s`, only the
    ///     number counts.
    ///   - now: The time of day in seconds since 1970, from which a date is counted.
    static func wait(_ text: String, now: Int) -> Duration? {
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
        let seconds: Int
        if digits.count < text.utf8.count, let date = HTTPDate.seconds(text) {
            seconds = date - now
        } else if digits.isEmpty {
            return nil
        } else {
            // More digits than an integer holds are a long time as well.
            seconds = Int(Substring(digits)) ?? .max
        }
        return seconds > 0 ? min(.seconds(seconds), longest) : nil
    }

    /// Longer than anybody waits, and short enough to be reckoned with.
    private static let longest = Duration.seconds(10 * 365 * 86_400)
}
