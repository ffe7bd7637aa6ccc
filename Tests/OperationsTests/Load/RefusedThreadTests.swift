import Foundation
import Operations
import Testing

@testable import OperationsCore

/// The system has no thread at first. In processes of their own, of a user that has no others.
@Suite struct RefusedThreadTests {
    @Test func theFirstOne() async {
        await #expect(processExitsWith: .success) {
            let (queue, isDone) = (OperationQueue(), DispatchSemaphore(value: 0))
            Refusing.once()
            queue.addOperation { isDone.signal() }
            Refusing.end(with: isDone)
        }
    }

    /// One beside others, all of which block.
    @Test func oneOfSeveral() async {
        await #expect(processExitsWith: .success) {
            let (queue, began, isDone) = (OperationQueue(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            queue.maxConcurrentOperationCount = 100
            var blocked = 0
            repeat {
                queue.addOperation {
                    began.signal()
                    Refusing.waitForTheEnd()
                }
                guard Refusing.wait(for: began) == EXIT_SUCCESS else { exit(EXIT_FAILURE) }
                blocked += 1
            } while ThreadPool.shared.threadCount > blocked
            Refusing.once()
            queue.addOperation { isDone.signal() }
            Refusing.end(with: isDone)
        }
    }

    /// The one that makes threads for those of a lower priority, which make none themselves.
    @Test func theOneThatMakesThreads() async {
        await #expect(processExitsWith: .success) {
            Refusing.once()
            let (queue, isDone) = (OperationQueue(), DispatchSemaphore(value: 0))
            (queue.qualityOfService, queue.maxConcurrentOperationCount) = (.background, 2)
            queue.addOperation {
                queue.addOperation { isDone.signal() }
                Refusing.end(with: isDone)
            }
            Refusing.waitForTheEnd()
        }
    }
}

private enum Refusing {
    private static let wasRefused = Flag()

    /// From now on no thread is made, until the engine has been refused one. The thread that ends this is there already.
    static func once() {
        guard Privilege.isGivenUp(for: 54_321) else { exit(EXIT_FAILURE) }
        let (isThere, isRefused) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Log.sink.withLock {
            $0 = { _ in
                wasRefused.set()
                isRefused.signal()
            }
        }
        Thread.detachNewThread {
            isThere.signal()
            isRefused.wait()
            set(.max)
        }
        isThere.wait()
        set(1)
    }

    static func wait(for semaphore: DispatchSemaphore) -> Int32 {
        semaphore.wait(timeout: .now() + 60) == .success ? EXIT_SUCCESS : EXIT_FAILURE
    }

    /// Blocks until the process ends, which fails if it does not do so by itself.
    static func waitForTheEnd() -> Never {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 600)
        exit(EXIT_FAILURE)
    }

    /// Ends the process with success, if a thread was refused and all the same the semaphore is signalled.
    static func end(with semaphore: DispatchSemaphore) -> Never {
        exit(wait(for: semaphore) == EXIT_SUCCESS && wasRefused.isSet ? EXIT_SUCCESS : EXIT_FAILURE)
    }

    private static func set(_ count: UInt) {
        // RLIMIT_NPROC, for which Swift has no name.
        let processes: __rlimit_resource_t = 6
        var limit = rlimit()
        getrlimit(processes, &limit)
        limit.rlim_cur = min(count, limit.rlim_max)
        setrlimit(processes, &limit)
    }
}
