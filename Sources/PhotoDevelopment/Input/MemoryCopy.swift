import CGLib
import Glibc

/// What a descriptor yields, as a file in memory that has a path as long as this lives.
///
/// The pipeline reads files; standard input may be a pipe, which is read once and has no size.
final class MemoryCopy {
    private let descriptor: Int32

    /// Where the copy can be opened, by this process only.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// - Parameters:
    ///   - source: An open descriptor, which is read to its end.
    ///   - limit: The most bytes that are taken.
    /// - Throws: What the system says, or `EFBIG` where there are more bytes than `limit`.
    init(of source: Int32, limit: Int) throws(FileError) {
        descriptor = cglib_memory_file()
        guard descriptor >= 0 else { throw .last }
        // From here on deinit closes it, also where this throws.
        var size = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count == 0 { return }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .last
            }
            size += count
            guard size <= limit else { throw FileError(code: EFBIG) }
            try FileError.writeAll(buffer[..<count], to: descriptor)
        }
    }

    deinit {
        close(descriptor)
    }
}
