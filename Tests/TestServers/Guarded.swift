import Foundation

/// A value that threads change, and that tests wait for.
///
/// All of it is behind the condition, which makes `@unchecked Sendable` true.
final class Guarded<Value>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// Changes or reads the value, and wakes whoever waits for a change.
    func update<Result>(_ body: (inout Value) -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        defer { condition.broadcast() }
        return body(&value)
    }

    /// Waits until the value is as wished; false if it is not after `seconds`.
    func wait(seconds: Double, until isMet: (Value) -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !isMet(value) {
            if !condition.wait(until: end) { return isMet(value) }
        }
        return true
    }
}
