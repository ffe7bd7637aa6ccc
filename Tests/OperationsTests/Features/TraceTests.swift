import Dispatch
import Foundation
import Operations
import OperationsTesting
import XCTest

@testable import OperationsCore

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

    /// Says at some times what it is about.
    private final class Phased: AsyncOperation, @unchecked Sendable {
        let clock: ManualClock
        init(_ clock: ManualClock) { self.clock = clock }

        override func execute() {
            for (name, time) in [("waiting", 2), ("working", 5), ("waiting", 1)] as [(StaticString, Int)] {
                clock.advance(by: .milliseconds(1))
                enterPhase(name)
                clock.advance(by: .milliseconds(time - 1))
            }
            finish()
        }
    }

    func testWhatAnOperationIsAboutIsASliceWithinItsOwn() throws {
        let clock = ManualClock()
        let queue = OperationQueue(pool: ThreadPool.shared, clock: clock)
        queue.addOperation(Phased(clock))
        finishes(queue)
        let trace = OperationTrace(of: [queue])
        let operation = Phased(clock)
        operation.name = "photo"
        queue.addOperation(operation)
        finishes(queue)
        trace.stop()
        let events = try JSONDecoder().decode(File.self, from: trace.chromeTrace()).traceEvents
        XCTAssertEqual(
            events.map { "\($0.ph) \($0.name) \(Int($0.ts / 1_000))" },
            [
                "b photo 0", "b waiting 1", "e waiting 3", "b working 3", "e working 8", "b waiting 8", "e waiting 8",
                "e photo 8",
            ])
        XCTAssertEqual(Set(events.map(\.id)).count, 1)
    }

    func testNobodyWaitedForWhatHadFinishedBefore() {
        let clock = ManualClock()
        let queue = OperationQueue(pool: ThreadPool.shared, clock: clock)
        let trace = OperationTrace(of: [queue])
        let (first, late) = (BlockOperation {}, BlockOperation {})
        clock.advance(by: .milliseconds(1))
        queue.addOperation(first)
        finishes(queue)
        clock.advance(by: .milliseconds(5))
        late.addDependency(first)
        queue.addOperation(late)
        finishes(queue)
        trace.stop()
        XCTAssertEqual(trace.records.map(\.waitedFor), [nil, nil])
        XCTAssertEqual(trace.records.last?.dependencies, [0])
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

    /// With a mark that combines behind it a quotation mark is another character, and Graphviz still ends the string there.
    func testNamesThatGraphvizWouldEndEarly() {
        let queue = makeQueue(width: 1)
        queue.name = "photos"
        let trace = OperationTrace(of: [queue])
        let operation = BlockOperation {}
        operation.name = "a\"\u{301} b\\\u{FE0F}\r\nc"
        queue.addOperation(operation)
        finishes(queue)
        trace.stop()
        let label = "[label=\"a\\\"\u{301} b\\\\\u{FE0F}\\nc\\nphotos\"]"
        XCTAssertNotNil(trace.dot().range(of: label, options: .literal), trace.dot())
    }

    /// What finished before `stop()` is in the trace, even if another thread is still about to tell of it.
    func testNothingThatHappenedBeforeTheStopIsMissing() throws {
        let gate = DispatchSemaphore(value: 0)
        let entered = DispatchSemaphore(value: 0)
        let queue = makeQueue(width: 1)
        let trace = OperationTrace(of: [queue])
        let operation = SlowToTellOperation(gate: gate, entered: entered)
        queue.addOperation(operation)
        // Only now that this thread has nothing to tell any more.
        operation.door.open()
        finishes(queue)
        XCTAssertEqual(entered.wait(timeout: .now() + 60), .success)
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { gate.signal() }
        trace.stop()
        let events = try JSONDecoder().decode(File.self, from: trace.chromeTrace()).traceEvents
        XCTAssertEqual(events.map(\.name), ["slow to tell"])
    }

    /// The dependent's queue tells of its finish before the other has told of anything.
    func testAnArrowComesFromAQueueThatTellsLate() throws {
        let gate = DispatchSemaphore(value: 0)
        let entered = DispatchSemaphore(value: 0)
        let (late, prompt) = (makeQueue(width: 2), makeQueue(width: 1))
        let trace = OperationTrace(of: [late, prompt])
        let slow = SlowToTellOperation(gate: gate, entered: entered)
        late.addOperation(slow)
        slow.door.open()
        XCTAssertEqual(entered.wait(timeout: .now() + 60), .success)
        let (cause, effect) = (BlockOperation {}, BlockOperation {})
        cause.name = "cause"
        effect.name = "effect"
        effect.addDependency(cause)
        prompt.addOperation(effect)
        late.addOperation(cause)
        finishes(prompt)
        prompt.core.hub.flush()
        gate.signal()
        trace.stop()
        let events = try JSONDecoder().decode(File.self, from: trace.chromeTrace()).traceEvents
        XCTAssertEqual(events.filter { $0.name == "dependency" }.map(\.ph), ["s", "f"])
        XCTAssertEqual(Set(events.map(\.name)), ["slow to tell", "cause", "effect", "dependency"])
    }

    /// The machine does something else while the trace begins.
    func testQueuesAreSeenAtTheSameTime() {
        let clock = JumpingClock()
        let (first, second) = (
            OperationQueue(pool: ThreadPool.shared, clock: clock), OperationQueue(pool: ThreadPool.shared, clock: clock)
        )
        clock.jump(atReading: 2)
        let trace = OperationTrace(of: [first, second])
        for queue in [first, second] {
            queue.addOperation {}
            finishes(queue)
        }
        trace.stop()
        let records = trace.records
        XCTAssertEqual(records.count, 2)
        XCTAssertGreaterThanOrEqual(records[1].added ?? .zero, records[0].finished ?? .seconds(60))
    }

    /// An operation is seen to have finished a moment before its event is posted.
    func testNothingThatIsSeenToHaveFinishedIsMissing() throws {
        let clock = StoppableClock()
        let queue = OperationQueue(pool: ThreadPool.shared, clock: clock)
        let trace = OperationTrace(of: [queue])
        let operation = BlockOperation { clock.stopNextReading() }
        queue.addOperation(operation)
        XCTAssertEqual(clock.entered.wait(timeout: .now() + 60), .success)
        XCTAssertTrue(operation.isFinished)
        let stopped = DispatchSemaphore(value: 0)
        let stopping = Thread {
            trace.stop()
            stopped.signal()
        }
        stopping.start()
        // Time to come back, if it does not wait for the event.
        _ = stopped.wait(timeout: .now() + 0.1)
        clock.gate.signal()
        XCTAssertEqual(stopped.wait(timeout: .now() + 60), .success)
        XCTAssertNotNil(trace.records.first?.finished)
    }

    /// Of an operation that is gone it has the record, and nothing else.
    func testItForgetsOperationsThatAreGone() {
        let queue = makeQueue(width: 1)
        let trace = OperationTrace(of: [queue])
        for _ in 0..<20 {
            for _ in 0..<1_000 { queue.addOperation {} }
            finishes(queue)
        }
        trace.stop()
        XCTAssertEqual(trace.records.count, 20_000)
        XCTAssertLessThan(trace.seenCount, 8_000)
    }

    func testATraceThatGoesOnForLongKeepsTheLastOperations() throws {
        let queue = makeQueue(width: 1)
        let trace = OperationTrace(of: [queue], keeping: 100)
        // It has a record that goes before it is ready.
        let (gate, patient) = (BlockOperation {}, BlockOperation {})
        patient.name = "patient"
        patient.addDependency(gate)
        queue.addOperation(patient)
        for number in 0..<1_050 {
            let operation = BlockOperation {}
            operation.name = "\(number)"
            queue.addOperations([operation], waitUntilFinished: true)
        }
        queue.addOperation(gate)
        finishes(queue)
        trace.stop()
        let records = trace.records
        XCTAssertTrue((100...200).contains(records.count), "\(records.count)")
        XCTAssertEqual(records.map(\.identifier), Array(records.indices))
        XCTAssertTrue(records.contains { $0.name == "1000" })
        let last = try XCTUnwrap(records.last { $0.name == "patient" })
        XCTAssertNil(last.added)
        XCTAssertNotNil(last.finished)
        let cause = try XCTUnwrap(last.dependencies.first)
        XCTAssertTrue(records[cause].hasHappened)
        XCTAssertNoThrow(try trace.chromeTrace())
    }

    func testALongTraceIsWrittenInPieces() throws {
        let queue = makeQueue(width: 2)
        let trace = OperationTrace(of: [queue])
        queue.addOperations((0..<2_000).map { _ in BlockOperation {} }, waitUntilFinished: true)
        trace.stop()
        var pieces: [Data] = []
        try trace.writeChromeTrace { pieces.append($0) }
        XCTAssertLessThan(pieces.map(\.count).max() ?? .max, 80_000)
        let whole = pieces.reduce(Data(), +)
        XCTAssertEqual(whole, try trace.chromeTrace())
        XCTAssertEqual(try JSONDecoder().decode(File.self, from: whole).traceEvents.count, 2_000)
    }

    func testAnEmptyTraceIsWhole() throws {
        let trace = OperationTrace(of: [makeQueue(width: 1)])
        XCTAssertEqual(try JSONDecoder().decode(File.self, from: trace.chromeTrace()).traceEvents.count, 0)
    }

    func testTheArrowComesFromWhatFinishedLast() throws {
        let clock = ManualClock()
        let queue = OperationQueue(pool: ThreadPool.shared, clock: clock)
        queue.maxConcurrentOperationCount = 1
        let trace = OperationTrace(of: [queue])
        let causes = (0..<3).map { _ in BlockOperation { clock.advance(by: .milliseconds(1)) } }
        let last = BlockOperation {}
        // In another order than they will finish in.
        for index in [1, 2, 0] { last.addDependency(causes[index]) }
        queue.addOperations(causes + [last], waitUntilFinished: true)
        finishes(queue)
        trace.stop()
        let events = try JSONDecoder().decode(File.self, from: trace.chromeTrace()).traceEvents
        XCTAssertEqual(events.filter { $0.name == "dependency" }.map(\.ts), [3_000, 3_000])
    }

    /// An operation that was never recorded may get the address of one that was.
    func testAnAddressThatIsUsedAgainIsAnotherOperation() {
        let (queue, other) = (makeQueue(width: 1), makeQueue(width: 1))
        let trace = OperationTrace(of: [queue])
        for _ in 0..<100 {
            queue.addOperations([BlockOperation {}], waitUntilFinished: true)
            finishes(queue)
            let unseen = BlockOperation {}
            other.addOperations([unseen], waitUntilFinished: true)
            let next = BlockOperation {}
            next.addDependency(unseen)
            queue.addOperations([next], waitUntilFinished: true)
        }
        finishes(queue)
        trace.stop()
        XCTAssertFalse(trace.dot().contains("->"))
    }

    func testHowItEnded() async throws {
        let (queue, other) = (makeQueue(width: 1), makeQueue(width: 1))
        let trace = OperationTrace(of: [queue, other])
        let failed = queue.addTask(name: "failed") { throw Fault("x") }
        let next = failed.then(on: other, name: "cancelled") {}
        _ = await next.result
        trace.stop()
        let events = try JSONDecoder().decode(File.self, from: trace.chromeTrace()).traceEvents
        // Queues are heard of independently of each other; time is what orders their events.
        let begun = events.filter { $0.ph == "b" }.sorted { $0.ts < $1.ts }
        let outcomes = begun.map { "\($0.name): \($0.args?.outcome ?? "")" }
        XCTAssertEqual(outcomes, ["failed: failed", "cancelled: cancelled"])
        XCTAssertTrue(trace.dot().contains("style=dashed, color=red"))
    }
}

