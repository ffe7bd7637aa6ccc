import Foundation

/// Where the engine reports what is probably a mistake but not certainly one.
package enum Log {
    /// Replaceable, so that tests can read what was reported. It goes to standard error.
    package static let sink = Lock<@Sendable (String) -> Void> { message in
        FileHandle.standardError.write(Data("Operations: \(message)\n".utf8))
    }

    package static func report(_ message: String) {
        let sink = sink.withLock { $0 }
        sink(message)
    }
}
