// The same code with Foundation's classes and with this package's, each piece in a process of its own, because some
// never come back: `swift build && swift run coming-from-foundation`

import Foundation

#if !FOUNDATION_ALONE
    import Operations
#endif

/// Runs one demonstration in another program and notes how it ended. It is given up after some seconds.
final class Outcome: Operation, @unchecked Sendable {
    private let index: Int
    private let program: String
    private let seconds: Int
    /// Written by `main()` only, and read after the finish only.
    private(set) var text = ""

    init(of index: Int, in program: String, seconds: Int) {
        self.index = index
        self.program = program
        self.seconds = seconds
    }

    override func main() {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        process.executableURL = folder.appending(path: program)
        process.arguments = [String(index)]
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        (process.standardOutput, process.standardError) = (output, errors)
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        do { try process.run() } catch { return text = "cannot be run: \(error)" }
        guard ended.wait(timeout: .now() + .seconds(seconds)) == .success else {
            kill(process.processIdentifier, SIGKILL)
            return text = "never comes back (given up after \(seconds) s)"
        }
        text =
            process.terminationReason == .exit
            ? Self.lines(of: output).first ?? "" : Self.complaint(in: Self.lines(of: errors))
    }

    private static func lines(of pipe: Pipe) -> [String] {
        String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    private static func complaint(in lines: [String]) -> String {
        for line in lines {
            if let message = line.components(separatedBy: "Precondition failed: ").dropFirst().first {
                return "stops the program: " + message
            }
        }
        return "crashes"
    }
}

if let index = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }) {
    print(demonstrations[index].body())
} else {
    let queue = OperationQueue()
    // Most of them wait. More at once would show in the times of the others.
    queue.maxConcurrentOperationCount = 2
    let outcomes = demonstrations.indices.map { index in
        (
            foundation: Outcome(of: index, in: "foundation-alone", seconds: 3),
            operations: Outcome(of: index, in: "coming-from-foundation", seconds: 60)
        )
    }
    for outcome in outcomes {
        queue.addOperation(outcome.foundation)
        queue.addOperation(outcome.operations)
    }
    for (demonstration, outcome) in zip(demonstrations, outcomes) {
        outcome.foundation.waitUntilFinished()
        outcome.operations.waitUntilFinished()
        print(demonstration.title)
        print("    Foundation   " + outcome.foundation.text)
        print("    Operations   " + outcome.operations.text)
    }
}
