import Dispatch
import Foundation
import Operations

@testable import OperationsCore

/// Computes until the calling thread has used so much processor time.
func compute(milliseconds: Double) {
    let clock = ThreadClock()
    let end = clock.used + Int64(milliseconds * 1_000_000)
    while clock.used < end {}
}

/// Milliseconds of a clock that nobody sets.
func milliseconds() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1_000_000 }

/// Numbers, from any thread.
final class Samples: Sendable {
    private let storage = Lock<[Double]>([])
    var all: [Double] { storage.withLock { $0 } }
    var median: Double { all.sorted()[all.count / 2] }
    var most: Double { all.max() ?? 0 }
    /// What no more than one of a hundred exceeds.
    var percentile99: Double {
        let all = all.sorted()
        return all.isEmpty ? .infinity : all[(all.count * 99 - 1) / 100]
    }
    func note(_ sample: Double) { storage.withLock { $0.append(sample) } }
}

let processors = max(2, ProcessInfo.processInfo.activeProcessorCount)

/// The longest that reading a property of a queue takes, as a part of the time from `begin` until `isOver`.
func shareOfLongestWait(for queue: OperationQueue, from begin: () -> Void, until isOver: () -> Bool) -> Double {
    let began = milliseconds()
    begin()
    var longest = 0.0
    while !isOver() {
        let start = milliseconds()
        _ = queue.isSuspended
        longest = max(longest, milliseconds() - start)
    }
    return longest / (milliseconds() - began)
}
