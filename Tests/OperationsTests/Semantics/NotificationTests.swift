import Foundation
import Operations
import XCTest

@testable import OperationsCore

/// Observers of `NotificationCenter` on a queue's forwarding queue. The centre waits for what it has added there.
final class NotificationTests: XCTestCase {
    /// The centre waits until the queue is empty, also inside the queue.
    func testNotificationsThatArePostedInsideTheQueue() {
        let (queue, center, recorder) = (makeQueue(width: 1), NotificationCenter(), Recorder())
        let (outer, inner) = (Notification.Name("outer"), Notification.Name("inner"))
        let observers = [
            center.addObserver(forName: outer, object: nil, queue: queue.foundationQueue) { _ in
                recorder.note("outer begins")
                center.post(name: inner, object: nil)
                recorder.note("outer ends")
            },
            center.addObserver(forName: inner, object: nil, queue: queue.foundationQueue) { _ in
                XCTAssertTrue(OperationQueue.current === queue)
                recorder.note("inner")
            },
        ]
        queue.addOperation {
            center.post(name: outer, object: nil)
            recorder.note("posted")
        }
        finishes(queue)
        queue.addBarrierBlock { center.post(name: inner, object: nil) }
        finishes(queue)
        center.post(name: inner, object: nil)
        XCTAssertEqual(recorder.all, ["outer begins", "inner", "outer ends", "posted", "inner", "inner"])
        for observer in observers { center.removeObserver(observer) }
    }

    /// Whatever the kind of work, the post would wait for itself.
    func testNotificationsThatArePostedInEachKindOfWork() {
        final class Executing: AsyncOperation, @unchecked Sendable {
            let post: @Sendable () -> Void
            init(_ post: @escaping @Sendable () -> Void) { self.post = post }
            override func execute() {
                post()
                finish()
            }
        }
        /// By the most published pattern: its own states, and `main()` called from its start.
        final class Starting: OperationsCore.Operation, @unchecked Sendable {
            private let hasEnded = Flag()
            let post: @Sendable () -> Void
            init(_ post: @escaping @Sendable () -> Void) { self.post = post }
            override var isFinished: Bool { hasEnded.isSet }
            override func start() {
                main()
                willChangeValue(forKey: "isFinished")
                hasEnded.set()
                didChangeValue(forKey: "isFinished")
            }
            override func main() { post() }
        }
        let (queue, center, name) = (makeQueue(width: 1), NotificationCenter(), Notification.Name("heard"))
        let heard = Counter()
        let observer = center.addObserver(forName: name, object: nil, queue: queue.foundationQueue) { _ in
            XCTAssertTrue(OperationQueue.current === queue)
            heard.increase()
        }
        let post: @Sendable () -> Void = { center.post(name: name, object: nil) }
        let kinds: [(name: String, add: @Sendable () -> Void)] = [
            ("an asynchronous operation", { queue.addOperation(Executing(post)) }),
            ("a start of its own", { queue.addOperation(Starting(post)) }),
            ("a task", { queue.addTask { post() } }),
            (
                "a task that was suspended",
                {
                    queue.addTask {
                        await Task.yield()
                        post()
                    }
                }
            ),
            (
                "a child of a task",
                {
                    queue.addTask {
                        await withTaskGroup { group in
                            group.addTask { post() }
                            await group.waitForAll()
                        }
                    }
                }
            ),
            ("a task with a time limit", { queue.addTask(limits: .init(total: .seconds(600))) { post() } }),
            (
                "what a caller runs",
                {
                    let hasRun = Door()
                    Task {
                        try await queue.run {
                            await Task.yield()
                            post()
                        }
                        hasRun.open()
                    }
                    hasRun.pass()
                }
            ),
            ("Foundation's operation", { queue.foundationQueue.addOperation(Foundation.BlockOperation(block: post)) }),
        ]
        for (number, kind) in kinds.enumerated() {
            kind.add()
            finishes(queue, within: 10)
            guard queue.operationCount == 0 else { return XCTFail("\(kind.name) waits for itself") }
            XCTAssertEqual(heard.value, number + 1, kind.name)
        }
        center.removeObserver(observer)
    }

    /// A task that goes on when the work that made it is over is elsewhere, and waits as others do.
    func testANotificationThatIsPostedAfterTheWork() async {
        let (queue, center, name) = (makeQueue(width: 1), NotificationCenter(), Notification.Name("heard"))
        let (goesOn, began, mayEnd, recorder) = (Door(), Door(), Door(), Recorder())
        let observer = center.addObserver(forName: name, object: nil, queue: queue.foundationQueue) { _ in
            recorder.note("heard")
        }
        let after = Lock<Task<Void, Never>?>(nil)
        // Work with a limit is a child of the task that has the place.
        queue.addTask(limits: .init(total: .seconds(600))) {
            after.withLock {
                $0 = Task {
                    goesOn.pass()
                    center.post(name: name, object: nil)
                }
            }
        }
        finishes(queue)
        queue.addOperation {
            began.open()
            mayEnd.pass()
            recorder.note("the next")
        }
        began.pass()
        goesOn.open()
        eventually("it has added its block", within: 10) { queue.operationCount == 2 }
        mayEnd.open()
        await after.withLock { $0 }?.value
        XCTAssertEqual(recorder.all, ["the next", "heard"])
        center.removeObserver(observer)
    }

    func testNotificationsThatArePostedOnTheMainThread() {
        let (center, noted) = (NotificationCenter(), Counter())
        let name = Notification.Name("main")
        let observer = center.addObserver(forName: name, object: nil, queue: OperationQueue.main.foundationQueue) { _ in
            XCTAssertTrue(Thread.isMainThread)
            noted.increase()
        }
        center.post(name: name, object: nil)
        XCTAssertEqual(noted.value, 1)
        center.removeObserver(observer)
    }
}
