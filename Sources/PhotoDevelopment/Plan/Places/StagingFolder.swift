import Glibc
import Transfers

/// A folder on this machine for what is on its way to an object store. It is removed with this; what killed programs left is removed by the
/// next one.
///
/// While it is in use it is locked, which is how others on this machine tell. Machines may share the parent, and NFS and Lustre keep the
/// lock of a folder to the machine that has taken it. So a folder's name says which machine made it, and what another one made is
/// removed only when it is old.
final class StagingFolder: Sendable {
    private static let (prefix, suffix) = (".classicphotos-", ".staging")
    /// After so many seconds without a change, nobody is at work in a folder of another machine.
    private static let oldAge = 7 * 86_400

    let path: String
    private let descriptor: Int32

    /// - Parameters:
    ///   - parent: Where it is made.
    ///   - machine: The word for this machine.
    init(in parent: String = UnnamedFile.folder, machine: String = StagingFolder.machine) throws(FileError) {
        Self.clearAbandoned(in: parent, machine)
        for _ in 0..<16 {
            let word = String(UInt64.random(in: 0...UInt64.max), radix: 36)
            let path = "\(parent)/\(Self.prefix)\(machine)-\(word)\(Self.suffix)"
            guard mkdir(path, 0o700) == 0 else {
                if errno == EEXIST { continue }
                throw .last
            }
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            // Somebody who clears up may have removed it before it was locked.
            if descriptor >= 0, (try? FileLock.takeIfSupported(descriptor)) == true, access(path, F_OK) == 0 {
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

    /// What tells the kernel of this machine from all others, until it starts again: locks that a kernel keeps to itself reach as far.
    static let machine: String = {
        var bytes = [UInt8](repeating: 0, count: 64)
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 {
            let count = read(descriptor, &bytes, bytes.count)
            close(descriptor)
            let word = String(decoding: bytes.prefix(max(0, count)).filter { $0 != 0x2D && $0 > 0x20 }, as: UTF8.self)
            if !word.isEmpty { return word }
        }
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return "\(name.withUnsafeBytes { Checksum.of($0) })"
    }()

    private static func clearAbandoned(in parent: String, _ machine: String) {
        for name in folderNames(parent) where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            let path = parent + "/" + name
            guard name.hasPrefix("\(prefix)\(machine)-") || isOld(path) else { continue }
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
            close(descriptor)
        }
    }

    /// Whether neither a folder nor a file in it has changed for a week.
    private static func isOld(_ path: String) -> Bool {
        ([path] + folderNames(path).map { path + "/" + $0 }).allSatisfy { path in
            var status = stat()
            return lstat(path, &status) == 0 && time(nil) - status.st_mtim.tv_sec > oldAge
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
