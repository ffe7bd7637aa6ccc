import Foundation
import Operations
import XCTest

@testable import OperationsCore

/// What observers are told of operations with a `start()` of their own, and that looking on changes nothing about these.
final class OwnStartTests: XCTestCase {
    /// Takes over a cancellation at the last moment, as many bases do.
    private final class Obedient: Operation, @unchecked Sendable {
        let work: Counter

        init(_ work: Counter) {
            self.work = work
            super.init()
        }

        override func start() {
            if dependencies.contains(where: \.isCancelled) { cancel() }
            super.start()
        }

        override func main() { work.increase() }
    }

    /// Goes on to its `main()` when it is let.
    private final class Delayed: Operation, @unchecked Sendable {
        let work: Counter

        init(_ work: Counter) {
            self.work = work
            super.init()
        }

        override func start() {}
        func goOn() { super.start() }
        override func main() { work.increase() }
    }

    /// Works in `start()`, as published patterns do, and finishes on another thread.
    private final class Published: Operation, @unchecked Sendable {
        private let own = Lock((isExecuting: false, isFinished: false))
        private let announcesItsStart: Bool
        private let work: @Sendable (Published) -> Void

        init(announcesItsStart: Bool = true, _ work: @escaping @Sendable (Published) -> Void) {
            self.announcesItsStart = announcesItsStart
            self.work = work
            super.init()
        }

        override var isAsynchronous: Bool { true }
        override var isExecuting: Bool { own.withLock { $0.isExecuting } }
        override var isFinished: Bool { own.withLock { $0.isFinished } }

        override func start() {
            own.withLock { $0.isExecuting = true }
            if announcesItsStart { didChangeValue(forKey: "isExecuting") }
            work(self)
        }

        func finish() {
            own.withLock { $0 = (false, true) }
            didChangeValue(forKey: "isFinished")
        }
    }

    func testLookingOnDoesNotRunWhatWasCancelled() {
        for isObserved in [false, true] {
            let (queue, work) = (makeQueue(width: 1), Counter())
            let trace = isObserved ? OperationTrace(of: [queue]) : nil
            let (first, second) = (BlockOperation {}, Obedient(work))
            let token = isObserved ? second.observe { _ in } : nil
            first.cancel()
            second.addDependency(first)
            queue.addOperations([first, second], waitUntilFinished: true)
            XCTAssertEqual(work.value, 0, isObserved ? "observed" : "")
            XCTAssertTrue(second.isCancelled)
            withExtendedLifetime((trace, token)) {}
        }
    }

    func testOneThatIsCancelledBeforeItGoesOnDoesNotWork() {
        for isObserved in [false, true] {
            let (queue, work, told) = (makeQueue(width: 2), Counter(), Lock<[QueueEvent.Kind]>([]))
            let token = isObserved ? queue.observe { event in told.withLock { $0.append(event.kind) } } : nil
            let operations = [Delayed(work), Delayed(work)]
            for operation in operations {
                queue.addOperation(operation)
                eventually("start() has returned") { operation.state.hasReturnedFromStart }
            }
            operations[0].cancel()
            operations[0].goOn()
            XCTAssertEqual(work.value, 0)
            operations[1].goOn()
            finishes(queue)
            XCTAssertEqual(work.value, 1)
            guard isObserved else { continue }
            eventually("all is told") { told.withLock { $0.filter { $0 == .finished }.count } == 2 }
            XCTAssertEqual(told.withLock { $0.filter { $0 == .started }.count }, 1, "the one that has worked")
            withExtendedLifetime(token) {}
        }
    }

    /// One that says that it works is told to while it does, and once.
    func testItIsToldOfWhenItSaysSo() {
        let (queue, told, states) = (
            makeQueue(width: 1), Lock<[QueueEvent.Kind]>([]), Lock<[Operation.ExecutionState]>([])
        )
        let queueToken = queue.observe { event in told.withLock { $0.append(event.kind) } }
        let operation = Published { operation in
            // On its own thread, which does not return before it was told of.
            eventually("its start is told") { told.withLock { $0.contains(.started) } }
            Thread.detachNewThread { operation.finish() }
        }
        let token = operation.observe { state in states.withLock { $0.append(state) } }
        queue.addOperations([operation], waitUntilFinished: true)
        eventually("all is told") { told.withLock { $0.last } == .finished }
        XCTAssertEqual(told.withLock { $0 }, [.added, .ready, .started, .finished])
        XCTAssertEqual(states.withLock { $0 }, [.ready, .executing, .finished])
        for token in [queueToken, token] { token.invalidate() }
    }

