import Operations
import Transfers

/// How many pictures may be in work before no more transfers begin, and whether any may begin at all.
///
/// A picture is in work from the moment that its body is there to its last use. Transfers, and photos that wait for their
/// host or for another try, are not: how many of them there are is the client's affair.
final class TransferWindow: Sendable {
    private struct State {
        var isSuspended = false
        var inWork = 0
        var isHeld = false
        var width: Int
    }

    /// Where loaders of the client's bring files. They are held with the transfers.
    let loadQueue = OperationQueue()
    private let client: TransferClient
    private let limit: Int
    private let state: Lock<State>

    /// - Parameters:
    ///   - client: Carries the transfers out.
    ///   - width: How many transfers the client runs at once.
    ///   - loadWidth: How many loaders run at once.
    ///   - limit: How many pictures may be in work, at least 1.
    init(_ client: TransferClient, width: Int, loadWidth: Int, limit: Int) {
        self.client = client
        self.limit = max(limit, 1)
        state = Lock(State(width: width))
        loadQueue.name = "Load queue"
        loadQueue.maxConcurrentOperationCount = max(loadWidth, 1)
    }

    /// How many pictures are in work.
    var inWork: Int { state.withLock { $0.inWork } }

    /// How many transfers run at once.
    var width: Int {
        get { state.withLock { $0.width } }
        set {
            state.withLock { state in
                state.width = max(newValue, 1)
                client.setWidth(state.width)
            }
        }
    }

    /// Whether no transfer begins, whatever is in work.
    var isSuspended: Bool {
        get { state.withLock { $0.isSuspended } }
        set { change { $0.isSuspended = newValue } }
    }

    /// One picture more is in work.
    func enter() { change { $0.inWork += 1 } }

    /// One less is.
    func leave() { change { $0.inWork -= 1 } }

    private func change(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            let isHeld = state.isSuspended || state.inWork >= limit
            guard isHeld != state.isHeld else { return }
            state.isHeld = isHeld
            // Under the lock, so that the client hears of it in order.
            client.suspend(isHeld)
            loadQueue.isSuspended = isHeld
        }
    }
}
