import Foundation
import Operations
import OperationsCore
import Testing

/// Row "misuse", and the traps of other rows: each ends the process with a message that names the operation.
@Suite struct MisuseTests {
    private static func expectMessage(
        _ result: ExitTest.Result?, _ parts: String..., at location: SourceLocation = #_sourceLocation
    ) {
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for part in parts { #expect(message.contains(part), "\(message)", sourceLocation: location) }
    }

    @Test func misuseAddedTwice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let queue = OperationQueue()
            queue.isSuspended = true
            queue.name = "photos"
            let operation = BlockOperation {}
            operation.name = "load"
            queue.addOperation(operation)
            queue.addOperation(operation)
        }
        Self.expectMessage(result, "'load'", "'photos' twice")
    }

    @Test func misuseAddedToTwoQueues() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (one, two) = (OperationQueue(), OperationQueue())
            (one.name, two.name) = ("one", "two")
            one.isSuspended = true
            let operation = BlockOperation {}
            operation.name = "load"
            one.addOperation(operation)
            two.addOperation(operation)
        }
        Self.expectMessage(result, "'load'", "'two'", "'one'")
    }

    @Test func misuseAddedAfterFinish() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let operation = BlockOperation {}
            operation.name = "load"
            operation.start()
            OperationQueue().addOperation(operation)
        }
        Self.expectMessage(result, "'load'", "after it had finished")
    }

    /// Its class keeps that state by itself, and has only reported that it has changed.
    @Test func misuseAddedWhileExecuting() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            final class Own: Operation, @unchecked Sendable {
                private var isOn = false
                override var isExecuting: Bool { isOn }
                override func start() {
                    isOn = true
                    didChangeValue(forKey: "isExecuting")
                }
            }
            let operation = Own()
            operation.name = "load"
            operation.start()
            OperationQueue().addOperation(operation)
        }
        Self.expectMessage(result, "'load'", "started by hand")
    }

    @Test func misuseDependingOnItself() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let operation = BlockOperation {}
            operation.name = "load"
            operation.addDependency(operation)
        }
        Self.expectMessage(result, "'load'", "depend on itself")
    }

    @Test func misuseStartedByHandTooEarly() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let operation = BlockOperation {}
            operation.name = "load"
            operation.addDependency(BlockOperation {})
            operation.start()
        }
        Self.expectMessage(result, "'load'", "before its dependencies")
    }

    @Test func misuseStartedByHandInAQueue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let queue = OperationQueue()
            queue.isSuspended = true
            let operation = BlockOperation {}
            operation.name = "load"
            queue.addOperation(operation)
            operation.start()
        }
        Self.expectMessage(result, "'load'", "in a queue")
    }

    @Test func widthNegativeOtherThanMinusOne() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let queue = OperationQueue()
            queue.name = "photos"
            queue.maxConcurrentOperationCount = -2
        }
        Self.expectMessage(result, "'photos'", "-2")
    }

    @Test func blockAddedAfterTheStart() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let operation = BlockOperation {}
            operation.name = "load"
            operation.start()
            operation.addExecutionBlock {}
        }
        Self.expectMessage(result, "'load'", "after it had started")
    }

    @Test func waitingForItself() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let operation = BlockOperation()
            operation.name = "load"
            operation.addExecutionBlock { [unowned operation] in operation.waitUntilFinished() }
            OperationQueue().addOperation(operation)
            sleepLong()
        }
        Self.expectMessage(result, "'load'", "waits for itself")
    }

    @Test func waitingForOnesOwnQueueInABarrier() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let queue = OperationQueue()
            queue.name = "photos"
            queue.addBarrierBlock { queue.waitUntilAllOperationsAreFinished() }
            sleepLong()
        }
        Self.expectMessage(result, "barrier", "'photos'")
    }

    @Test(arguments: [false, true]) func waitingForOnesOwnOperationInItsSecondBlock(isStartedByHand: Bool) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [isStartedByHand] in
            // It keeps the thread that runs `main()`, unless that takes the other.
            let operation = BlockOperation { sleepLong() }
            operation.name = "load"
            operation.addExecutionBlock { [unowned operation] in operation.waitUntilFinished() }
            if isStartedByHand {
                Thread.detachNewThread { operation.start() }
            } else {
                OperationQueue().addOperation(operation)
            }
            sleepLong()
        }
        Self.expectMessage(result, "'load' waits for itself")
    }

    @Test func waitingForOnesOwnQueue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let queue = OperationQueue()
            queue.name = "photos"
            queue.addOperation { queue.waitUntilAllOperationsAreFinished() }
            sleepLong()
        }
        Self.expectMessage(result, "'photos'", "its own queue")
    }

    @Test func waitingOnTheMainThreadForTheMainQueue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
            let operation = BlockOperation {}
            operation.name = "load"
            OperationQueue.main.addOperation(operation)
            endLater()
            wait(for: operation)
        }
        Self.expectMessage(result, "'load'", "main thread")
    }

    @Test func waitingOnTheMainThreadForTheMainQueueWithABarrierAlone() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
            OperationQueue.main.addBarrierBlock {}
            endLater()
            waitForAll(of: .main)
        }
        Self.expectMessage(result, "main queue", "main thread")
    }

    @Test func underlyingQueueWhileThereAreOperations() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let queue = OperationQueue()
            queue.isSuspended = true
            queue.name = "photos"
            queue.addOperation {}
            queue.underlyingQueue = DispatchQueue.global()
        }
        Self.expectMessage(result, "'photos'", "while it has operations")
    }
}

/// Whoever is not ended meanwhile ends with success, which is a failure of the test.
private func sleepLong() { sleep(100) }

/// The same for whoever would wait for ever.
private func endLater() {
    Thread.detachNewThread {
        sleepLong()
        exit(EXIT_SUCCESS)
    }
}

private func wait(for operation: Operation) { operation.waitUntilFinished() }

private func waitForAll(of queue: OperationQueue) { queue.waitUntilAllOperationsAreFinished() }
