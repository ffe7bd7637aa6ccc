import CGLib
import FoundationEssentials
import Glibc
import Transfers

/// A file that gets its name only when it is whole.
///
/// It is written beside its destination under a name of its own, and renamed at the end, so that nobody ever sees half
/// of a file there. While it is open it is locked, which is how ``clearAbandoned(in:)`` tells a file that a killed
/// run left from one that another run is writing. On a file system without locks nothing is cleared.
final class TemporaryFile {
    private static let prefix = ".classicphotos-"
    private static let suffix = ".part"

    /// The folder that it is in.
    let folder: String

    let descriptor: Int32
    /// What it is called until it has its name.
    let path: String
    /// Where a file goes that was made beside its destination.
    private var destination = ""
    private var isCommitted = false

    /// A name that no file has, for what is to be cleared when its run is killed.
    static func unusedName() -> String {
        prefix + String(UInt64.random(in: 0...UInt64.max), radix: 36) + suffix
    }

    /// Whether a name is one of those.
    static func isUnusedName(_ name: String) -> Bool { name.hasPrefix(prefix) && name.hasSuffix(suffix) }

    /// Makes an empty temporary file in a folder.
    init(in folder: String) throws(FileError) {
        for _ in 0..<16 {
            let path = folder + "/" + Self.unusedName()
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 {
                let isLocked: Bool
                do throws(FileError) { isLocked = try FileLock.takeIfSupported(descriptor) } catch {
                    close(descriptor)
                    unlink(path)
                    throw error
                }
                // Another run that is clearing up may have removed the file before it was locked; then the name is gone.
                if isLocked, access(path, F_OK) == 0 {
                    self.descriptor = descriptor
                    self.path = path
                    self.folder = folder
                    return
                }
                close(descriptor)
            } else if errno != EEXIST && errno != EINTR {
                throw .last
            }
        }
        throw FileError(code: EAGAIN)
    }

    /// Makes an empty temporary file in the folder of its destination.
    ///
    /// Where the destination is a link it is the file behind it, which is replaced.
    ///
    /// - Parameters:
    ///   - destination: What it will be called.
    ///   - clearsFolder: Whether that folder is cleared of what killed runs left, which takes as long as it has files.
    convenience init(beside destination: String, clearsFolder: Bool = true) throws(FileError) {
        try Self.checkIsReplaceable(destination)
        // Somebody has opened it for this program, and writes to it as well.
        if DescriptorPath(destination) != nil { throw .notReplaceable }
        let place = Self.resolved(destination)
        let slash = place.lastSlash.map { place[..<$0] }
        let folder = slash.map { $0.isEmpty ? "/" : String($0) } ?? "."
        if RunFiles.areInJournalFolder(destination) { throw .ofRun }
        try self.init(in: folder)
        self.destination = place
        if clearsFolder { Self.clearAbandoned(in: folder) }
    }

    /// The path behind links; the same path where there is no file yet.
    static func resolved(_ path: String) -> String {
        guard let place = realpath(path, nil) else { return path }
        defer { free(place) }
        return String(cString: place)
    }

    /// A destination is a file or nothing: a device, as /dev/null is one, or a folder must not be renamed over.
    /// - Returns: The file that is to be replaced; nil where there is none.
    @discardableResult
    private static func checkIsReplaceable(_ destination: String) throws(FileError) -> FileStatus? {
        guard !destination.isEmpty else { throw FileError(code: ENOENT) }
        guard let status = FileStatus(path: destination) else { return nil }
        switch status.kind {
        case .file: return status
        case .folder: throw FileError(code: EISDIR)
        case .link, .other: throw .notReplaceable
        }
    }

    deinit {
        if isCommitted { return }
        unlink(path)
        close(descriptor)
    }

    /// Adds bytes at the end.
    func write(_ bytes: some ContiguousBytes) throws(FileError) {
        try FileError.writeAll(bytes, to: descriptor)
    }

    /// Gives a file that was made beside its destination that name, in place of a file that has it.
    ///
    /// - Parameter isDurable: Whether its bytes are on the disk before, so that a power failure leaves the old file or the new
    ///   one.
    func commit(isDurable: Bool = true) throws(FileError) {
        if isDurable { try sync() }
        try commit(to: destination)
    }

    /// Has the system begin to write the bytes to the disk, and does not wait for that: a later ``sync()`` finds it done.
    func beginSync() {
        cglib_begin_sync(descriptor)
    }

    /// Waits until the bytes are on the disk.
    func sync() throws(FileError) { try FileSync.sync(descriptor) }

    /// Gives the file its name, in place of a file that has it, and whose permissions it takes over: a private one stays so. Then it is
    /// closed.
    func commit(to destination: String) throws(FileError) {
        if let status = try Self.checkIsReplaceable(destination) { fchmod(descriptor, status.permissions) }
        guard rename(path, destination) == 0 else { throw .last }
        isCommitted = true
        close(descriptor)
    }

    /// Removes what killed runs left in a folder; files that a living run is writing stay.
    static func clearAbandoned(in folder: String) {
        for name in folderNames(folder) {
            guard isUnusedName(name) else { continue }
            let path = folder + "/" + name
            let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
            close(descriptor)
        }
    }
}
