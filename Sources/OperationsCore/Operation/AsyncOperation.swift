import Foundation

/// The base of operations whose work outlasts `start()`: a transfer, a timer, any interface with callbacks.
///
/// A subclass overrides `execute()`, begins its work there and returns; some time later, on any thread, it calls
/// `finish(_:)`. The state is kept here, so that it cannot be got wrong. Until `finish(_:)` the operation holds
/// its place in the queue's width, but no thread. It adds no state to `Operation`, which guards its own.
open class AsyncOperation: Operation, @unchecked Sendable {
    public override init() {
        super.init()
    }

    /// Begins the work and returns; called once, on a thread of the queue, and only if it was not cancelled before.
    ///
    /// By default there is no work, and the operation finishes.
    open func execute() { finish() }

    /// Ends the work early; called at most once, when the operation is cancelled while it executes.
    ///
    /// The call comes on the thread that cancelled. A cancellation that comes while `execute()` has not returned
    /// is held until it has, and is delivered on its thread: the two never overlap, and what `execute()` began is
    /// there to be ended. The operation still has to call `finish(_:)`. By default nothing happens.
    open func cancelExecution() {}

    /// Finishes the operation. Only the first call counts; later ones do nothing.
    ///
    /// Its place in the queue is free for others at once, whatever the calling thread does next.
    /// - Parameter error: What it failed with, kept in `error` unless it failed before by `fail(_:)`; nil by default.
    public final func finish(_ error: (any Error)? = nil) {
        guard transition(.claimFinish).contains(.accepted) else { return }
        if let error { noteFailure(error) }
        finishNow()
    }

    /// Says, before it is added, that `execute()` neither blocks nor takes long.
    ///
    /// Then whoever makes room for it in its queue, and has nothing else to run, starts it, on whatever thread that is: to
    /// wake one of the queue's for it costs many times as much.
    package final func beginsAtOnce() { _ = transition(.setBeginsAtOnce) }

    public final override var isAsynchronous: Bool { true }
    public final override var isExecuting: Bool { state.phase == .executing }
    public final override var isFinished: Bool { state.isFinished }

    public final override func start() {
        noteReasonIfStartedByHand()
        let actions = beginWork()
        guard actions.contains(.accepted) else { return checkRefusedStart() }
        if actions.contains(.skipMain) { return finishUnstarted() }
        if let unretainedCore {
            let progress = unretainedCore._withUnsafeGuaranteedRef { $0.progress }
            if progress.isReporting {
                let part = progress.makePart()
                withExtras { $0.progress = part }
            }
        }
        execute()
        if transition(.workReturned).contains(.cancelExecution) { cancelExecution() }
    }

    override func deliverCancellation() { cancelExecution() }

    /// Finishes one that was cancelled before its work began.
    func finishUnstarted() { finish() }

    override func discardWork() {
        completeProgress(locked { extras?.progress })
    }

    final func completeProgress(_ part: Progress?) {
        if let part { core?.progress.complete(part) }
    }
}
