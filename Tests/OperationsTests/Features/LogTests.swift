import Foundation
import Operations
import Testing

@testable import OperationsCore

/// What the engine says on standard error is a hint: nothing happens to the program where it cannot be written.
@Suite struct LogTests {
    #if os(Linux)
        @Test func aFullDiskIsNoFault() async {
            await #expect(processExitsWith: .success) {
                dup2(open("/dev/full", O_WRONLY), STDERR_FILENO)
                Log.report("Who says so?")
            }
        }
    #endif

    @Test func aPipeThatIsNotReadIsNoFault() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            close(ends[0])
            dup2(ends[1], STDERR_FILENO)
            for _ in 0..<3 { Log.report("Who says so?") }
            signal(SIGPIPE, SIG_IGN)
            Log.report("Who says so?")
        }
    }

    /// The signal is the program's again after that.
    @Test func aBrokenPipeOfTheProgramIsItsOwn() async {
        await #expect(processExitsWith: .signal(SIGPIPE)) {
            signal(SIGPIPE, SIG_DFL)
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            close(ends[0])
            dup2(ends[1], STDERR_FILENO)
            Log.report("Who says so?")
            _ = "a".withCString { write(STDERR_FILENO, $0, 1) }
        }
    }

    @Test func aReaderThatHasStoppedHoldsNothingUp() async {
        await #expect(processExitsWith: .success) {
            let own = dup(STDERR_FILENO)
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            dup2(ends[1], STDERR_FILENO)
            for _ in 0..<3 { Log.report(String(repeating: "a", count: 100_000)) }
            // The test library writes to it at the end.
            dup2(own, STDERR_FILENO)
        }
    }

    @Test func aLongTextIsWrittenAsAWhole() async {
        await #expect(processExitsWith: .success) {
            let path = NSTemporaryDirectory() + "log-\(UUID().uuidString)"
            defer { unlink(path) }
            dup2(open(path, O_RDWR | O_CREAT, 0o600), STDERR_FILENO)
            let text = String(repeating: "a", count: 300_000)
            Log.report(text)
            let written = try String(contentsOfFile: path, encoding: .utf8)
            #expect(written == "Operations: \(text)\n")
        }
    }
}
