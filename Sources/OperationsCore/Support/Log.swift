/// Where the engine reports what is probably a mistake but not certainly one.
package enum Log {
    /// Replaceable, so that tests can read what was reported. It goes to standard error.
    package static let sink = Lock<@Sendable (String) -> Void> { StandardError.put("Operations: \($0)\n") }

    package static func report(_ message: String) {
        let sink = sink.withLock { $0 }
        sink(message)
    }
}
