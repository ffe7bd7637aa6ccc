import Foundation
import Glibc

/// Keeps the person's own desktop out of tests: `Scripts/lib/environment.txt` says what they find in its place.
enum TestEnvironment {
    /// What a line of the file says.
    enum Line: Equatable {
        case set(String, String)
        case clear(String)
    }

    /// A folder of this process, for what programs keep; removed with the run's other temporary files.
    static let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-tests-\(getpid())")

    /// Changes the environment of this process, once; later calls change nothing.
    static func apply() { _ = isApplied }

    /// An environment as programs shall find it.
    ///
    /// - Parameter environment: The one that the tests were started in.
    static func isolated(_ environment: [String: String]) -> [String: String] {
        var environment = environment
        for line in lines {
            switch line {
            case .set(let name, let value): environment[name] = value
            case .clear(let name): environment[name] = nil
            }
        }
        return environment
    }

    static let lines: [Line] = {
        let file = Translations.root.appending(path: "Scripts/lib/environment.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            guard !line.hasPrefix("#") else { return nil }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { return .clear(parts[0]) }
            guard parts[1].hasPrefix("FOLDER/") else { return .set(parts[0], parts[1]) }
            return .set(parts[0], folder.path + parts[1].dropFirst("FOLDER".count))
        }
    }()

    private static let isApplied: Bool = {
        for line in lines {
            switch line {
            case .set(let name, let value):
                // Sockets of services are found in such a folder only where nobody else may look into it.
                if value.hasPrefix(folder.path) {
                    try? FileManager.default.createDirectory(
                        atPath: value, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                }
                setenv(name, value, 1)
            case .clear(let name): unsetenv(name)
            }
        }
        atexit { try? FileManager.default.removeItem(at: TestEnvironment.folder) }
        return true
    }()
}
