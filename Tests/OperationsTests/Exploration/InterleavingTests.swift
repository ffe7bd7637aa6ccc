import Foundation
import XCTest

/// Random programs of everything that can happen to operations, each on a random interleaving.
///
/// `INTERLEAVINGS` is how many are tried, and `SEED` the first seed; a failure prints its seed, and
/// `SEED=<that> INTERLEAVINGS=1` repeats it, step by step.
final class InterleavingTests: XCTestCase {
    private func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    func testEveryInterleavingAgreesWithTheModel() {
        let first = number("SEED") ?? 1
        let count = number("INTERLEAVINGS") ?? 2_000
        for seed in first..<first + count {
            guard let complaint = Exploration.complaint(seed: seed) else { continue }
            let replay = Exploration(seed: seed, keepsLog: true)
            let again = replay.run() ?? "nothing, the second time"
            return XCTFail("seed \(seed): \(complaint); \(again)\n" + replay.log.joined(separator: "\n"))
        }
    }

    /// Without this no failure could be repeated.
    func testTheSameSeedIsTheSameRun() {
        for seed in 1...300 as ClosedRange<UInt64> {
            let runs = (0..<2).map { _ in
                let exploration = Exploration(seed: seed, keepsLog: true)
                _ = exploration.run()
                return exploration.log
            }
            XCTAssertEqual(runs[0], runs[1], "seed \(seed)")
        }
    }
}
