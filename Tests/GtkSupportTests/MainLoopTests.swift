import CGtk
import Foundation
import GtkSupport
import XCTest

@MainActor private final class Log {
    var order: [String] = []
}

final class MainLoopTests: GtkTestCase {
    func testTheMainLoopRunsSwiftsMainQueue() {
        MainActor.assumeIsolated {
            let log = Log()
            DispatchQueue.main.async { MainActor.assumeIsolated { log.order.append("dispatch") } }
            Self.wait("main queue") { log.order == ["dispatch"] }
            Task { @MainActor in
                XCTAssertTrue(Thread.isMainThread)
                log.order.append("task")
            }
            Self.wait("task") { log.order.last == "task" }
            OperationQueue.main.addOperation { MainActor.assumeIsolated { log.order.append("operation") } }
            Self.wait("operation") { log.order.last == "operation" }
            Thread.detachNewThread {
                DispatchQueue.main.async { MainActor.assumeIsolated { log.order.append("thread") } }
            }
            Self.wait("work of another thread") { log.order.last == "thread" }
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(20)) {
                MainActor.assumeIsolated { log.order.append("later") }
            }
            Self.wait("delayed work") { log.order.last == "later" }
        }
    }

    func testWorkThatRepeatsItselfLeavesTimersAlone() {
        MainActor.assumeIsolated {
            final class Counts { var posts = 0; var ticks = 0; var isOver = false }
            let counts = Counts()
            @MainActor func post() {
                counts.posts += 1
                if !counts.isOver { DispatchQueue.main.async { MainActor.assumeIsolated { post() } } }
            }
            post()
            let timer = g_timeout_add(
                5,
                { context in
                    guard let context else { return 0 }
                    Unmanaged<Counts>.fromOpaque(context).takeUnretainedValue().ticks += 1
                    return 1
                }, Unmanaged.passUnretained(counts).toOpaque())
            Self.wait("ticks") { counts.ticks >= 5 && counts.posts >= 5 }
            g_source_remove(timer)
            counts.isOver = true
            let posts = counts.posts
            Self.wait("end") { counts.posts > posts || MainLoop.iterate(mayBlock: false) == false }
        }
    }

    /// Each window's panel draws what kept the loop busy.
    func testAllWhoListenAreToldThatTheLoopWasBusy() {
        MainActor.assumeIsolated {
            final class Counts { var first = 0; var second = 0 }
            let counts = Counts()
            let (first, second) = (Log(), Log())
            LoopProbe.attach()
            LoopProbe.tell(first) { from, to in
                if to - from > .milliseconds(30) { counts.first += 1 }
            }
            LoopProbe.tell(second) { _, _ in counts.second += 1 }
            func stall() { DispatchQueue.main.async { usleep(40_000) } }
            stall()
            Self.wait("both of them") { counts.first > 0 && counts.second > 0 }
            LoopProbe.forget(first)
            let before = (counts.first, counts.second)
            stall()
            Self.wait("the one that is left") { counts.second > before.1 }
            XCTAssertEqual(counts.first, before.0)
            LoopProbe.forget(second)
        }
    }
}
