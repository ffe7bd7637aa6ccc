import Glibc

/// Room on the disk that a run keeps for its journal: where the disk is full of pictures, there has to be room to write down which
/// of them are whole.
///
/// It is a file of no use beside the journal. It is removed for the room that it takes, and when the run ends.
final class JournalReserve: Sendable {
    /// In bytes, at most. A batch of rows takes some 100 kB, and 2 MB with the small pictures of the report; the log has it, and then the
    /// database as well.
    static let size = 4 << 20

    private let path: String
    /// Held for as long: the file of the next run has the same name.
    private let lock: JournalLock

    /// Makes the file. It takes half of the room that there is, where that is little: the rest is for pictures.
    ///
    /// - Parameters:
    ///   - folder: The journal's folder.
    ///   - lock: What keeps other runs out of it.
    init(in folder: JournalFolder, of lock: JournalLock) {
        (path, self.lock) = (folder.reserve, lock)
        // Of a run that was killed.
        release()
        var room = statvfs()
        guard statvfs(folder.path, &room) == 0 else { return }
        let half = Int(clamping: room.f_bavail.multipliedReportingOverflow(by: room.f_frsize).partialValue / 2)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return }
        // A file without blocks of its own would keep no room. A part of it is better than none.
        _ = posix_fallocate(descriptor, 0, off_t(min(Self.size, half)))
        close(descriptor)
    }

    deinit { release() }

    /// Gives the room back.
    func release() {
        unlink(path)
    }
}
