/// The files that are promised to photos: those that jobs of all windows are about to write. They are not there yet, so that nobody
/// would see that the name is taken, and the second job would replace what the first one has written.
enum PromisedFiles {
    private static var paths: Set<String> = []

    static func contains(_ path: String) -> Bool { paths.contains(path) }

    /// Promises files to a job that begins.
    static func add(_ files: [String]) { paths.formUnion(files) }

    /// The job is over; what it has written is there for all to see.
    static func remove(_ files: [String]) { paths.subtract(files) }
}
