import FoundationEssentials
import Glibc
import Operations
import PhotoDevelopment
import PhotoPipeline
import Wording

/// The program's two outputs.
enum Console {
    /// The error of the first write to standard output that failed.
    private static let failure = Lock<Int32?>(nil)

    /// Writes to standard output. After a failure nothing more is written; ``endOutput(_:)`` tells of it.
    ///
    /// - Returns: Whether it was written.
    @discardableResult
    static func output(_ text: String) -> Bool {
        output(Data(text.utf8))
    }

    /// Writes bytes to standard output, as text is written.
    @discardableResult
    static func output(_ bytes: Data) -> Bool {
        guard failure.withLock({ $0 }) == nil else { return false }
        guard let code = write(bytes, to: STDOUT_FILENO) else { return true }
        failure.withLock { $0 = code }
        return false
    }

    /// Writes to standard output what a caller can do without. Where that fails it is said, and the program's status stays.
    static func remark(_ text: String) {
        if let code = write(Data(text.utf8), to: STDOUT_FILENO) { tellUnwritable(code) }
    }

    /// Writes to standard error. Where that fails there is nobody to tell.
    static func error(_ text: String) {
        _ = write(Data(text.utf8), to: STDERR_FILENO)
    }

    /// Says on standard error what is wrong, in the language of the user.
    static func problem(_ message: Message) {
        error("classicphotos: \(message.translated)\n")
    }

    /// Says a sentence on standard error, in the language of the user.
    static func tell(_ message: Message) {
        error("\(message.translated)\n")
    }

    /// Says on standard error why a command cannot do its work.
    static func problem(_ cause: DevelopmentError) {
        error("classicphotos: \(cause.sentence.printable)\n")
    }

    /// Says something while progress may be shown: a bar on the terminal gives way.
    static func warn(_ text: String) {
        error(errorIsTerminal ? "\r\u{1B}[K" + text : text)
    }

    /// The status of a program that ends with `status`, now that it has said everything: what could not be written to
    /// standard output is no success. A reader that has seen enough and is gone, as `head` does, is not told.
    static func endOutput(_ status: ExitStatus) -> ExitStatus {
        guard let code = failure.withLock({ $0 }) else { return status }
        tellUnwritable(code)
        return status.withUnwritableOutput
    }

    private static func tellUnwritable(_ code: Int32) {
        guard code != EPIPE else { return }
        let reason = code == ENOSPC ? tr("the disk is full") : String(cString: strerror(code))
        problem("cannot write to standard output: \(reason)")
    }

    /// Says what is wrong with a command line, and where help is.
    static func usageError(_ problem: UsageError, command: String) -> ExitStatus {
        error("classicphotos \(command): \(problem.message)\n")
        tell("Try: classicphotos \(command) --help")
        return .usage
    }

    /// Whether the program was started without a standard output, so that nothing can be written there.
    static var outputIsClosed: Bool { fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE == O_RDONLY }

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

    /// Writes all of some bytes, and gives the error that stopped it, if one did. Where another program that shares the output has
    /// made it non-blocking, it waits for room as it would otherwise.
    private static func write(_ bytes: Data, to descriptor: Int32) -> Int32? {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&place, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}

extension DevelopmentError {
    /// What went wrong, in the language of the user.
    var sentence: String {
        switch self {
        case .catalogUnreadable(let error): Catalog.LoadingError.notRead(error).told
        default: message.translated
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
