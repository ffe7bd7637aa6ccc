import Transfers

extension FileStatus {
    /// What the system says of a file; nil where it is known that there is none.
    ///
    /// - Throws: What keeps it from being seen, such as a folder that cannot be searched or a disk that fails. Whoever took that for a
    ///   file that is missing would make it anew over the one that is there.
    static func ofFile(at path: String) throws(FileError) -> FileStatus? {
        if let status = FileStatus(path: path) { return status }
        let error = FileError.last
        guard error.isAbsence else { throw error }
        return nil
    }
}
