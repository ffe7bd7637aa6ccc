import Foundation

/// What happened at a ``FaultServer``, for threads to count in and tests to wait for.
///
/// All state is behind the condition, which makes `@unchecked Sendable` true.
final class ServerLog: @unchecked Sendable {
    struct Entries {
        var requests: [String: Int] = [:]
        var answers: [String: Int] = [:]
        var confirmed: [String: Int] = [:]
        var peerCloses: [String: Int] = [:]
        var bodies: [String: Served] = [:]
        var uploads: [String: Data] = [:]
        var scripts: [String: FaultScript] = [:]
        var heads: [String: [String]] = [:]
        var open: Set<Int32> = []
        var accepted = 0
        var peakOpen = 0
        var threads = 0
        var isStopping = false
        var isGateOpen = false
    }

    struct Served {
        var body: Data
        var headers: [String: String]
    }

    private let condition = NSCondition()
    private var entries = Entries()

    /// Changes or reads the entries, and wakes whoever waits for a change.
    func update<Result>(_ body: (inout Entries) -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        defer { condition.broadcast() }
        return body(&entries)
    }

    /// Waits until the entries are as wished; false if they are not after `seconds`.
    func wait(seconds: Double, until isMet: (Entries) -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !isMet(entries) {
            if !condition.wait(until: end) { return isMet(entries) }
        }
        return true
    }
}
