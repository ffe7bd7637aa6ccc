import Glibc

/// A file that is open to be sent; the last reference to it closes it.
final class UploadFile: Sendable {
    /// How many bytes it had when it was opened.
    let count: Int
    private let descriptor: Int32
    private let path: String

    init(path: String) throws(TransferError) {
        guard !path.utf8.contains(0) else { throw .notFound("\(path) is no path.") }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            let shortage = Shortage(code: errno)
            let reason = errno == ENOENT ? "There is no file \(path)." : "\(path): \(Self.reason)."
            if descriptor >= 0 { close(descriptor) }
            throw shortage?.error ?? .notFound(reason)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notFound("\(path) is no regular file.")
        }
        self.descriptor = descriptor
        self.path = path
        count = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// The next bytes from an offset that is before the end; fewer than there is room for, perhaps, but not none.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(TransferError) -> Int {
        var got: Int
        repeat {
            got = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        } while got < 0 && errno == EINTR
        guard got >= 0 else { throw .notFound("\(path) cannot be read: \(Self.reason).") }
        guard got > 0 else { throw .notFound("\(path) became shorter while it was being sent.") }
        return got
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
