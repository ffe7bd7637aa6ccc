import Operations
import OperationsTesting
import XCTest

@testable import OperationsCore

/// Work that several want, by key, in chains: texts and what is made from them.
final class SharedWorkTests: XCTestCase {
    private let texts: TextTables = TextTables(queue: OperationQueue())

    override func setUp() { texts.queue.isSuspended = true }

    private func runAll() {
        texts.queue.isSuspended = false
        texts.queue.waitUntilAllOperationsAreFinished()
    }

    func testTheSameKeyIsDoneOnce() throws {
        let holds = try (0..<10).map { _ in try XCTUnwrap(texts.hold("a", 1)) }
        let over = Counter()
        for hold in holds { hold.start { over.increase() } }
        XCTAssertEqual(texts.count, 2)
        XCTAssertNil(holds[0].take())
        runAll()
        XCTAssertEqual(holds.map { $0.take()?.text }, Array(repeating: "a1", count: 10))
        XCTAssertNil(holds[0].take())
        eventually("all are over") { over.value == 10 && texts.count == 0 }
        XCTAssertEqual(texts.ran.value, 2)
    }

    func testWhatIsMadeFromTheSameIsShared() throws {
        let holds = try (0..<3).map { try XCTUnwrap(texts.hold("a", $0)) }
        for hold in holds { hold.start {} }
        XCTAssertEqual(texts.count, 4)
        // At once, they would have it together until each has made its own of it.
        texts.queue.maxConcurrentOperationCount = 1
        runAll()
        XCTAssertEqual(holds.map { $0.take()?.text }, ["a0", "a1", "a2"])
        XCTAssertEqual(texts.ran.value, 4)
        XCTAssertEqual(texts.takenAlone.value, 1, "The last who takes it has it alone.")
    }

    func testTheLastWhoLeavesCancels() throws {
        let (first, second) = (try XCTUnwrap(texts.hold("a", 1)), try XCTUnwrap(texts.hold("a", 2)))
        let over = Recorder()
        first.start { over.note("first") }
        second.start { over.note("second") }
        first.cancel()
        XCTAssertEqual(first.operation?.isCancelled, true)
        XCTAssertEqual(texts.count, 2)
        XCTAssertEqual(over.all, [], "Its operation has yet to come to its end.")
        runAll()
        eventually("both are over") { Set(over.all) == ["first", "second"] }
        XCTAssertNil(first.take())
        XCTAssertEqual(second.take()?.text, "a2")
        XCTAssertEqual(texts.ran.value, 2)
    }

    func testAChainIsOfAnyLength() {
        let count = many(20_000, sanitized: 3_000)
        let (group, over) = (SharedGroup(), Door())
        let (table, queue) = (Shared<Int, Int>(in: group), makeQueue(width: 2))
        let hold = group.hold { access in
            var last: SharedWork<Int>?
            for number in 0..<count {
                let before = last
                last = table.add(number, after: before, &access) { work in
                    let operation = BlockOperation { work.finish(with: (before?.take(for: work) ?? 0) + 1) }
                    return [(operation, queue)]
                }
            }
            return last
        }
        hold?.start { over.open() }
        over.pass()
        XCTAssertEqual(hold?.take(), count)
    }

    /// Others may want the work for hours.
    func testOneThatHasLeftIsLetGoOf() throws {
        let stays = try XCTUnwrap(texts.hold("a", 1))
        stays.start {}
        weak var gone: SharedHold<Text>?
        do {
            let leaves = try XCTUnwrap(texts.hold("a", 1))
            gone = leaves
            leaves.start {}
            leaves.cancel()
        }
        XCTAssertNil(gone)
        runAll()
        XCTAssertEqual(stays.take()?.text, "a1")
    }

    /// Behind the one that wants it longest.
    func testThoseThatHaveLeftTakeNoPlaceInTheLine() {
        var holders = SharedHolders()
        for number in 0..<10_000 {
            holders.insert(number, SharedHolders.Holder(observer: nil, isLast: true, priority: .normal))
            if number >= 3 { _ = holders.remove(number) }
        }
        XCTAssertLessThan(holders.line.count, 100)
        var firsts: [Int?] = []
        while !holders.isEmpty {
            firsts.append(holders.first)
            _ = holders.remove(holders.first ?? 0)
            holders.passOn()
        }
        XCTAssertEqual(firsts, [0, 1, 2])
    }

    func testLeavingTwiceIsLeavingOnce() throws {
        let (stays, leaves) = (try XCTUnwrap(texts.hold("a", 1)), try XCTUnwrap(texts.hold("a", 1)))
        let over = Counter()
        stays.start {}
        leaves.start { over.increase() }
        leaves.cancel()
        leaves.cancel()
        XCTAssertEqual(over.value, 1, "Somebody else wants all of it.")
        XCTAssertEqual(stays.operation?.isCancelled, false)
        stays.cancel()
        XCTAssertEqual(stays.operation?.isCancelled, true)
        runAll()
    }

