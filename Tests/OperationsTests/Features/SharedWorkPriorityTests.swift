import Operations
import OperationsCore
import XCTest

/// The operations of shared work are told how urgent they are with no lock held, as a subclass may do anything then.
final class SharedWorkPriorityTests: XCTestCase {
    /// Asks somebody whenever it is asked how urgent it is, or told.
    private final class Asking: Operation, @unchecked Sendable {
        let ask: @Sendable () -> Void
        init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }
        override var queuePriority: QueuePriority {
            get {
                ask()
                return super.queuePriority
            }
            set {
                super.queuePriority = newValue
                ask()
            }
        }
    }

    /// One piece of work, which waits in a queue.
    private struct Work: Sendable {
        let group = SharedGroup()
        let works: Shared<String, Int>
        let queue = makeQueue(width: 1, suspended: true)

        init() { works = Shared(in: group) }

        func hold(_ priority: Operation.QueuePriority, _ operation: Operation) -> SharedHold<Int>? {
            group.hold(priority: priority) { access in
                works.work(for: "a", &access) ?? works.add("a", &access) { _ in [(operation, queue)] }
            }
        }
    }

    private let work = Work()

    private func runAll() {
        work.queue.isSuspended = false
        finishes(work.queue)
    }

    func testAnOperationMayAskForTheWorkThatItIsOf() throws {
        let asked = Counter()
        let operation = Asking { [work] in
            XCTAssertLessThanOrEqual(work.works.count, 1)
            asked.increase()
        }
        let told = Door()
        Thread.detachNewThread { [work] in
            let holds = [work.hold(.high, operation), work.hold(.low, operation)].compactMap(\.self)
            for hold in holds { hold.start {} }
            XCTAssertEqual(operation.queuePriority, .high)
            holds.first?.setPriority(.veryLow)
            XCTAssertEqual(operation.queuePriority, .low)
            holds.last?.cancel()
            XCTAssertEqual(operation.queuePriority, .veryLow)
            holds.first?.cancel()
            told.open()
        }
        guard told.pass() else { return }
        XCTAssertGreaterThanOrEqual(asked.value, 6)
        runAll()
    }

    func testAnOperationMaySayHowUrgentItIsWhenItIsTold() throws {
        let place = Lock<SharedHold<Int>?>(nil)
        let operation = Asking { place.withLock { $0 }?.setPriority(.veryHigh) }
        let told = Door()
        Thread.detachNewThread { [work] in
            let hold = work.hold(.low, operation)
            place.withLock { $0 = hold }
            hold?.setPriority(.high)
            place.withLock { $0 = nil }
            XCTAssertEqual(operation.queuePriority, .veryHigh)
            hold?.start {}
            told.open()
        }
        guard told.pass() else { return }
        runAll()
    }

    func testWhatSeveralThreadsSayEndsInTheMostUrgent() throws {
        let operation = BlockOperation {}
        let holds = try (0..<3).map { _ in try XCTUnwrap(work.hold(.normal, operation)) }
        for hold in holds { hold.start {} }
        let all: [Operation.QueuePriority] = [.veryLow, .low, .normal, .high, .veryHigh]
        for round in 0..<many(200) {
            let done = Counter()
            for (number, hold) in holds.enumerated() {
                Thread.detachNewThread {
                    for step in 0..<20 { hold.setPriority(all[(round + number + step) % 5]) }
                    hold.setPriority(all[(round + number) % 4])
                    done.increase()
                }
            }
            eventually("all have said it") { done.value == 3 }
            let most = (0..<3).map { (round + $0) % 4 }.max() ?? 0
            XCTAssertEqual(operation.queuePriority, all[most], "in round \(round)")
        }
        runAll()
    }
}
