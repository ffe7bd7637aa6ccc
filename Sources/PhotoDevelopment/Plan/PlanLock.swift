import Glibc
import Transfers

/// Keeps a second program from writing a plan into the same folder meanwhile; it goes with the process, however that ends. On a file
/// system without locks nothing does, and the plan that is whole first is the one that counts.
final class PlanLock {
    private let path: String
    private let descriptor: Int32

    /// - Throws: `EWOULDBLOCK` where another one has it.
    init(in folder: String) throws(FileError) {
        path = folder + "/.lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .last }
        // From here on deinit closes it.
        guard try FileLock.takeIfSupported(descriptor) else { throw FileError(code: EWOULDBLOCK) }
    }

    deinit { close(descriptor) }

    /// Removes the file, where the plan is there that nobody replaces.
    func remove() { unlink(path) }
}
