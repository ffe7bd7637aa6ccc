import Synchronization

/// Calls a closure when it has been counted down to zero.
package final class Countdown: Sendable {
    private let left: Atomic<Int>
    private let whenZero: @Sendable () -> Void

    /// - Parameters:
    ///   - count: How often it is counted down, at least once.
    ///   - whenZero: Called by the last who counts.
    package init(_ count: Int, whenZero: @escaping @Sendable () -> Void) {
        left = Atomic(count)
        self.whenZero = whenZero
    }

    package func countDown() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { whenZero() }
    }
}
