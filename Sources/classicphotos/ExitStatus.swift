/// What a program's end tells its caller.
enum ExitStatus: Int32 {
    case success = 0
    /// Some photos failed.
    case someFailed = 1
    /// The command line is wrong.
    case usage = 2
    /// The catalog cannot be read.
    case unreadableCatalog = 3
    /// The output or the report cannot be written.
    case unwritableOutput = 4
    /// Ended by Ctrl-C or a request to terminate.
    case interrupted = 130

    /// The status where, beside, standard output could not be written.
    var withUnwritableOutput: ExitStatus {
        switch self {
        case .success, .someFailed, .unreadableCatalog, .unwritableOutput: .unwritableOutput
        case .usage, .interrupted: self
        }
    }
}
