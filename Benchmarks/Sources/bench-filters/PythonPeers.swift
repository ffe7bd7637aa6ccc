import Foundation

/// Pillow and OpenCV in one Python process that runs a peer when asked.
final class PythonPeers {
    private let process = Process()
    private let requests = Pipe()
    private let answers = Pipe()

    /// The peers that could be imported.
    private(set) var names: [String] = []

    /// Starts the peers' script with the Python of `environment`, which is made first if there is none.
    init?(script: URL, environment: URL) {
        let python = environment.appending(path: "bin/python3")
        if !FileManager.default.isExecutableFile(atPath: python.path) {
            guard
                Self.run("/usr/bin/env", ["python3", "-m", "venv", environment.path]),
                Self.run(python.path, ["-m", "pip", "install", "--quiet", "pillow", "opencv-python-headless"])
            else { return nil }
        }
        process.executableURL = python
        process.arguments = [script.path]
        process.standardInput = requests
        process.standardOutput = answers
        guard (try? process.run()) != nil, let first = readLine() else { return nil }
        names = first.split(separator: " ").map(String.init)
    }

    /// Runs one peer once.
    ///
    /// - Returns: its CPU time in milliseconds, or nil if it failed.
    func measure(_ name: String) -> Double? {
        guard (try? requests.fileHandleForWriting.write(contentsOf: Data("\(name)\n".utf8))) != nil else { return nil }
        return readLine().flatMap { Double($0) }
    }

    func stop() {
        try? requests.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private func readLine() -> String? {
        var line = Data()
        while let byte = try? answers.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
            if byte.first == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    private static func run(_ program: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.standardError
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
