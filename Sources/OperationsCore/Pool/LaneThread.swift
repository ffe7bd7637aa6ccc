import Foundation

/// One thread of a lane, as those know it who may wake it: a condition of its own, so that they can choose.
///
/// The variables are touched only under the lane's monitor, but for `sample`, which is the scout's. The condition is fixed for
/// life and used by pthread calls alone. That makes it `Sendable`.
final class LaneThread: @unchecked Sendable {
    /// Since it went to sleep.
    var isWoken = false
    /// The kind of job that it runs, if it runs one.
    var running: LaneState.Kind?
    /// Where it stands among those that run jobs.
    var position = 0
    /// Its job neither computes nor could if it got a processor.
    var isBlocked = false
    /// How many jobs, and turns of such, it has begun.
    var turns: UInt = 0
    /// How often the scout had looked when the last of them began.
    var turnBegan: UInt = 0
    /// What the scout saw last.
    var sample = ThreadClock.Sample()
    /// Set by the thread itself, before anyone else knows of it.
    var clock: ThreadClock?

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

extension LaneThread: Equatable {
    static func == (first: LaneThread, second: LaneThread) -> Bool { first === second }
}