    /// One that does not is told of when `start()` has returned, or with its end; by the time at which `start()` was called.
    func testOneThatDoesNotSaySoIsToldOfAsWell() {
        let (queue, events) = (makeQueue(width: 2), Lock<[QueueEvent]>([]))
        let token = queue.observe { event in events.withLock { $0.append(event) } }
        let began = Lock<Duration?>(nil)
        let atOnce = Published(announcesItsStart: false) { operation in
            began.withLock { $0 = queue.core.hub.elapsed }
            operation.finish()
        }
        let later = Published(announcesItsStart: false) { _ in }
        queue.addOperation(atOnce)
        queue.addOperation(later)
        eventually("both were started") { events.withLock { $0.filter { $0.kind == .started }.count } == 2 }
        later.finish()
        eventually("all is told") { events.withLock { $0.filter { $0.kind == .finished }.count } == 2 }
        for operation in [atOnce, later] {
            let own = events.withLock { $0.filter { $0.operation === operation } }
            XCTAssertEqual(own.map(\.kind), [.added, .ready, .started, .finished])
        }
        let told = events.withLock { $0.first { $0.operation === atOnce && $0.kind == .started } }
        XCTAssertLessThanOrEqual(told?.time ?? .seconds(9), began.withLock { $0 } ?? .zero)
        withExtendedLifetime(token) {}
    }

    /// It says so from the beginning on, without having started.
    func testOneThatSaysThatItExecutesUntilItHasFinishedRuns() {
        final class Download: Operation, @unchecked Sendable {
            private let isOver = Flag()

            override var isAsynchronous: Bool { true }
            override var isExecuting: Bool { !isFinished }
            override var isFinished: Bool { isOver.isSet }

            override func start() {
                DispatchQueue.global().async { [self] in
                    isOver.set()
                    didChangeValue(forKey: "isExecuting")
                    didChangeValue(forKey: "isFinished")
                }
            }
        }
        let (queue, download, after) = (makeQueue(width: 1), Download(), BlockOperation {})
        after.addDependency(download)
        queue.addOperations([download, after], waitUntilFinished: true)
        XCTAssertTrue(after.isFinished)
    }

    /// One that never says so, not even when it is asked, is told of with its end, by the same time.
    func testOneThatOnlyFinishesIsToldOfByTheTimeOfItsStart() {
        final class Silent: Operation, @unchecked Sendable {
            private let isOver = Flag()

            override var isFinished: Bool { isOver.isSet }
            override func start() {}

            func finish() {
                isOver.set()
                didChangeValue(forKey: "isFinished")
            }
        }
        let (queue, operation, events) = (makeQueue(width: 1), Silent(), Lock<[QueueEvent]>([]))
        let token = queue.observe { event in events.withLock { $0.append(event) } }
        queue.addOperation(operation)
        eventually("start() has returned") { operation.state.hasReturnedFromStart }
        let returned = queue.core.hub.elapsed
        eventually("time has passed") { queue.core.hub.elapsed > returned }
        operation.finish()
        eventually("all is told") { events.withLock { $0.last?.kind } == .finished }
        XCTAssertEqual(events.withLock { $0.map(\.kind) }, [.added, .ready, .started, .finished])
        let told = events.withLock { $0.first { $0.kind == .started } }
        XCTAssertLessThanOrEqual(told?.time ?? .seconds(9), returned)
        withExtendedLifetime(token) {}
    }

    /// Whoever finishes it, and however soon.
    func testNoEndIsToldBeforeItsStart() {
        for round in 0..<many(300, long: 3_000) {
            let (queue, told) = (makeQueue(width: 1), Lock<[QueueEvent.Kind]>([]))
            let token = queue.observe { event in told.withLock { $0.append(event.kind) } }
            let operation = Published(announcesItsStart: round % 2 == 0) { operation in
                Thread.detachNewThread { operation.finish() }
            }
            queue.addOperations([operation], waitUntilFinished: true)
            eventually("all is told") { told.withLock { $0.contains(.finished) } }
            XCTAssertEqual(told.withLock { $0 }, [.added, .ready, .started, .finished], "round \(round)")
            withExtendedLifetime(token) {}
        }
    }

    /// One in no queue as well.
    func testOneThatIsStartedByHandIsToldOf() {
        let states = Lock<[Operation.ExecutionState]>([])
        let operation = Published { _ in }
        let token = operation.observe { state in states.withLock { $0.append(state) } }
        operation.start()
        XCTAssertEqual(states.withLock { $0 }, [.executing])
        operation.finish()
        XCTAssertEqual(states.withLock { $0 }, [.executing, .finished])
        withExtendedLifetime(token) {}
    }

    /// A block may be added there, before the others run.
    func testABlockIsAddedInIt() {
        final class Late: BlockOperation, @unchecked Sendable {
            let work: Counter

            init(_ work: Counter) {
                self.work = work
                super.init()
            }

            override func start() {
                addExecutionBlock { [work] in work.increase() }
                super.start()
            }
        }
        for isObserved in [false, true] {
            let (queue, work) = (makeQueue(width: 1), Counter())
            let token = isObserved ? queue.observe { _ in } : nil
            queue.addOperations([Late(work)], waitUntilFinished: true)
            Late(work).start()
            XCTAssertEqual(work.value, 2)
            withExtendedLifetime(token) {}
        }
    }
}
