import Glibc

/// What keeps a second run out of an output folder; it goes with the process, however that ends.
final class JournalLock: Sendable {
    private let descriptor: Int32

    /// - Throws: That another run has it.
    init(of folder: JournalFolder) throws(DevelopmentError) {
        descriptor = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .journalUnusable(path: folder.lock, reason: FileError.last.reason) }
        // From here on deinit closes it, also where this throws. A run that was killed while it started a decoder has the
        // lock for a moment more, until that process has become another program.
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw .journalUnusable(path: folder.lock, reason: FileError.last.reason)
            }
            usleep(10_000)
        }
        throw .outputInUse(path: folder.output)
    }

    deinit {
        close(descriptor)
    }
}
