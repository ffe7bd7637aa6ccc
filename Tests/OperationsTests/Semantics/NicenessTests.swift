import Dispatch
import Foundation
import Operations
import Testing

/// Row "threads": work of a lower priority gives it to no thread of anybody else. Each test has a process of its own, in which
/// the threads that it is about do not exist yet, and no privilege, without which no thread leaves a priority again.
@Suite struct NicenessTests {
    @Test func ofWhoAwaitsATask() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Ordinary.check { note in
                let (queue, gate) = (Ordinary.background, DispatchSemaphore(value: 0))
                let operation = queue.addTask { Ordinary.wait(for: gate) }
                // Up to its suspension it runs on this thread.
                Task.immediateDetached(priority: .high) {
                    try await operation.value
                    note(Ordinary.niceness, 0)
                }
                gate.signal()
            }
        }
        Self.expectNoMessage(result)
    }

    @Test func ofWhoRunsInAPlace() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Ordinary.check { note in
                let (queue, gate) = (Ordinary.background, DispatchSemaphore(value: 0))
                queue.maxConcurrentOperationCount = 1
                queue.addOperation { gate.wait() }
                Task.immediateDetached(priority: .high) {
                    try await queue.run {}
                    note(Ordinary.niceness, 0)
                }
                gate.signal()
            }
        }
        Self.expectNoMessage(result)
    }

    /// The task keeps the lower priority to its end, wherever it is suspended.
    /// - Parameter priority: Nil, or a `TaskPriority`'s number: background, utility, medium, high and user-interactive.
    @Test(arguments: [nil, 9, 17, 21, 25, 33] as [UInt8?]) func ofATaskItself(priority: UInt8?) async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [priority] in
            Ordinary.check(notes: 3) { note in
                Ordinary.background.addTask(priority: priority.map { TaskPriority(rawValue: $0) }) {
                    await Counter().count()
                    let afterActor = Ordinary.niceness
                    // Not to wait for something: a timer is to end this suspension, and a time that is over before the task is
                    // suspended takes none, however long this thread has to wait for a processor in between.
                    try await Task.sleep(for: .seconds(2))
                    let afterSleep = Ordinary.niceness
                    async let child = Ordinary.niceness
                    for niceness in await [afterActor, afterSleep, child] { note(niceness, 10) }
                }
            }
        }
        Self.expectNoMessage(result)
    }

    /// See `SeededSchedulerTests.testTasksWithTimeLimitsEndInItsSteps`.
    @Test func ofATaskWithTimeLimits() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Ordinary.check(notes: 2) { note in
                let limits = TimeLimits(attempt: .seconds(600), total: .seconds(600))
                Ordinary.background.addTask(limits: limits) {
                    note(Ordinary.niceness, 10)
                    await Task.yield()
                    note(Ordinary.niceness, 10)
                }
            }
        }
        Self.expectNoMessage(result)
    }

    @Test func ofWhatABackgroundTaskAwaits() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Ordinary.check(notes: 100) { note in
                let queue = OperationQueue()
                let awaits: @Sendable () async -> Void = {
                    for _ in 0..<50 {
                        await Task.yield()
                        _ = await queue.addTask(priority: .high) { note(Ordinary.niceness, 0) }.result
                    }
                }
                Ordinary.background.addTask { await awaits() }
                Task.detached(priority: .background) { await awaits() }
            }
        }
        Self.expectNoMessage(result)
    }

    @Test func ofAQueueThatItAddsTo() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Ordinary.check { note in
                let queue = OperationQueue()
                Ordinary.background.addOperation { queue.addOperation { note(Ordinary.niceness, 0) } }
            }
        }
        Self.expectNoMessage(result)
    }

    @Test func ofADispatchQueueThatItAddsTo() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Ordinary.check { note in
                let queue = OperationQueue()
                queue.underlyingQueue = DispatchQueue(label: "own", qos: .userInitiated)
                Ordinary.background.addOperation { queue.addOperation { note(Ordinary.niceness, 0) } }
            }
        }
        Self.expectNoMessage(result)
    }

    @Test func ofAQueueAfterTheFirstWasMadeByATaskOfALowerPriority() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Ordinary.check { note in
                let isMade = DispatchSemaphore(value: 0)
                DispatchQueue.global(qos: .background).async {
                    _ = OperationQueue()
                    isMade.signal()
                }
                Ordinary.wait(for: isMade)
                let queue = OperationQueue()
                Ordinary.background.addOperation { queue.addOperation { note(Ordinary.niceness, 0) } }
            }
        }
        Self.expectNoMessage(result)
    }

    @Test func ofAQueueThatATaskOfALowerPriorityAddsTo() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Ordinary.check { note in
                let queue = OperationQueue()
                Task.detached(priority: .background) { queue.addOperation { note(Ordinary.niceness, 0) } }
            }
        }
        Self.expectNoMessage(result)
    }

    /// Nothing is wrong in the process, whatever a sanitizer says of threads that it could not suspend.
    private static func expectNoMessage(_ result: ExitTest.Result?, at location: SourceLocation = #_sourceLocation) {
        let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix(Ordinary.mark) } == [], sourceLocation: location)
    }

    private actor Counter {
        var value = 0
        func count() { value += 1 }
    }
}

