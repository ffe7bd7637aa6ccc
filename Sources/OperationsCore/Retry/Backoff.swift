import Foundation

/// How long to wait between attempts: a delay that grows by a factor, up to a limit, with some of it left to chance.
///
/// Chance keeps clients that failed together from coming back together; a `jitter` of 1 is what "Exponential
/// Backoff And Jitter" (AWS Architecture Blog, 2015) calls full jitter, 0.5 equal jitter.
public struct Backoff: Sendable, Hashable {
    /// The delay after the first attempt, before jitter.
    public var initial: Duration
    /// What each further delay is multiplied by; at least 1.
    public var factor: Double
    /// The longest delay.
    public var maximum: Duration
    /// The part of the delay that chance may take away, from 0 to 1.
    public var jitter: Double

    /// Creates a back-off.
    /// - Parameters:
    ///   - initial: The delay after the first attempt; not negative.
    ///   - factor: What each further delay is multiplied by; at least 1, by default 2.
    ///   - maximum: The longest delay; 30 seconds by default, at least zero.
    ///   - jitter: The part of the delay that chance may take away, from 0 to 1; half of it by default.
    public init(
        initial: Duration, factor: Double = 2, maximum: Duration = .seconds(30), jitter: Double = 0.5
    ) {
        Misuse.require(initial >= .zero && maximum >= .zero, "A delay is not negative: \(initial), \(maximum).")
        Misuse.require(factor >= 1, "A back-off's factor is at least 1, not \(factor).")
        Misuse.require((0...1).contains(jitter), "A back-off's jitter is from 0 to 1, not \(jitter).")
        self.initial = initial
        self.factor = factor
        self.maximum = maximum
        self.jitter = jitter
    }

    /// No delay at all.
    public static let none = Backoff(initial: .zero, jitter: 0)

    /// The delay after an attempt: `min(maximum, initial * factor^(attempt - 1))`, less what chance takes.
    /// - Parameter attempt: The attempt that failed; the first is 1.
    public func delay(afterAttempt attempt: Int) -> Duration {
        // Not by a `SystemRandomNumberGenerator` given to the other: that has no bytes, hence no address, and code that
        // is built for Thread Sanitizer reports an access to whatever address is at hand, which may end the program.
        delay(afterAttempt: attempt, less: { Double.random(in: $0) })
    }

    /// The delay after an attempt, with chance from a generator of one's own.
    /// - Parameters:
    ///   - attempt: The attempt that failed; the first is 1.
    ///   - random: Where chance comes from.
    public func delay(afterAttempt attempt: Int, using random: inout some RandomNumberGenerator) -> Duration {
        delay(afterAttempt: attempt, less: { Double.random(in: $0, using: &random) })
    }

    func delay(afterAttempt attempt: Int, less part: (ClosedRange<Double>) -> Double) -> Duration {
        guard initial > .zero else { return .zero }
        // A power that overflows is infinite, which is more than any ratio of two durations.
        let growth = pow(factor, Double(max(attempt, 1) - 1))
        let delay = growth < Self.seconds(maximum) / Self.seconds(initial) ? min(maximum, initial * growth) : maximum
        return jitter > 0 ? delay * (1 - part(0...jitter)) : delay
    }

    private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
}
