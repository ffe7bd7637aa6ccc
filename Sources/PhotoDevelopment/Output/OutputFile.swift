import FoundationEssentials
import Glibc
import Transfers

/// What is written to a path that a person names.
///
/// A file gets its name only when it is whole, see ``TemporaryFile``. A pipe, a character device such as `/dev/null`, and what
/// is open for this program, as `/dev/stdout` is, take the bytes as they come, and are not replaced.
final class OutputFile {
    private enum Stream {
        case path(String)
        case descriptor(Int32)
    }

    private enum Target {
        case file(TemporaryFile)
        case descriptor(Int32)
    }

    private let target: Target

    /// Fails where nothing could be written to a path. A pipe is not opened, as its reader would take that for all that comes.
    static func check(_ path: String) throws(FileError) {
        switch try stream(at: path) {
        case nil: _ = try TemporaryFile(beside: path)
        case .path(let path): if access(path, W_OK) != 0 { throw .last }
        case .descriptor: break
        }
    }

    /// Whether what is written to a path goes to its reader as it comes.
    static func isStream(_ path: String) -> Bool { (try? stream(at: path)) != nil }

    /// How long is waited for somebody to read a pipe.
    private static let longestWait = Duration.seconds(10)

    /// Begins to write. A pipe waits for its reader, but not for ever: that there is none is told.
    init(_ path: String) throws(FileError) {
        let descriptor: Int32
        switch try Self.stream(at: path) {
        case nil:
            target = .file(try TemporaryFile(beside: path))
            return
        case .path(let path):
            descriptor = Self.opened(path)
        case .descriptor(let known): descriptor = fcntl(known, F_DUPFD_CLOEXEC, 0)
        }
        guard descriptor >= 0 else { throw .last }
        target = .descriptor(descriptor)
    }

    /// Opens a pipe or a device.
    private static func opened(_ path: String) -> Int32 {
        let end = ContinuousClock.now + longestWait
        while true {
            let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
            if descriptor >= 0 {
                // From here on writing waits where the reader is slow.
                _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
                return descriptor
            }
            let problem = errno
            guard problem == EINTR || problem == ENXIO && ContinuousClock.now < end else {
                // Without a reader it is as if that had gone.
                errno = problem == ENXIO ? EPIPE : problem
                return descriptor
            }
            usleep(20_000)
        }
    }

    deinit {
        if case .descriptor(let descriptor) = target { close(descriptor) }
    }

    /// Adds bytes at the end.
    func write(_ bytes: some ContiguousBytes) throws(FileError) {
        switch target {
        case .file(let file): try file.write(bytes)
        case .descriptor(let descriptor): try FileError.writeAll(bytes, to: descriptor)
        }
    }

    /// Gives a file its name, after its bytes are on the disk; there is nothing to do for a stream.
    func commit() throws(FileError) {
        if case .file(let file) = target { try file.commit() }
    }

    private static func stream(at path: String) throws(FileError) -> Stream? {
        if let descriptor = try DescriptorPath(path)?.inherited() {
            guard let status = FileStatus(descriptor: descriptor), status.isStream || status.kind == .file else {
                throw .notReplaceable
            }
            return .descriptor(descriptor)
        }
        return FileStatus(path: path)?.isStream == true ? .path(path) : nil
    }
}