/// An ordinary user's process.
private enum Ordinary {
    /// What the lines begin with that say what is wrong.
    static let mark = "ordinary: "
    /// How long a thread may take to come.
    private static let patience = 60.0

    static var niceness: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    static var background: OperationQueue {
        let queue = OperationQueue()
        queue.qualityOfService = .background
        return queue
    }

    static func wait(for gate: DispatchSemaphore) { gate.wait() }

    /// Calls `body`, and says so if it notes a niceness that is not so far above the process's as it says, or fewer than `notes`,
    /// or if threads that begin to work afterwards have another one than the process.
    static func check(
        notes: Int = 1, _ body: (_ note: @escaping @Sendable (_ niceness: Int32, _ above: Int32) -> Void) -> Void
    ) {
        guard Privilege.isGivenUp(for: 65_534) else { end("It remains root: \(errno).") }
        waitUntilDispatchHasNoIdleThread()
        let process = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(getpid()))
        let noted = DispatchSemaphore(value: 0)
        let note: @Sendable (Int32, Int32) -> Void = { niceness, above in
            // There is none above 19.
            let expected = min(process + above, 19)
            // Dispatch gave a lower one to threads of its higher qualities, while it was allowed to.
            if above == 0 ? niceness > expected : niceness != expected {
                end("The niceness is \(niceness), and not \(expected).")
            }
            noted.signal()
        }
        body(note)
        for _ in 0..<notes where noted.wait(timeout: .now() + patience) == .timedOut { end("Nobody has come.") }
        for priority in [TaskPriority.medium, .high] { Task.detached(priority: priority) { note(niceness, 0) } }
        OperationQueue().addOperation { note(niceness, 0) }
        for _ in 0..<3 where noted.wait(timeout: .now() + patience) == .timedOut { end("A thread does not come.") }
        // Those of lower priorities have a niceness by Dispatch.
        for quality in [DispatchQoS.QoSClass.default, .userInitiated, .userInteractive] {
            // One that has something to do already may be among them later.
            for _ in 0..<20 { callAllThreads(of: quality) { note(niceness, 0) } }
        }
    }

    /// Waits until none but this thread is left of those that work at Dispatch's default quality. An idle one would take what a
    /// thread of a lower priority makes a thread for otherwise; it leaves after five seconds.
    private static func waitUntilDispatchHasNoIdleThread() {
        let tasks = "/proc/self/task"
        let end = Date(timeIntervalSinceNow: patience)
        while Date.now < end {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
            let names = threads.compactMap { try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8) }
            // A thread has the end of its last queue's name, if it had one.
            if names.filter({ $0.hasSuffix("default-qos\n") || $0.hasPrefix("DispatchWorker") }).count <= 1 { return }
            // Until it is asked again: the answer takes reading a file for each thread.
            usleep(20_000)
        }
    }

    /// Calls `body` on as many of Dispatch's threads as work at once.
    private static func callAllThreads(of quality: DispatchQoS.QoSClass, _ body: @escaping @Sendable () -> Void) {
        let all = DispatchGroup()
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
            all.enter()
            DispatchQueue.global(qos: quality).async {
                body()
                all.leave()
                all.wait()
            }
        }
        if all.wait(timeout: .now() + patience) == .timedOut { end("Dispatch's threads do not come.") }
    }

    /// Ends the process with a message. What a process says that has failed is not passed on to the test.
    private static func end(_ message: String) -> Never {
        FileHandle.standardError.write(Data((mark + message + "\n").utf8))
        exit(EXIT_SUCCESS)
    }
}
