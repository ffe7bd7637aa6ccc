import Operations
import Testing

@testable import OperationsCore

/// A queue's state without a lock, a thread or a clock, and those who tell it of events.
final class QueueFixture {
    var state: QueueState
    var now = Duration.zero
    private var references: [Unmanaged<Operation>] = []

    init(width: Int) { state = QueueState(width: width) }

    deinit {
        for reference in references { reference.release() }
    }

    func operation(_ priority: Operation.QueuePriority = .normal) -> Operation {
        let operation = BlockOperation {}
        operation.queuePriority = priority
        return operation
    }

    /// Adds operations as one step.
    @discardableResult
    func add(_ operations: Operation...) -> QueueState.Actions { add(operations) }

    @discardableResult
    func add(_ operations: [Operation]) -> QueueState.Actions {
        state.receive(adopt(operations))
        var notice = QueueState.Notice.none
        for operation in operations {
            notice.add(QueueState.Notice(operation.state, in: Lane(quality: state.quality)))
        }
        return tell(.noticeableAdded(notice))
    }

    /// Operations that come out of the intake.
    func adopt(_ operations: [Operation]) -> ArrivalList {
        var list = ArrivalList()
        for operation in operations.reversed() {
            _ = operation.transition(.adopt)
            let reference = Unmanaged.passRetained(operation)
            list.prepend(reference)
            references.append(reference)
        }
        return list
    }

    func tell(_ event: QueueState.Event, by caller: QueueState.Caller = .other) -> QueueState.Actions {
        // There is no intake.
        state.knowsIntake = true
        return state.apply(event, by: caller, at: now)
    }

    /// The worker that was asked for last is there.
    var came: QueueState.Event { .workerCame(state.search) }

    /// A worker tells of what its step came to, and claims what comes next.
    func claim(_ event: QueueState.Event = .started) -> Operation? {
        guard case .operation(let claimed)? = tell(event, by: .worker).work else { return nil }
        return claimed.takeUnretainedValue()
    }

    /// A worker goes on that had to release the lock.
    var goesOn: QueueState.Event { .workerGoesOn(state.search) }

    /// Has a barrier run that nothing comes before.
    func startBarrier() {
        claimBarrier()
        let begins = state.beginBarrier()
        #expect(begins)
    }

    /// Has a barrier claimed that nothing comes before.
    func claimBarrier() {
        _ = tell(.barrierAdded(.passRetained(Barrier {})))
        guard case .barrier? = tell(came, by: .worker).work else { return #expect(Bool(false), "no barrier") }
    }

    /// The end of an operation, as far as the state is told of it.
    func end(_ operation: Operation, waking woken: [Operation] = []) -> QueueState.Event {
        let actions = operation.transition(.finish)
        for each in woken { _ = each.transition(.dependencyMet) }
        return .ended(.passUnretained(operation), freesPlace: actions.contains(.releaseSlot), Woken(woken[...]))
    }
}
