import Foundation
import Operations
import OperationsCore
import Synchronization
import XCTest

/// Notes in the order in which threads make them.
final class Recorder: Sendable {
    private let lines = Lock<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func note(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Counts, from any thread. It takes no lock, so that nobody is found asleep in here.
final class Counter: Sendable {
    private let storage = Atomic(0)
    var value: Int { storage.load(ordering: .acquiring) }
    @discardableResult
    func increase() -> Int { storage.add(1, ordering: .acquiringAndReleasing).newValue }
}

/// How many are inside at once, and the most there ever were. It takes no lock either.
final class Occupancy: Sendable {
    private let inside = Atomic(0)
    private let highest = Atomic(0)
    var now: Int { inside.load(ordering: .acquiring) }
    var most: Int { highest.load(ordering: .acquiring) }
    func enter() {
        let now = inside.add(1, ordering: .acquiringAndReleasing).newValue
        highest.max(now, ordering: .acquiringAndReleasing)
    }
    func leave() { inside.subtract(1, ordering: .acquiringAndReleasing) }
}

/// Something that has happened.
final class Flag: Sendable {
    private let storage = Lock(false)
    var isSet: Bool { storage.withLock { $0 } }
    func set() { storage.withLock { $0 = true } }
}

/// Does something when it goes.
final class Leaving: Sendable {
    private let leave: @Sendable () -> Void
    init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }
    deinit { leave() }
}

/// A door that is closed until it is opened.
final class Door: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func open() { semaphore.signal() }
    /// Waits until it is open; it stays open.
    @discardableResult
    func pass(file: StaticString = #filePath, line: UInt = #line) -> Bool {
        let isOpen = semaphore.wait(timeout: .now() + 30) == .success
        XCTAssertTrue(isOpen, "The door stayed closed.", file: file, line: line)
        semaphore.signal()
        return isOpen
    }
}

/// How many a test makes: `usual`, `long` in `make check-long`, or as many as a sanitizer takes no longer for.
///
/// In a round that is repeated some hundred times it is a tenth of that, so that there is time for more rounds.
func many(_ usual: Int, long: Int? = nil, sanitized: Int? = nil) -> Int {
    let environment = ProcessInfo.processInfo.environment
    if let long, environment["CHECK_LONG"] != nil { return long }
    let count = environment["SANITIZED"] != nil ? sanitized ?? usual : usual
    return environment["REPEATED"] != nil ? max(1, count / 10) : count
}

/// Waits until `condition` holds.
/// - Returns: Whether it does; if not, the test has failed.
@discardableResult
func eventually(
    _ what: String = "", within seconds: Double = 120, file: StaticString = #filePath, line: UInt = #line,
    _ condition: () -> Bool
) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while !condition() {
        guard Date() < end else {
            XCTFail("It did not happen: \(what)", file: file, line: line)
            return false
        }
        usleep(500)
    }
    return true
}

/// Waits on another thread, so that a test fails instead of hanging when the queue is stuck.
func finishes(
    _ queue: OperationQueue, within seconds: Double = 60, file: StaticString = #filePath, line: UInt = #line
) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        queue.waitUntilAllOperationsAreFinished()
        done.signal()
    }
    if done.wait(timeout: .now() + seconds) == .timedOut {
        XCTFail("The queue is stuck: \(queue.operationCount) left. \(queue.diagnostics)", file: file, line: line)
    }
}

/// A queue of a given width.
func makeQueue(width: Int, suspended: Bool = false) -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    queue.isSuspended = suspended
    return queue
}

func block(_ name: String, _ recorder: Recorder) -> BlockOperation {
    let operation = BlockOperation { recorder.note(name) }
    operation.name = name
    return operation
}

/// Collects what the engine reports while `body` runs.
func collectingReports(_ body: (Recorder) -> Void) {
    let recorder = Recorder()
    let old = Log.sink.withLock { sink in
        defer { sink = { recorder.note($0) } }
        return sink
    }
    body(recorder)
    Log.sink.withLock { $0 = old }
}

/// As `collectingReports`, in a task.
func collectingReportsInTask<Success>(_ body: (Recorder) async -> Success) async -> Success {
    let recorder = Recorder()
    let old = Log.sink.withLock { sink in
        defer { sink = { recorder.note($0) } }
        return sink
    }
    defer { Log.sink.withLock { $0 = old } }
    return await body(recorder)
}

/// An asynchronous operation that finishes when it is told.
final class ManualOperation: AsyncOperation, @unchecked Sendable {
    let began = Door()
    let cancellations = Counter()
    override func execute() { began.open() }
    override func cancelExecution() { cancellations.increase() }
}
