import Glibc
import OperationsCore
import Synchronization

import struct FoundationEssentials.Data

/// The body of one attempt at an upload, as it is sent.
///
/// After init only the event thread uses it, except for the count of what was sent; that makes `@unchecked Sendable`
/// true.
final class UploadBody: @unchecked Sendable {
    private enum Content {
        case data(Data)
        /// An open file, and its path.
        case file(Int32, String)
    }

    /// Up to how many bytes a body is sent without asking whether it is wanted.
    private static let askedAboutAbove = 1_000_000

    /// How many bytes it has.
    let count: Int
    /// How many bytes were handed to the connection.
    let sent = Atomic(0)
    private let content: Content
    private let onProgress: (@Sendable (Int, Int) -> Void)?
    private var offset = 0

    init(_ source: UploadRequest.Source, onProgress: (@Sendable (Int, Int) -> Void)?) throws(TransferError) {
        self.onProgress = onProgress
        switch source {
        case .data(let data):
            content = .data(data)
            count = data.count
        case .file(let path):
            guard !path.utf8.contains(0) else { throw .notFound("\(path) is no path.") }
            let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            var status = stat()
            guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
                let reason = errno == ENOENT ? "There is no file \(path)." : "\(path): \(Self.reason)."
                if descriptor >= 0 { close(descriptor) }
                throw .notFound(reason)
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                close(descriptor)
                throw .notFound("\(path) is no regular file.")
            }
            content = .file(descriptor, path)
            count = Int(status.st_size)
        }
    }

    deinit {
        if case .file(let descriptor, _) = content { close(descriptor) }
    }

    /// Whether it is so large that the server is asked whether it wants it.
    var isWorthAsking: Bool { count > Self.askedAboutAbove }

    /// Whether all of it was handed to the connection.
    var isSent: Bool { offset == count }

    /// Begins anew, for the next hop.
    func rewind() { seek(to: 0) }

    /// Goes on from there.
    func seek(to offset: Int) {
        self.offset = min(max(offset, 0), count)
        sent.store(self.offset, ordering: .relaxed)
    }

    /// The next bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransferError) -> Int {
        let wanted = min(buffer.count, count - offset)
        guard wanted > 0 else { return 0 }
        var got = wanted
        switch content {
        case .data(let data):
            let start = data.startIndex + offset
            data.copyBytes(to: buffer, from: start..<(start + wanted))
        case .file(let descriptor, let path):
            repeat {
                got = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
            } while got < 0 && errno == EINTR
            guard got >= 0 else { throw .notFound("\(path) cannot be read: \(Self.reason).") }
            guard got > 0 else { throw .notFound("\(path) became shorter while it was being sent.") }
        }
        offset += got
        sent.store(offset, ordering: .relaxed)
        onProgress?(offset, count)
        return got
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
