import Glibc

/// What the system says of a file.
///
/// For all targets above: where libvips' module is loaded too, the compiler takes the fields of `stat` for those of that module, or
/// not, by the order in which it happens to read the files of a target.
package struct FileStatus {
    /// What a file is.
    package enum Kind {
        case file, folder, link, other
    }

    package let kind: Kind
    /// Whether it is a pipe or a character device, such as a terminal or `/dev/null`, which takes bytes one after the other.
    package let isStream: Bool
    /// Its bytes.
    package let size: Int
    /// With ``number``, what the system knows it by.
    package let device: UInt64
    /// See ``device``.
    package let number: UInt64
    /// Who may read, write and run it, as `chmod` has it, without the other bits.
    package let permissions: UInt32
    /// When its contents were changed last, since 1970 in UTC.
    package let modified: Duration

    /// - Parameters:
    ///   - path: The path of the file.
    ///   - followsLinks: Whether it is what stands behind a link.
    /// - Returns: Nil where there is none, or none that can be seen; `errno` says why.
    package init?(path: String, followsLinks: Bool = true) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.init(status)
    }

    /// - Parameter descriptor: What the file is open on.
    /// - Returns: Nil where that is closed; `errno` says why.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        isStream = [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
        (size, device, number) = (Int(status.st_size), UInt64(status.st_dev), UInt64(status.st_ino))
        permissions = UInt32(status.st_mode) & 0o777
        modified = .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
    }
}
