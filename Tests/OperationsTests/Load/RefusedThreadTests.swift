import Foundation
import Operations
import Testing

/// The system has no thread for a while. In processes of their own, of a user that has no others.
@Suite struct RefusedThreadTests {
    @Test func theFirstOne() async {
        await #expect(processExitsWith: .success) {
            let isDone = DispatchSemaphore(value: 0)
            Refusing.forAWhile()
            OperationQueue().addOperation { isDone.signal() }
            exit(Refusing.wait(for: isDone))
        }
    }

    /// One that others wait for, in a queue that has asked for a thread already.
    @Test func oneOfSeveral() async {
        await #expect(processExitsWith: .success) {
            let (queue, began, goesOn) = (OperationQueue(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            queue.maxConcurrentOperationCount = 8
            queue.addOperation {
                began.signal()
                _ = Refusing.wait(for: goesOn)
            }
            guard Refusing.wait(for: began) == EXIT_SUCCESS else { exit(EXIT_FAILURE) }
            let isDone = DispatchSemaphore(value: 0)
            Refusing.forAWhile()
            queue.addOperation { goesOn.signal() }
            queue.addOperation { isDone.signal() }
            exit(Refusing.wait(for: isDone))
        }
    }
}

private enum Refusing {
    /// From now on no thread is made, for a tenth of a second at least. The thread that ends this is there already.
    static func forAWhile() {
        if getuid() == 0, setgid(54_321) != 0 || setuid(54_321) != 0 { exit(EXIT_FAILURE) }
        let (isThere, isRefusing) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            isThere.signal()
            isRefusing.wait()
            usleep(100_000)
            set(.max)
        }
        isThere.wait()
        set(1)
        isRefusing.signal()
    }

    static func wait(for semaphore: DispatchSemaphore) -> Int32 {
        semaphore.wait(timeout: .now() + 60) == .success ? EXIT_SUCCESS : EXIT_FAILURE
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
