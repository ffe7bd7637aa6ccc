import CSQLite
import Glibc
public import Synchronization

/// A disk for SQLite that fails on request, by way of the system calls that SQLite lets tests replace.
///
/// File systems of a few pages, and folders that even the superuser cannot write to, would need more rights than tests
/// have everywhere.
public enum FailingDisk {
    /// Whether nothing can be written for want of room.
    public static let isFull = Atomic(false)
    /// A file for whose room others could be written; empty where nobody keeps any.
    public static let reserve = Mutex("")
    /// How large files can become once that file is gone.
    public static let largestFile = Atomic(Int.max)
    /// Whether files can be opened for reading only.
    public static let isReadOnly = Atomic(false)

    /// Takes the place of the system calls; false if SQLite does not let it.
    public static func install() -> Bool {
        let opening: @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32 = { path, flags, mode in
            guard let path,
                !FailingDisk.isReadOnly.load(ordering: .relaxed) || flags & (O_RDWR | O_WRONLY | O_CREAT) == 0
            else {
                errno = EROFS
                return -1
            }
            return Glibc.open(path, flags, mode_t(mode))
        }
        let writing: @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int = { file, bytes, count in
            if !FailingDisk.hasRoom(to: 0) { return FailingDisk.noRoom() }
            return Glibc.write(file, bytes, count)
        }
        let writingAt: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = { file, bytes, count, place in
            if !FailingDisk.hasRoom(to: Int(place) + count) { return FailingDisk.noRoom() }
            return Glibc.pwrite(file, bytes, count, place)
        }
        let place = unsafeBitCast(writingAt, to: sqlite3_syscall_ptr.self)
        return replace("open", unsafeBitCast(opening, to: sqlite3_syscall_ptr.self))
            && replace("write", unsafeBitCast(writing, to: sqlite3_syscall_ptr.self))
            && replace("pwrite", place) && replace("pwrite64", place)
    }

    /// Gives the system calls back.
    public static func uninstall() {
        isFull.store(false, ordering: .relaxed)
        isReadOnly.store(false, ordering: .relaxed)
        reserve.withLock { $0 = "" }
        largestFile.store(.max, ordering: .relaxed)
        let system = sqlite3_vfs_find(nil)
        _ = system?.pointee.xSetSystemCall?(system, nil, nil)
    }

    private static func replace(_ name: String, _ call: sqlite3_syscall_ptr) -> Bool {
        let system = sqlite3_vfs_find(nil)
        return system?.pointee.xSetSystemCall?(system, name, call) == SQLITE_OK
    }

    /// Whether a file can be written to up to a place.
    private static func hasRoom(to end: Int) -> Bool {
        guard isFull.load(ordering: .relaxed) else { return true }
        let reserve = reserve.withLock { $0 }
        if reserve.isEmpty || access(reserve, F_OK) == 0 { return false }
        return end <= largestFile.load(ordering: .relaxed)
    }

    private static func noRoom() -> Int {
        errno = ENOSPC
        return -1
    }
}
