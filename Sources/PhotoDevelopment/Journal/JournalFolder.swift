import FoundationEssentials
import Glibc
import Transfers

/// The folder, inside an output folder, of what runs remember.
struct JournalFolder: Sendable {
    /// Its name in the output folder.
    static let name = ".classicphotos"

    /// The output folder, as it is named in errors.
    let output: String

    var path: String { output + "/" + Self.name }
    var database: String { path + "/run.db" }
    var lock: String { path + "/lock" }
    var reserve: String { path + "/reserve" }

    /// - Parameter output: The output folder's path.
    init(in output: String) {
        self.output = output
    }

    /// Whether a run has begun here.
    var hasJournal: Bool { access(database, F_OK) == 0 }

    /// Makes the folder if it is not there.
    func make() throws(DevelopmentError) {
        guard makeFolder(path, mode: 0o777) else {
            throw .journalUnusable(path: path, reason: FileError.last.reason)
        }
    }

    /// Removes the journal. Only while no run is under way.
    func removeJournal() throws(DevelopmentError) {
        for ending in ["", "-wal", "-shm"] where unlink(database + ending) != 0 && errno != ENOENT {
            throw .journalUnusable(path: database, reason: FileError.last.reason)
        }
    }
}
