import Dispatch
import Foundation
import Operations
import OperationsCore
import OperationsTesting
import XCTest

/// The trace, as Chrome's JSON and as DOT.
final class TraceTests: XCTestCase {
    private struct File: Decodable {
        struct Event: Decodable {
            struct Arguments: Decodable {
                var queue: String
                var waitedForDependencies: Double?
                var waitedForPlace: Double?
                var outcome: String
            }
            var name: String
            var ph: String
            var ts: Double
            var dur: Double?
            var tid: Int
            var id: Int?
            var args: Arguments?
        }
        var traceEvents: [Event]
    }

    func testWhoWaitedForWhat() throws {
        let clock = ManualClock()
        let queue = OperationQueue(pool: ThreadPool.shared, clock: clock)
        queue.name = "photos"
        queue.maxConcurrentOperationCount = 1
        clock.advance(by: .seconds(9))
        let trace = OperationTrace(of: [queue])
        let first = BlockOperation { clock.advance(by: .milliseconds(3)) }
        let second = BlockOperation { clock.advance(by: .milliseconds(4)) }
        first.name = "first \"quoted\""
        second.name = "second"
        second.addDependency(first)
        queue.isSuspended = true
        queue.addOperations([second, first], waitUntilFinished: false)
        clock.advance(by: .milliseconds(2))
        queue.isSuspended = false
        finishes(queue)
        trace.stop()
        queue.addOperation {}
        finishes(queue)

        let events = try JSONDecoder().decode(File.self, from: trace.chromeTrace()).traceEvents
        let begins = Dictionary(uniqueKeysWithValues: events.filter { $0.ph == "X" }.map { ($0.name, $0) })
        XCTAssertEqual(begins.count, 2)
        let (one, two) = (try XCTUnwrap(begins["first \"quoted\""]), try XCTUnwrap(begins["second"]))
        XCTAssertEqual([one.ts, two.ts], [2_000, 5_000])
        XCTAssertEqual(one.args?.waitedForDependencies, 0)
        XCTAssertEqual(one.args?.waitedForPlace, 2_000)
        XCTAssertEqual(two.args?.waitedForDependencies, 5_000)
        XCTAssertEqual(two.args?.queue, "photos")
        XCTAssertEqual(two.args?.outcome, "finished")
        let arrows = events.filter { $0.name == "dependency" }
        XCTAssertEqual(arrows.map(\.ph), ["s", "f"])
        XCTAssertEqual(arrows.map(\.ts), [5_000, 5_000])
        XCTAssertEqual([one.dur, two.dur], [3_000, 4_000])
        XCTAssertEqual(
            trace.dot(),
            """
            digraph operations {
                rankdir=LR;
                node [shape=box];
                n0 [label="second\\nphotos"];
                n1 [label="first \\"quoted\\"\\nphotos"];
                n1 -> n0;
            }

            """)
    }

    /// What finished before `stop()` is in the trace, even if another thread is still about to tell of it.
    func testNothingThatHappenedBeforeTheStopIsMissing() throws {
        let gate = DispatchSemaphore(value: 0)
        let entered = DispatchSemaphore(value: 0)
        let queue = makeQueue(width: 1)
        let trace = OperationTrace(of: [queue])
        queue.addOperation(SlowToTellOperation(gate: gate, entered: entered))
        finishes(queue)
        XCTAssertEqual(entered.wait(timeout: .now() + 60), .success)
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { gate.signal() }
        trace.stop()
        let events = try JSONDecoder().decode(File.self, from: trace.chromeTrace()).traceEvents
        XCTAssertEqual(events.map(\.name), ["slow to tell"])
    }

    func testHowItEnded() async throws {
        let (queue, other) = (makeQueue(width: 1), makeQueue(width: 1))
        let trace = OperationTrace(of: [queue, other])
        let failed = queue.addTask(name: "failed") { throw Fault("x") }
        let next = failed.then(on: other, name: "cancelled") {}
        _ = await next.result
        trace.stop()
        let events = try JSONDecoder().decode(File.self, from: trace.chromeTrace()).traceEvents
        let outcomes = events.filter { $0.ph == "b" }.map { "\($0.name): \($0.args?.outcome ?? "")" }
        XCTAssertEqual(outcomes, ["failed: failed", "cancelled: cancelled"])
        XCTAssertTrue(trace.dot().contains("style=dashed, color=red"))
    }
}

/// Holds up the one who asks it for its kind after it has finished, as the trace does.
private final class SlowToTellOperation: Operation, @unchecked Sendable {
    private let gate: DispatchSemaphore
    private let entered: DispatchSemaphore

    init(gate: DispatchSemaphore, entered: DispatchSemaphore) {
        self.gate = gate
        self.entered = entered
        super.init()
        name = "slow to tell"
    }

    override var isAsynchronous: Bool {
        guard isFinished else { return false }
        entered.signal()
        gate.wait()
        return false
    }
}
