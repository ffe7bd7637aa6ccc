import Glibc
import PhotoDevelopment

/// What a program's end tells its caller.
enum ExitStatus: Int32 {
    case success = 0
    /// Some photos failed; or nothing was found to be planned.
    case someFailed = 1
    /// The command line is wrong.
    case usage = 2
    /// The catalog cannot be read.
    case unreadableCatalog = 3
    /// The output or the report cannot be written.
    case unwritableOutput = 4
    /// A task of a plan has not come to its end, and is to be tried again.
    case tryAgain = 75
    /// Ended because the terminal was closed.
    case hungUp = 129
    /// Ended by Ctrl-C.
    case interrupted = 130
    /// Ended by a request to terminate.
    case terminated = 143

    /// The status of a program that a signal has ended, in order.
    init(signal: Int32) {
        switch signal {
        case SIGHUP: self = .hungUp
        case SIGTERM: self = .terminated
        default: self = .interrupted
        }
    }

    /// The status of a run that cannot begin: what does not fit the folder was asked for, and is not the folder's fault.
    init(_ error: DevelopmentError) {
        switch error {
        case .variantsUnusable, .catalogChanged, .recipeDiffers, .journalBesideSkipExisting, .noJournal,
            .planInsteadOfRun, .outputOfPlan, .outputOfRun, .noSuchTask, .planDiffers, .parentDiffers,
            .generationUnfinished, .storeRefused:
            self = .usage
        case .catalogUnreadable, .planUnusable, .planWithoutOutput, .runInsteadOfPlan, .shardsDamaged:
            self = .unreadableCatalog
        case .outputUnusable, .outputHoldsSource, .outputHoldsOther, .reportUnusable, .contactSheetUnusable,
            .traceUnusable, .metricsUnusable,
            .indexUnusable, .journalUnusable, .outputInUse, .planUnwritable, .placeUnreadable, .storeUnavailable,
            .temporaryUnusable:
            self = .unwritableOutput
        }
    }

    /// The status where, beside, standard output could not be written.
    var withUnwritableOutput: ExitStatus {
        switch self {
        case .success, .someFailed, .unreadableCatalog, .unwritableOutput: .unwritableOutput
        case .usage, .tryAgain, .hungUp, .interrupted, .terminated: self
        }
    }
}
