// The same code with Foundation's classes and with this package's, each piece in a process of its own, because some
// never come back: `swift build --product foundation-alone && swift run coming-from-foundation`

import Foundation

/// Runs one demonstration in another program and tells how it ended. It is given up after some seconds.
func outcome(of index: Int, in program: String, seconds: Int) throws -> String {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: program)
    process.arguments = [String(index)]
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    (process.standardOutput, process.standardError) = (output, errors)
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    guard ended.wait(timeout: .now() + .seconds(seconds)) == .success else {
        kill(process.processIdentifier, SIGKILL)
        ended.wait()
        return "never comes back (given up after \(seconds) s)"
    }
    if process.terminationReason == .exit { return lines(of: output).joined() }
    for line in lines(of: errors) {
        if let message = line.components(separatedBy: "Fatal error: ").dropFirst().first {
            return "stops the program: " + message
        }
    }
    return "crashes"
}

func lines(of pipe: Pipe) -> [Substring] {
    String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(separator: "\n")
}

if let index = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }) {
    print(demonstrations[index].body())
} else {
    for (index, demonstration) in demonstrations.enumerated() {
        print(demonstration.title)
        print("    Foundation   " + (try outcome(of: index, in: "foundation-alone", seconds: 2)))
        print("    Operations   " + (try outcome(of: index, in: "coming-from-foundation", seconds: 60)))
    }
}
