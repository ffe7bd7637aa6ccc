import CGtk
import Foundation
import GtkSupport
import Operations
import PhotoPipeline
import TestServers
import XCTest

@testable import PhotoApp

/// Suspended queues whose operations are run by hand.
final class SteppingTests: GtkTestCase {
    func testAStepRunsOneOperationAndNoOther() {
        MainActor.assumeIsolated {
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 4
            queue.isSuspended = true
            let runs = (0..<20).map { _ in BlockOperation {} }
            queue.addOperations(runs, waitUntilFinished: false)
            for count in 1...runs.count {
                Self.step(queue)
                Self.wait("step \(count)") { runs.filter(\.isFinished).count >= count }
                XCTAssertEqual(runs.filter { $0.isFinished || $0.isExecuting }.count, count)
                XCTAssertTrue(queue.isSuspended)
                XCTAssertNil(queue.rateLimit)
            }
        }
    }

    func testAStepWaitsForAnOperationThatIsReady() {
        MainActor.assumeIsolated {
            let queue = OperationQueue()
            queue.isSuspended = true
            let task = Task { await QueueStep.run(queue) }
            Self.wait("the beginning") { !queue.isSuspended }
            let first = BlockOperation {}
            queue.addOperation(first)
            Self.wait("the end") { queue.isSuspended && first.isFinished }
            task.cancel()
            queue.addOperation(BlockOperation {})
            XCTAssertEqual(queue.operationCount, 1)
            queue.isSuspended = false
            queue.waitUntilAllOperationsAreFinished()
        }
    }

    func testAStepThatIsGivenUpLeavesTheQueueGoing() {
        MainActor.assumeIsolated {
            let queue = OperationQueue()
            queue.isSuspended = true
            let task = Task { await QueueStep.run(queue) }
            Self.wait("the beginning") { !queue.isSuspended }
            task.cancel()
            Self.wait("the end") { queue.rateLimit == nil }
            queue.addOperations((0..<5).map { _ in BlockOperation {} }, waitUntilFinished: true)
            XCTAssertFalse(queue.isSuspended)
        }
    }

    /// A step that goes on behind the closed window would suspend the queue, and saves would wait for ever.
    func testAStepEndsWithItsWindow() {
        MainActor.assumeIsolated {
            Complaints.listen()
            let complaints = Complaints.all.count
            let application = Self.application(named: "SteppingTests")
            let window = BrowserWindow(application: application.pointer, diskCache: nil)
            window.present()
            let queue = window.pipeline.pending.decodeQueue
            queue.isSuspended = true
            window.panel.step(queue)
            Self.wait("the beginning") { !queue.isSuspended }
            window.close()
            Self.wait("the end of the step") { queue.rateLimit == nil && !window.panel.isStepping(queue) }
            let saves = (0..<5).map { _ in BlockOperation {} }
            queue.addOperations(saves, waitUntilFinished: false)
            Self.wait("what is saved") { saves.allSatisfy(\.isFinished) }
            XCTAssertFalse(queue.isSuspended)
            XCTAssertEqual(Array(Complaints.all.dropFirst(complaints)), [])
        }
    }

    /// As a person does it.
    func testPhotosAreDecodedOneByOne() throws {
        try MainActor.assumeIsolated {
            let person = try Person.atTheSample()
            try person.keys("F9")
            let step = "Run the next operation: Decode queue"
            try person.press("Suspend: Decode queue") { person.isOn("Suspend: Decode queue") && person.sees(step) }
            try person.focus()
            try person.keys("shift+F5")
            try person.wait("rows that wait for the queue, of which none is done") {
                let waiting = person.rows.filter { $0.hasSuffix(", Downloaded, decoding is suspended") }
                return waiting.count >= 3 && !person.rows.contains { $0.hasSuffix(", Done") }
                    && person.name(beginningWith: "0 waiting") == nil
                    && person.name(beginningWith: "\(waiting.count) waiting, \(waiting.count) of them ready") != nil
            }
            @MainActor func doneCount() -> Int { person.rows.count { $0.hasSuffix(", Done") } }
            try person.press(step) { doneCount() == 1 }
            // The keyboard stays there for the next one.
            XCTAssertTrue(person.isFocused(step))
            try person.keys("space")
            try person.wait("the second one") { doneCount() == 2 }
            XCTAssertTrue(person.rows.contains { $0.hasSuffix(", Downloaded, decoding is suspended") })
            XCTAssertTrue(person.isOn("Suspend: Decode queue"))
            try person.press("Suspend: Decode queue") { !person.isOn("Suspend: Decode queue") && !person.sees(step) }
            try person.wait("all of them") { !person.rows.contains { $0.hasSuffix("decoding is suspended") } }
            try person.close()
        }
    }

    private static func step(_ queue: OperationQueue) {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            await QueueStep.run(queue)
            end.signal()
        }
        end.wait()
    }
}
