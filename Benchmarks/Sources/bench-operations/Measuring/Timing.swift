import Dispatch
import Foundation

func timed(_ body: () -> Void) -> Duration { ContinuousClock().measure(body) }

extension Duration {
    var nanoseconds: Double { self / .nanoseconds(1) }
}

/// Runs asynchronous work from the main thread, which is none of the pool's, and waits for it.
func blocking<Success: Sendable>(_ body: @escaping @Sendable () async -> Success) -> Success {
    let done = DispatchSemaphore(value: 0)
    let box = Box<Success>()
    Task {
        box.value = await body()
        done.signal()
    }
    done.wait()
    guard let value = box.value else { preconditionFailure("the semaphore is signalled after the value is there") }
    return value
}

/// Written once before the semaphore is signalled and read once after, so that the two cannot meet.
private final class Box<Value: Sendable>: @unchecked Sendable {
    var value: Value?
}

/// Resident memory of this process, as exact as the kernel tells it.
func residentBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("Rss:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
}
