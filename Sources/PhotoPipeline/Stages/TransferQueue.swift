import Operations
import Transfers

/// The queue of transfers, which the client schedules.
///
/// A transfer whose host rests, or that waits for another try, must not hold a place that another one could have. So the queue
/// hands all to the client, which knows the hosts; its width and its suspension are the client's. None begins either while as
/// many pictures are in work as there may be. A picture is in work from the moment that its body is there to its last use.
final class TransferQueue: OperationQueue, @unchecked Sendable {
    // Safe to share: the mutable state is behind a lock, the rest never changes after init.
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
        super.init()
        name = "Download queue"
        super.maxConcurrentOperationCount = .max
        loadQueue.name = "Load queue"
        loadQueue.maxConcurrentOperationCount = max(loadWidth, 1)
    }

    /// How many pictures are in work.
    var inWork: Int { state.withLock { $0.inWork } }

    /// How many transfers run at once.
    override var maxConcurrentOperationCount: Int {
        get { state.withLock { $0.width } }
        set {
            state.withLock { state in
                state.width = max(newValue, 1)
                client.setWidth(state.width)
            }
        }
    }

    override var isSuspended: Bool {
        get { super.isSuspended }
        set {
            if newValue { change { $0.isSuspended = true } }
            super.isSuspended = newValue
            // After those that waited in the queue, so that the most urgent of all is the first.
            if !newValue { change { $0.isSuspended = false } }
        }
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
