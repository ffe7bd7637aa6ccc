import FoundationEssentials
import Operations

/// The file with a run's figures: replaced whole now and then, and at the end of the run.
///
/// Nobody but whoever ends it waits for the disk. While one writing takes its time, no other begins.
final class MetricsFile: Sendable {
    private struct State {
        var isWriting = false
        var hasFailed = false
        var timer: Task<Void, Never>?
    }

    private let path: String
    private let queue = OperationQueue()
    private let state = Lock(State())

    /// - Throws: That nothing can be written there.
    init(path: String) throws(DevelopmentError) {
        self.path = path
        queue.name = "Metrics queue"
        queue.maxConcurrentOperationCount = 1
        do throws(FileError) {
            _ = try TemporaryFile(beside: path)
        } catch {
            throw .metricsUnusable(path: path, reason: error.reason)
        }
    }

    /// Writes the figures now, and again each time that an interval has passed.
    ///
    /// - Parameters:
    ///   - interval: The time between two writings.
    ///   - makeText: Makes the file's text; on a thread of the engine.
    ///   - whenFailed: Told of the first writing that failed; on a thread of the engine.
    func begin(
        every interval: Duration, _ makeText: @escaping @Sendable () -> String,
        whenFailed: @escaping @Sendable (DevelopmentError) -> Void
    ) {
        let timer = Task { [self] in
            while !Task.isCancelled {
                let isFree = state.withLock { state in
                    defer { state.isWriting = true }
                    return !state.isWriting
                }
                if isFree {
                    queue.addOperation { [self] in
                        write(makeText(), whenFailed)
                        state.withLock { $0.isWriting = false }
                    }
                }
                try? await Task.sleep(for: interval)
            }
        }
        state.withLock { $0.timer = timer }
    }

    /// Writes the figures a last time, and returns when they are there.
    func end(_ text: String, whenFailed: @escaping @Sendable (DevelopmentError) -> Void) async {
        let timer = state.withLock { $0.timer.take() }
        timer?.cancel()
        // So that nothing is added behind the last one.
        await timer?.value
        await withCheckedContinuation { continuation in
            queue.addOperation { [self] in
                write(text, whenFailed)
                continuation.resume()
            }
        }
    }

    private func write(_ text: String, _ whenFailed: @Sendable (DevelopmentError) -> Void) {
        do throws(FileError) {
            // What killed runs left was cleared at the start; the folder may be a large one.
            let file = try TemporaryFile(beside: path, clearsFolder: false)
            try file.write(Data(text.utf8))
            // Figures of a machine that has lost its power are of no use.
            try file.commit(isDurable: false)
        } catch {
            let isFirst = state.withLock { state in
                defer { state.hasFailed = true }
                return !state.hasFailed
            }
            if isFirst { whenFailed(.metricsUnusable(path: path, reason: error.reason)) }
        }
    }
}
