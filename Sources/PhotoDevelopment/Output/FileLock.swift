import Glibc
import Transfers

/// Locks on whole files, by `flock`.
enum FileLock {
    /// Takes a file's lock until it is closed, if the file system has locks. Lustre may be mounted without them, and NFS be without the
    /// service for them: there a lock would be of no use to others either.
    ///
    /// - Returns: False where another open file has the lock.
    /// - Throws: Any other failure.
    static func takeIfSupported(_ descriptor: Int32) throws(FileError) -> Bool { try take(descriptor) ?? true }

    /// Takes a file's lock until it is closed.
    ///
    /// - Returns: False where another open file has the lock, and nil where the file system has no locks.
    /// - Throws: Any other failure.
    static func take(_ descriptor: Int32) throws(FileError) -> Bool? {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        switch errno {
        case EWOULDBLOCK: return false
        case ENOSYS, ENOLCK, EOPNOTSUPP: return nil
        default: throw .last
        }
    }
}