    func testWhoLeavesTwiceIsOverOnlyWhenItsWorkIs() throws {
        let hold = try XCTUnwrap(texts.hold("a", 1))
        let over = Counter()
        hold.start { over.increase() }
        hold.cancel()
        hold.cancel()
        XCTAssertEqual(over.value, 0)
        runAll()
        eventually("it is over") { over.value == 1 }
    }

    func testOneThatIsCancelledBeforeItsStartIsOver() throws {
        let hold = try XCTUnwrap(texts.hold("a", 1))
        hold.cancel()
        let over = Counter()
        hold.start { over.increase() }
        runAll()
        eventually("it is over") { over.value == 1 && texts.count == 0 }
        XCTAssertEqual(texts.ran.value, 0)
    }

    func testTheMostUrgentCounts() throws {
        let (low, high) = (try XCTUnwrap(texts.hold("a", 1, .low)), try XCTUnwrap(texts.hold("a", 2, .high)))
        for hold in [low, high] { hold.start {} }
        let priorities = {
            self.texts.queue.operations.filter { !$0.isCancelled }.map(\.queuePriority.rawValue).sorted()
        }
        XCTAssertEqual(priorities(), [Operation.QueuePriority.low, .low, .high, .high, .high].map(\.rawValue))
        high.setPriority(.veryLow)
        XCTAssertEqual(priorities(), [Operation.QueuePriority.veryLow, .veryLow, .low, .low, .low].map(\.rawValue))
        low.setPriority(.veryHigh)
        low.cancel()
        XCTAssertEqual(priorities(), [Operation.QueuePriority.veryLow, .veryLow, .veryLow].map(\.rawValue))
        high.cancel()
        runAll()
    }

    func testALateOneIsToldWhatWasTold() throws {
        let (early, late) = (TextObserver(), TextObserver())
        let first = try XCTUnwrap(texts.hold("a", 1, observer: early))
        let held = try XCTUnwrap(texts.hold("a", 2))
        first.start {}
        runAll()
        eventually("it is told") { early.all.count == 3 }
        XCTAssertEqual(early.all, ["reading", "read a", "last: made a1"])
        let second = try XCTUnwrap(texts.hold("a", 3, observer: late))
        XCTAssertEqual(late.all, ["reading", "read a"])
        held.cancel()
        for hold in [held, second] { hold.start {} }
        texts.queue.waitUntilAllOperationsAreFinished()
        XCTAssertEqual(second.take()?.text, "a3")
        eventually("it is told") { late.all == ["reading", "read a", "last: made a3"] }
    }

    func testAProductThatNobodyTakesIsLetGo() throws {
        let hold = try XCTUnwrap(texts.hold("a", 1))
        let other = try XCTUnwrap(texts.hold("a", 2))
        for hold in [hold, other] { hold.start {} }
        runAll()
        XCTAssertEqual(Text.living(of: texts), 2)
        hold.cancel()
        other.cancel()
        XCTAssertEqual(Text.living(of: texts), 0)
    }

    func testWhatBelongsToItGoesWithTheProduct() throws {
        let (group, living) = (SharedGroup(), Lock(0))
        let table = Shared<Int, Int>(in: group)
        // The queue of its last operation.
        let late = makeQueue(width: 1, suspended: true)
        let hold = try XCTUnwrap(
            group.hold { access in
                table.add(1, keeping: Text("", in: living), &access) { work in
                    [(BlockOperation { work.finish(with: 7) }, texts.queue), (BlockOperation {}, late)]
                }
            })
        let over = Counter()
        hold.start { over.increase() }
        runAll()
        XCTAssertEqual(living.withLock { $0 }, 1)
        XCTAssertEqual(hold.take(), 7)
        XCTAssertEqual(living.withLock { $0 }, 0)
        XCTAssertEqual(table.count, 0)
        XCTAssertEqual(over.value, 0)
        late.isSuspended = false
        eventually("it is over") { over.value == 1 }
    }

    func testWhoAsksAfterAFailureHasItDoneAnew() throws {
        texts.failures.withLock { $0 = 1 }
        let observer = TextObserver()
        let held = try XCTUnwrap(texts.hold("a", 1, observer: observer))
        let shares = try XCTUnwrap(texts.hold("a", 2))
        for hold in [held, shares] { hold.start {} }
        runAll()
        eventually("it is told") { observer.all == ["reading", "read nothing", "last: made nothing"] }
        // The two have yet to take it.
        let again = try ["1", "2", "2"].map { try XCTUnwrap(texts.hold("a", XCTUnwrap(Int($0)))) }
        for hold in again { hold.start {} }
        texts.queue.waitUntilAllOperationsAreFinished()
        XCTAssertEqual([held, shares].map { $0.take()?.text }, ["nothing", "nothing"])
        XCTAssertEqual(again.map { $0.take()?.text }, ["a1", "a2", "a2"])
        XCTAssertEqual(texts.ran.value, 6, "Of what was done anew, each was done once.")
        eventually("nothing is left") { texts.count == 0 && Text.living(of: texts) == 0 }
    }
}
