import Foundation

/// Runs programs and tells what processor time they took.
enum Children {
    /// Seconds of user and system time of one run; nil if it failed.
    static func processorTime(_ arguments: [String], environment: [String: String] = [:]) -> Double? {
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        var envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") }
        argv.append(nil)
        envp.append(nil)
        defer { for text in argv + envp { free(text) } }
        var child: pid_t = 0
        guard let program = argv[0], posix_spawnp(&child, program, nil, nil, argv, envp) == 0 else { return nil }
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(child, &status, 0, &usage) == child, status == 0 else { return nil }
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The first line that a program prints; nil if it failed.
    static func line(_ path: String) -> String? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }
}
