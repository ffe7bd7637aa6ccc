import Foundation

/// One thread of a lane, as those know it who may wake it: a condition of its own, so that they can choose.
///
/// The flag is touched only under the lane's monitor, and the condition is fixed for life and used by pthread calls
/// alone, which makes it `Sendable`.
final class Sleeper: @unchecked Sendable {
    /// Since it went to sleep.
    var isWoken = false
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() { initializeMonotonic(condition) }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Waits, with the monitor locked, until somebody has woken it or `deadline` has passed.
    func sleep(in monitor: Monitor, until deadline: Moment) {
        while !isWoken, monitor.wait(on: condition, until: deadline) {}
    }

    /// Ends the sleep of one whose flag is set.
    func wake() { pthread_cond_signal(condition) }
}

extension Sleeper: Equatable {
    static func == (first: Sleeper, second: Sleeper) -> Bool { first === second }
}
