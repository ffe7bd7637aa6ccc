import Glibc

/// The program's two outputs.
enum Console {
    /// Writes to standard output.
    static func output(_ text: String) {
        write(text, to: STDOUT_FILENO)
    }

    /// Writes to standard error.
    static func error(_ text: String) {
        write(text, to: STDERR_FILENO)
    }

    /// Says what is wrong with a command line, and where help is.
    static func usageError(_ problem: UsageError, command: String) -> ExitStatus {
        error("classicphotos \(command): \(problem.message)\nTry: classicphotos \(command) --help\n")
        return .usage
    }

    /// Whether a person is looking at standard error.
    static var errorIsTerminal: Bool {
        isatty(STDERR_FILENO) == 1 && getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false
    }

    /// The columns of the terminal on standard error, 80 where it does not say.
    static var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { offset += count } else if errno != EINTR { return }
        }
    }
}

extension String {
    /// The text with everything that could move a terminal's cursor, or hide what is written, shown as a question mark.
    var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }
}
