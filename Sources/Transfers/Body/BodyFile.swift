import Glibc

import struct FoundationEssentials.Data

/// A body on disk: bytes are appended, and at the end it is mapped into memory.
///
/// One owner at a time uses it, handed on with an attempt's outcome, which makes `@unchecked Sendable` true. Closing
/// it, which happens when the last reference goes, gives the lock on it back.
final class BodyFile: @unchecked Sendable {
    private let descriptor: Int32
    /// What stands before the body in the file.
    private let headLength: Int
    /// Bytes of the body.
    private(set) var count: Int
    /// Where others can find it again; nil for a file without a name.
    private var entry: PartialDownloads.Entry?

    /// Takes over an open file with a body of `count` bytes behind `headLength` others.
    init(descriptor: Int32, headLength: Int = 0, count: Int = 0, entry: PartialDownloads.Entry? = nil) {
        self.descriptor = descriptor
        self.headLength = headLength
        self.count = count
        self.entry = entry
    }

    deinit {
        entry?.leave()
        close(descriptor)
    }

    /// A new file without a name, which nobody but this process can see and which is gone with it.
    convenience init(temporaryIn folder: String) throws(TransferError) {
        let descriptor = UnnamedFile.make(in: folder)
        guard descriptor >= 0 else {
            throw Shortage(code: errno)?.error
                ?? .writeFailed("no temporary file can be made in \(folder): \(Self.reason)")
        }
        self.init(descriptor: descriptor)
    }

    /// Adds bytes at the end.
    func append(_ bytes: UnsafeRawBufferPointer) throws(TransferError) {
        if let entry, !entry.mayGrow(to: headLength + count + bytes.count) { discard() }
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let written = pwrite(descriptor, start, rest.count, off_t(headLength + count))
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw .writeFailed("the body cannot be kept on disk: \(Self.reason)") }
            count += written
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    /// The body; of a file without a name as pages that the system reads when they are touched and drops when it needs the
    /// memory. What has a name is copied: somebody could cut it short, and touching a page that is gone ends the process.
    func contents() throws(TransferError) -> Data {
        guard count > 0 else { return Data() }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink == 0 else { return try copy() }
        let length = headLength + count
        // Data may be changed in place by its owner; private pages keep that possible, and from the file.
        let address = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0)
        guard let address, address != MAP_FAILED else {
            throw .writeFailed("the body cannot be read from disk: \(Self.reason)")
        }
        return Data(
            bytesNoCopy: address + headLength, count: count,
            deallocator: .custom { [headLength] start, count in munmap(start - headLength, count + headLength) })
    }

    /// Waits until the disk has all of it, where it can be found again after a power failure.
    func sync() throws(TransferError) {
        guard entry != nil else { return }
        guard fdatasync(descriptor) == 0 else { throw .writeFailed("the body cannot be kept on disk: \(Self.reason)") }
    }

    private func copy() throws(TransferError) -> Data {
        var body = Data(count: count)
        let problem = body.withUnsafeMutableBytes { UnnamedFile.read($0, from: descriptor, at: headLength) }
        guard let problem else { return body }
        let reason = problem == 0 ? "somebody has cut it short" : String(cString: strerror(problem))
        throw .writeFailed("the body cannot be read from disk: \(reason)")
    }

    /// Takes the file's name away, so that nobody finds it again. The bytes stay until it is closed.
    func discard() {
        entry?.remove(descriptor)
        entry = nil
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
