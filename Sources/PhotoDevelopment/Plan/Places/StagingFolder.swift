import Glibc
import Transfers

/// A folder on this machine for what is on its way to an object store. It is removed with this; what killed programs left is removed by the
/// next one.
///
/// While it is in use it is locked, which is how others tell.
final class StagingFolder: Sendable {
    private static let (prefix, suffix) = (".classicphotos-", ".staging")

    let path: String
    private let descriptor: Int32

    init(in parent: String = UnnamedFile.folder) throws(FileError) {
        Self.clearAbandoned(in: parent)
        for _ in 0..<16 {
            let path =
                parent + "/" + Self.prefix + String(UInt64.random(in: 0...UInt64.max), radix: 36) + Self.suffix
            guard mkdir(path, 0o700) == 0 else {
                if errno == EEXIST { continue }
                throw .last
            }
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            // Somebody who clears up may have removed it before it was locked.
            if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0, access(path, F_OK) == 0 {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            if descriptor >= 0 { close(descriptor) }
        }
        throw FileError(code: EAGAIN)
    }

    /// Removes it now: a program may end before whoever has it last lets go of it.
    func discard() { Self.remove(path) }

    deinit {
        Self.remove(path)
        close(descriptor)
    }

    private static func clearAbandoned(in parent: String) {
        for name in folderNames(parent) where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            let path = parent + "/" + name
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
            close(descriptor)
        }
    }

    /// Removes a folder with its files, and one layer of folders in it.
    private static func remove(_ path: String) {
        for name in folderNames(path) where unlink(path + "/" + name) != 0 {
            for inner in folderNames(path + "/" + name) { unlink(path + "/" + name + "/" + inner) }
            rmdir(path + "/" + name)
        }
        rmdir(path)
    }
}
