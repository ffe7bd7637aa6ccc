import Synchronization

/// Calls a closure when it has been counted down to zero.
final class Countdown: Sendable {
    private let left: Atomic<Int>
    private let whenZero: @Sendable () -> Void

    init(_ count: Int, whenZero: @escaping @Sendable () -> Void) {
        left = Atomic(count)
        self.whenZero = whenZero
    }

    func countDown() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { whenZero() }
    }
}
