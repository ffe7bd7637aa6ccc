import FoundationEssentials
import Glibc
import Transfers

/// The first bytes of a file, by which its kind is told.
enum FileBeginning {
    /// - Parameters:
    ///   - path: A regular file's path.
    ///   - count: How many bytes at most.
    /// - Returns: The bytes; nil where there is no regular file, or none that can be read.
    static func bytes(of path: String, count: Int) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard FileStatus(descriptor: descriptor)?.kind == .file else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes[filled...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if got > 0 { filled += got } else if got == 0 || errno != EINTR { break }
        }
        return Data(bytes.prefix(filled))
    }
}
