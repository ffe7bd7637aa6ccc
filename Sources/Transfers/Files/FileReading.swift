import Glibc
import Synchronization

import struct FoundationEssentials.Data

/// The reading of one local file, in slices, so that it can be cancelled and held back.
///
/// `step()` runs on the reader's thread only; `cancel()` sets an atomic. That makes `@unchecked Sendable` true.
final class FileReading: @unchecked Sendable {
    private let operation: DownloadOperation
    private let path: String
    private let limit: Int
    private let isCancelled = Atomic(false)
    private let startedAt = SuspendingClock.now

    private var descriptor: Int32 = -1
    private var size = 0
    private var granted = 0
    private var body = Data()
    private var firstByteAt: SuspendingClock.Instant?
    private var isDone = false

    private static let sliceBytes = 1 << 18

    init(operation: DownloadOperation, path: String) {
        self.operation = operation
        self.path = path
        limit = operation.request.limits.maxBytes
    }

    deinit { shut() }

    /// Makes the next step the last.
    func cancel() {
        isCancelled.store(true, ordering: .releasing)
    }

    /// Reads on until the end or until there is no room, then returns.
    func step() {
        guard !isDone else { return }
        do throws(TransferError) {
            guard try readOn() else { return }
            let now = SuspendingClock.now
            let metrics = TransferMetrics(
                timeToFirstByte: startedAt.duration(to: firstByteAt ?? now), total: startedAt.duration(to: now),
                bytesReceived: body.count)
            let address = operation.request.address
            complete(.success(DownloadResponse(body: body, address: address, statusCode: 200, metrics: metrics)))
        } catch {
            complete(.failure(error))
        }
    }

    private func complete(_ result: Result<DownloadResponse, TransferError>) {
        isDone = true
        let received = body.count
        body = Data()
        shut()
        if case .success = result { operation.request.flow?.didReceiveAll() }
        operation.ended(TransferOutcome(result: result, received: received, metrics: try? result.get().metrics))
    }

    /// Many may be held back at once, and are to take no descriptors from others.
    private func shut() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// Whether the end was reached; false if there is no room for more.
    private func readOn() throws(TransferError) -> Bool {
        if isCancelled.load(ordering: .acquiring) { throw .cancelled }
        if descriptor < 0 { try open() }
        guard mayHold(size) else {
            if body.isEmpty { shut() }
            return false
        }
        body.reserveCapacity(size)
        var slice = [UInt8](repeating: 0, count: min(Self.sliceBytes, max(size, 4_096)))
        while true {
            if isCancelled.load(ordering: .acquiring) { throw .cancelled }
            // What a file grows by while it is read has to be asked for as well, and all of one whose size is not told.
            if body.count == granted {
                guard try !isAtEnd() else { return true }
                guard mayHold(min(granted + slice.count, limit)) else { return false }
            }
            let room = min(slice.count, max(granted - body.count, 1))
            let count = Glibc.read(descriptor, &slice, room)
            if count < 0 {
                if errno == EINTR { continue }
                throw .notFound("\(path) cannot be read: \(Self.reason(errno)).")
            }
            if count == 0 { return true }
            if firstByteAt == nil { firstByteAt = SuspendingClock.now }
            guard body.count + count <= limit else { throw .tooLarge(limit: limit) }
            body.append(contentsOf: slice[..<count])
        }
    }

    /// Whether nothing follows what was read.
    private func isAtEnd() throws(TransferError) -> Bool {
        var byte: UInt8 = 0
        let count = pread(descriptor, &byte, 1, off_t(body.count))
        if count > 0 && body.count >= limit { throw .tooLarge(limit: limit) }
        // Whatever stands in the way is what the reading of it says.
        return count == 0
    }

    private func mayHold(_ bytes: Int) -> Bool {
        if bytes <= granted { return true }
        guard operation.request.flow?.mayReceive(upTo: bytes) ?? true else { return false }
        granted = bytes
        return true
    }

    private func open() throws(TransferError) {
        var status = stat()
        // Looked at before it is opened, because opening a device can do things; and again after, because what the
        // name means may have changed in between. O_NONBLOCK keeps a pipe from waiting for its writer.
        guard stat(path, &status) == 0 else {
            throw .notFound(errno == ENOENT ? "There is no file \(path)." : "\(path): \(Self.reason(errno)).")
        }
        try Self.requireRegularFile(status, path)
        descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw .notFound("\(path) cannot be opened: \(Self.reason(errno)).")
        }
        try Self.requireRegularFile(status, path)
        size = Int(status.st_size)
        guard size <= limit else { throw .tooLarge(limit: limit) }
    }

    private static func requireRegularFile(_ status: stat, _ path: String) throws(TransferError) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw .notFound("\(path) is a folder.")
        default: throw .notFound("\(path) is no regular file.")
        }
    }

    private static func reason(_ code: Int32) -> String {
        String(cString: strerror(code))
    }
}