/// Holds up the one who asks it for its kind after it has finished, as the trace does.
private final class SlowToTellOperation: Operation, @unchecked Sendable {
    let door = Door()
    private let gate: DispatchSemaphore
    private let entered: DispatchSemaphore

    init(gate: DispatchSemaphore, entered: DispatchSemaphore) {
        self.gate = gate
        self.entered = entered
        super.init()
        name = "slow to tell"
    }

    override func main() { door.pass() }

    override var isAsynchronous: Bool {
        guard isFinished else { return false }
        entered.signal()
        _ = gate.wait(timeout: .now() + 60)
        return false
    }
}

/// A clock that is read while somebody waits: the reading that was asked to stop goes on when the gate opens.
private final class StoppableClock: Clock, Sendable {
    let entered = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    private let stopsNext = Lock(false)
    private let clock = ContinuousClock()

    var now: ContinuousClock.Instant {
        let stops = stopsNext.withLock { stops in
            defer { stops = false }
            return stops
        }
        if stops {
            entered.signal()
            _ = gate.wait(timeout: .now() + 60)
        }
        return clock.now
    }

    var minimumResolution: Duration { clock.minimumResolution }

    func stopNextReading() { stopsNext.withLock { $0 = true } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}

/// A clock that stands still, and goes on by a second at one of its readings.
private final class JumpingClock: Clock, Sendable {
    private let clock = ManualClock()
    private let readingsLeft = Lock(0)

    var now: ManualClock.Instant {
        let jumps = readingsLeft.withLock { left in
            left -= 1
            return left == 0
        }
        if jumps { clock.advance(by: .seconds(1)) }
        return clock.now
    }

    var minimumResolution: Duration { clock.minimumResolution }

    func jump(atReading number: Int) { readingsLeft.withLock { $0 = number } }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}
