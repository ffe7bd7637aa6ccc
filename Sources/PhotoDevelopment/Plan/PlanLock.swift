import Glibc
import Transfers

/// Keeps a second program from writing a plan into the same folder meanwhile; it goes with the process, however that ends. On a file
/// system without locks, or with locks that hold for one machine alone, nothing does: there the plan that is whole first is the one
/// that counts.
final class PlanLock {
    private let path: String
    private let descriptor: Int32
    /// Whether the file system has locks.
    let isTaken: Bool

    /// - Throws: `EWOULDBLOCK` where another one has it.
    init(in folder: String) throws(FileError) {
        path = folder + "/.lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .last }
        let isFree: Bool?
        do throws(FileError) { isFree = try FileLock.take(descriptor) } catch {
            close(descriptor)
            throw error
        }
        isTaken = isFree != nil
        // From here on deinit closes it.
        if isFree == false { throw FileError(code: EWOULDBLOCK) }
    }

    deinit { close(descriptor) }

    /// Removes the file, where the plan is there that nobody replaces.
    func remove() { unlink(path) }
}
