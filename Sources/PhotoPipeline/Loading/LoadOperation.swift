import FoundationEssentials
import Operations
import Transfers

/// Has a loader of the client's bring a file.
final class LoadOperation: AsyncOperation, @unchecked Sendable {
    // Safe to share: the mutable state is behind a lock, the rest never changes after init.
    private struct State {
        var isOver = false
        var tasks: [Task<Void, Never>] = []
        var receivedByteCount = 0
        var whenStarted: (@Sendable () -> Void)?
        var whenEnded: (@Sendable (Result<Data, PhotoError>) -> Void)?
    }

    private let loader: any ImageLoading
    private let address: URL
    private let limits: TransferLimits
    private let memory: PhotoMemory
    private let state = Lock(State())

    /// - Parameter memory: Counts the bytes when they are there.
    init(_ loader: any ImageLoading, _ address: URL, limits: TransferLimits, memory: PhotoMemory) {
        self.loader = loader
        self.address = address
        self.limits = limits
        self.memory = memory
        super.init()
    }

    /// Says who is told that it begins, and what came of it; the latter not if it was cancelled. Only before it is in a queue.
    func tell(
        whenStarted: @escaping @Sendable () -> Void, whenEnded: @escaping @Sendable (Result<Data, PhotoError>) -> Void
    ) {
        state.withLock { state in
            state.whenStarted = whenStarted
            state.whenEnded = whenEnded
        }
    }

    var receivedByteCount: Int { state.withLock { $0.receivedByteCount } }

    override func execute() {
        state.withLock { $0.whenStarted.take() }?()
        // A loader of the client's may block its thread, as a database does.
        let loading = Task(executorPreference: ThreadPool.shared.executorForBlockingTasks) { [self] in
            complete(await loaded())
        }
        let alarm = Task { [self] in
            do { try await ContinuousClock().pause(for: limits.totalTimeout) } catch { return }
            complete(.failure(PhotoError(.timeout(.total, limits.totalTimeout))))
        }
        let isOver = state.withLock { state in
            if !state.isOver { state.tasks = [loading, alarm] }
            return state.isOver
        }
        if isOver { for task in [loading, alarm] { task.cancel() } }
    }

    override func cancelExecution() { complete(nil) }

    private func loaded() async -> Result<Data, PhotoError> {
        do {
            let bytes = try await loader.load(address, limit: limits.maxBytes)
            guard bytes.count <= limits.maxBytes else {
                return .failure(PhotoError(.tooLarge(limit: limits.maxBytes)))
            }
            return .success(bytes)
        } catch let error as PhotoError where error.reason != .cancelled {
            return .failure(error)
        } catch {
            return .failure(PhotoError(.loaderFailed, "\(type(of: loader)) failed: \(error)"))
        }
    }

    /// Ends it, once. Who loads and who watches the time are cancelled, as far as they have not ended.
    /// - Parameter result: nil where it was cancelled.
    private func complete(_ result: Result<Data, PhotoError>?) {
        let ended = state.withLock { state -> State? in
            guard !state.isOver else { return nil }
            let ended = state
            state = State(isOver: true)
            if case .success(let bytes) = result { state.receivedByteCount = bytes.count }
            return ended
        }
        guard let ended else { return }
        for task in ended.tasks { task.cancel() }
        guard let result else { return finish() }
        if case .success(let bytes) = result {
            memory.take(bytes.count, for: .body)
            memory.didReceiveAll()
        }
        ended.whenEnded?(result)
        switch result {
        case .success: finish()
        case .failure(let error): finish(error)
        }
    }
}

/// What stands for a loader where only what is in memory is wanted, and it is not there.
struct MemoryOnly: ImageLoading {
    func load(_ address: URL, limit: Int) async throws -> Data {
        throw PhotoError(.unreachable, "It is not in memory, and nothing is to be loaded.")
    }
}
