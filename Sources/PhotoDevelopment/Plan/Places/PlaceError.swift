import Glibc
import Transfers

/// Why something in the place of a plan, or of its output, cannot be read or written.
enum PlaceError: Error {
    case file(FileError)
    /// A file that was to be created has not got its name, and cannot get it later either.
    case notCreated(FileError)
    /// A file cannot be kept on this machine on its way to an object store or from one.
    case temporary(FileError)
    case store(StoreError)

    /// What is there is not what it should be.
    static let damaged = PlaceError.file(FileError(code: EBADMSG))

    var isDamage: Bool {
        if case .file(let error) = self { error.code == EBADMSG } else { false }
    }

    /// The reason, to be put behind a colon.
    var reason: String {
        switch self {
        case .file(let error), .notCreated(let error): error.reason
        case .temporary(let error): "\(DevelopmentError.temporaryFailed(error))"
        case .store(let error): "\(error)"
        }
    }

    /// What it means to a command.
    ///
    /// - Parameters:
    ///   - path: The place.
    ///   - ofFile: What it means of a file; by default that the place cannot be written to.
    func error(
        at path: String,
        ofFile: (_ path: String, _ reason: String) -> DevelopmentError = DevelopmentError.outputUnusable
    ) -> DevelopmentError {
        switch self {
        case .file(let error), .notCreated(let error): ofFile(path, error.reason)
        case .temporary(let error): .temporaryFailed(error)
        case .store(let error) where error.isLasting: .storeRefused(path: path, reason: "\(error)")
        case .store(let error): .storeUnavailable(path: path, reason: "\(error)")
        }
    }
}

extension DevelopmentError {
    /// The folder for temporary files cannot be written to.
    static func temporaryFailed(_ error: FileError) -> DevelopmentError {
        .temporaryUnusable(folder: UnnamedFile.folder, reason: error.reason)
    }
}
