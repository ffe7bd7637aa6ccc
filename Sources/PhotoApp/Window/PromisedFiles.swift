import PhotoDevelopment
import Transfers

/// The files that are promised to photos: those that jobs of all windows are about to write. They are not there yet, so that nobody
/// would see that the name is taken, and the second job would replace what the first one has written.
enum PromisedFiles {
    private static var keys: Set<String> = []

    static func contains(_ path: String) -> Bool { keys.contains(key(path)) }

    /// Promises files to a job that begins.
    static func add(_ files: [String]) { keys.formUnion(files.map(key)) }

    /// The job is over; what it has written is there for all to see.
    static func remove(_ files: [String]) { keys.subtract(files.map(key)) }

    /// What two files have in common that may be one on some disk. Their folder is one that somebody has chosen, and has one name.
    private static func key(_ path: String) -> String {
        let start = path.lastSlash.map { path.utf8.index(after: $0) } ?? path.startIndex
        return path[..<start] + FoldedName.of(String(path[start...]))
    }
}
