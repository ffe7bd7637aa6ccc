import Foundation
import Operations
import OperationsCore
import XCTest

/// Signals are the program's, and not the engine's.
final class SignalTests: XCTestCase {
    /// Those that a thread raises itself.
    private static let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT]

    private static func blocked() -> Set<Int32> {
        var mask = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &mask)
        return Set((1...31).filter { sigismember(&mask, $0) == 1 })
    }

    /// One that the program has blocked on its own threads must not end it through one of ours.
    func testOperationsTakeNoSignalsOfTheProcess() {
        let before = Self.blocked()
        let qualities: [QualityOfService] = [.background, .utility, .default, .userInitiated, .userInteractive]
        for quality in qualities {
            let queue = OperationQueue()
            queue.qualityOfService = quality
            let seen = Lock<[Set<Int32>]>([])
            for _ in 0..<4 { queue.addOperation { seen.withLock { $0.append(Self.blocked()) } } }
            queue.waitUntilAllOperationsAreFinished()
            for mask in seen.withLock({ $0 }) {
                XCTAssert(mask.isSuperset(of: [SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGALRM, SIGUSR1]), "\(quality)")
                XCTAssert(mask.isDisjoint(with: Self.faults), "\(quality)")
            }
        }
        XCTAssertEqual(Self.blocked(), before)
    }

    /// Such as a pipe that nobody reads, for a program that blocks that signal everywhere.
    func testSomeAreTakenWhereTheCreatorTakesThem() {
        var mask = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &mask)
        defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
        for isBlocked in [false, true] {
            var own = sigset_t()
            sigemptyset(&own)
            for signal in isBlocked ? [SIGPIPE, SIGUSR1] : [SIGUSR1] { sigaddset(&own, signal) }
            pthread_sigmask(SIG_SETMASK, &own, nil)
            let inherited = ThreadSignals.inheritOnlyFaults(and: [SIGPIPE, SIGPROF]) { Self.blocked() }
            XCTAssertEqual(inherited.contains(SIGPIPE), isBlocked)
            XCTAssertFalse(inherited.contains(SIGPROF))
            XCTAssert(inherited.isSuperset(of: [SIGTERM, SIGUSR1]) && inherited.isDisjoint(with: Self.faults))
            XCTAssertEqual(Self.blocked(), isBlocked ? [SIGPIPE, SIGUSR1] : [SIGUSR1])
        }
    }

    /// What an operation starts is a program like any other.
    func testAProgramThatAnOperationStartsTakesSignals() throws {
        let mask = Lock("")
        let queue = OperationQueue()
        queue.addOperation {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "grep SigBlk /proc/self/status"]
            let pipe = Pipe()
            process.standardOutput = pipe
            guard (try? process.run()) != nil else { return }
            let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            mask.withLock { $0 = text }
        }
        queue.waitUntilAllOperationsAreFinished()
        XCTAssertEqual(mask.withLock { $0 }.split(separator: "\t").last, "0000000000000000\n")
    }
}
