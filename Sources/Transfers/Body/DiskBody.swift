import OperationsCore

import struct FoundationEssentials.Data

/// The body of a transfer on disk: its bytes are handed over on the event thread, and written on the client's disk queue, so
/// that a slow disk holds up no other transfer.
///
/// The file belongs to the disk queue, which does one thing at a time; what both sides touch is behind a lock. That makes
/// `@unchecked Sendable` true.
final class DiskBody: @unchecked Sendable {
    private struct State {
        /// Bytes that were handed over and are not written yet.
        var backlog = 0
        var failure: TransferError?
        /// Whether somebody has been told to wait.
        var isAwaited = false
    }

    /// How many bytes of a body may wait to be written; with more the transfer is held back.
    static let largestBacklog = 4_000_000

    /// How many bytes were handed over. Only the event thread asks.
    @exclusivity(unchecked) private(set) var count: Int
    private let state = Lock(State())
    private let queue: OperationQueue
    private let whenDrained: @Sendable () -> Void
    private var file: BodyFile?

    /// A body in a file that is there.
    /// - Parameters:
    ///   - file: The file, with what it holds.
    ///   - queue: The client's disk queue.
    ///   - whenDrained: Called when there is room again after ``isFull()``, on the queue.
    init(_ file: BodyFile, on queue: OperationQueue, whenDrained: @escaping @Sendable () -> Void) {
        self.file = file
        self.queue = queue
        self.whenDrained = whenDrained
        count = file.count
    }

    /// A body in a new file.
    init(
        on queue: OperationQueue, making file: @escaping @Sendable () throws(TransferError) -> BodyFile,
        whenDrained: @escaping @Sendable () -> Void
    ) {
        self.queue = queue
        self.whenDrained = whenDrained
        count = 0
        perform { [self] () throws(TransferError) in self.file = try file() }
    }

    /// Whether so much waits to be written that the transfer has to wait; then it is told when that has changed.
    func isFull() -> Bool {
        state.withLock { state in
            guard state.backlog > Self.largestBacklog, state.failure == nil else { return false }
            state.isAwaited = true
            return true
        }
    }

    /// Adds bytes at the end. Throws what an earlier piece met.
    func append(_ bytes: Data) throws(TransferError) {
        guard !bytes.isEmpty else { return }
        let failure = state.withLock { state in
            state.backlog += bytes.count
            return state.failure
        }
        if let failure { throw failure }
        count += bytes.count
        perform { [self] () throws(TransferError) in
            defer { written(bytes.count) }
            guard let file else { return }
            let result = bytes.withUnsafeBytes { bytes in
                Result { () throws(TransferError) in try file.append(bytes) }
            }
            try result.get()
        }
    }

    /// All of the bytes so far, from the queue.
    func snapshot(_ then: @escaping @Sendable (Data) -> Void) {
        queue.addOperation { [self] in then((try? file?.contents()) ?? Data()) }
    }

    /// The whole body, from the queue; the file is gone then.
    func take(_ then: @escaping @Sendable (Result<Data, TransferError>) -> Void) {
        queue.addOperation { [self] in
            if let failure = state.withLock({ $0.failure }) {
                file = nil
                return then(.failure(failure))
            }
            var store = BodyStore(file: file)
            file = nil
            then(Result { () throws(TransferError) in try store.take() })
        }
    }

    /// The file with all of the bytes, from the queue; nil if they could not all be written.
    func close(_ then: @escaping @Sendable (BodyFile?) -> Void) {
        queue.addOperation { [self] in
            guard let kept = file.take(), state.withLock({ $0.failure }) == nil else { return then(nil) }
            do throws(TransferError) {
                try kept.sync()
                then(kept)
            } catch {
                kept.discard()
                then(nil)
            }
        }
    }

    /// Removes the file, without what waits to be written; `then` is called on the queue when it is gone.
    func discard(_ then: @escaping @Sendable () -> Void = {}) {
        state.withLock { $0.failure = $0.failure ?? .cancelled }
        let removal = BlockOperation { [self] in
            file.take()?.discard()
            then()
        }
        // Before the bytes of others that wait to be written; its own are not written any more.
        removal.queuePriority = .high
        queue.addOperation(removal)
    }

    private func written(_ bytes: Int) {
        let isDrained = state.withLock { state in
            state.backlog -= bytes
            guard state.isAwaited, state.backlog <= Self.largestBacklog / 2 else { return false }
            state.isAwaited = false
            return true
        }
        if isDrained { whenDrained() }
    }

    private func perform(_ work: @escaping @Sendable () throws(TransferError) -> Void) {
        queue.addOperation { [self] in
            guard state.withLock({ $0.failure }) == nil else { return }
            do throws(TransferError) {
                try work()
            } catch {
                file = nil
                state.withLock { $0.failure = error }
                // Whoever waits for room is to hear of it.
                whenDrained()
            }
        }
    }
}
