import FoundationEssentials
import Glibc

/// A file that nobody else sees, and that is gone with the program, however it ends.
final class UnnamedFile: Sendable {
    private let descriptor: Int32

    init(in folder: String) throws(FileError) {
        let path = folder + "/" + TemporaryFile.unusedName()
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw .last }
        unlink(path)
    }

    deinit {
        close(descriptor)
    }

    /// Adds bytes at the end.
    func append(_ bytes: Data) throws(FileError) {
        try FileError.writeAll(bytes, to: descriptor)
    }

    /// Bytes that were added before.
    func bytes(at offset: Int, count: Int) throws(FileError) -> Data {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes[filled...].withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(offset + filled))
            }
            if got > 0 {
                filled += got
            } else if got == 0 || errno != EINTR {
                throw got == 0 ? FileError(code: EIO) : .last
            }
        }
        return Data(bytes)
    }
}
