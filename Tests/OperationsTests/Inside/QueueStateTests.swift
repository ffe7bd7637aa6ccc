import Foundation
import Operations
import Testing

@testable import OperationsCore

/// The rules of a queue as a value: no lock, no thread and no clock.
@Suite struct QueueStateTests {
    @Test func whatIsAddedAsksForAWorkerOnce() {
        let queue = QueueFixture(width: 2)
        let (first, second) = (queue.operation(), queue.operation())
        #expect(queue.add(first).search?.urgency == .prompt)
        #expect(queue.add(second).search == nil, "One is on its way.")
        let actions = queue.tell(queue.came, by: .worker)
        #expect(actions.search != nil, "There is work for another one.")
        #expect(queue.claim(queue.came) === second)
        #expect(queue.state.running == 2)
    }

    /// Threads of a lower priority may all be busy for long.
    @Test func whatIsUrgentWaitsForNoThreadOfALowerPriority() {
        let queue = QueueFixture(width: 4)
        let (background, utility, urgent) = (queue.operation(), queue.operation(.high), queue.operation(.veryHigh))
        background.qualityOfService = .background
        utility.qualityOfService = .utility
        #expect(queue.add(background).search?.lane == .background)
        let early = queue.came
        #expect(queue.add(utility).search?.lane == .utility)
        #expect(queue.add(urgent).search?.lane == .standard)
        #expect(queue.add(queue.operation(.veryHigh)).search == nil, "One is on its way.")
        // Whoever comes takes what comes first.
        #expect(queue.claim(early) === urgent)
        #expect(queue.state.isSearching, "The others are on their way.")
    }

    @Test func aQualityThatIsRaisedAsksForAnotherThread() {
        let queue = QueueFixture(width: 4)
        #expect(queue.tell(.qualitySet(QualityOfService.background.code)).search == nil)
        #expect(queue.add(queue.operation()).search?.lane == .background)
        #expect(queue.tell(.qualitySet(QualityOfService.userInitiated.code)).search?.lane == .standard)
        #expect(queue.tell(.qualitySet(QualityOfService.background.code)).search == nil)
    }

    @Test func theWidthIsKeptAndAPlaceThatIsFreeIsUsedInTheSameStep() {
        let queue = QueueFixture(width: 1)
        let operations = (0..<3).map { _ in queue.operation() }
        for operation in operations { queue.add(operation) }
        #expect(queue.claim(queue.came) === operations[0])
        #expect(queue.claim() == nil)
        #expect(queue.claim(queue.end(operations[0])) === operations[1])
        #expect(queue.tell(.widthSet(2)).search != nil)
        #expect(queue.claim(queue.came) === operations[2])
    }

    @Test func theOrderIsThatOfAddingAndNotOfBecomingReady() {
        let queue = QueueFixture(width: 1)
        let (running, freed, others) = (queue.operation(), queue.operation(), [queue.operation(), queue.operation()])
        freed.addDependency(running)
        queue.add(running, freed, others[0], others[1])
        #expect(queue.claim(queue.came) === running)
        #expect(queue.claim(queue.end(running, waking: [freed])) === freed)
        #expect(queue.claim(queue.end(freed)) === others[0])
    }

    @Test func aWorkerClaimsWhatArrivesOneAtATime() {
        let queue = QueueFixture(width: 1)
        let operations = [Operation.QueuePriority.low, .normal, .normal, .high].map { queue.operation($0) }
        let dependency = queue.operation()
        operations[1].addDependency(dependency)
        queue.state.receive(queue.adopt(operations))
        #expect(queue.claim() === operations[2], "The low one is put aside, and the next one waits.")
        #expect(operations.map(\.state.phase) == [.ready, .waiting, .claimed, .adopted])
        #expect(queue.claim(queue.end(operations[2])) === operations[3])
        #expect(queue.claim(queue.end(operations[3])) === operations[0])
        #expect(queue.state.lastAdmitted == queue.state.lastAdded)
    }

    @Test func aPlaceMayBeKeptBeyondTheEnd() {
        let queue = QueueFixture(width: 1)
        let (first, second) = (queue.operation(), queue.operation())
        queue.add(first, second)
        #expect(queue.claim(queue.came) === first)
        _ = first.transition(.finish)
        #expect(queue.claim(.ended(.passUnretained(first), freesPlace: false, Woken())) == nil)
        #expect(queue.claim(.placeFreed) === second)
    }

    @Test func priorityComesFirstAndAChangeCounts() {
        let queue = QueueFixture(width: 1)
        let (normal, high, raised) = (queue.operation(), queue.operation(.high), queue.operation(.low))
        queue.add(normal, high, raised)
        _ = raised.transition(.setPriority(4))
        _ = queue.tell(.wordsChanged(Woken(raised)))
        #expect(queue.claim(queue.came) === raised)
        #expect(queue.claim(queue.end(raised)) === high)
        #expect(queue.claim(queue.end(high)) === normal)
    }

    @Test func suspensionHoldsBackAllAndResumingAsksForAWorker() {
        let queue = QueueFixture(width: -1)
        _ = queue.tell(.suspensionSet(true))
        let operation = queue.operation()
        let added = queue.add(operation)
        #expect(added.search == nil && added.attendsToIntake)
        #expect(queue.claim() == nil)
        #expect(queue.tell(.suspensionSet(false)).search?.urgency == .first, "It was idle.")
        #expect(queue.claim(queue.came) === operation)
    }

    @Test func aBarrierWaitsForAllBeforeAndHoldsAllBehind() {
        let queue = QueueFixture(width: 4)
        let (before, behind) = (queue.operation(), queue.operation())
        queue.add(before)
        _ = queue.tell(.barrierAdded(.passRetained(Barrier {})))
        queue.add(behind)
        #expect(queue.claim(queue.came) === before)
        #expect(queue.claim() == nil)
        guard case .barrier? = queue.tell(queue.end(before), by: .worker).work else {
            return #expect(Bool(false), "no barrier")
        }
        #expect(queue.claim() == nil, "It runs.")
        #expect(queue.claim(.barrierEnded) === behind)
        #expect(queue.state.outbox?.barriers.count == 1, "Its block is released by whoever holds no lock.")
        #expect(queue.tell(queue.end(behind)).isDrained)
    }

    @Test func whatABarrierHeldBackIsInTheQueueWhereNobodyHasLookedAtIt() {
        let queue = QueueFixture(width: 1)
        queue.startBarrier()
        let behind = queue.operation()
        queue.add(behind)
        _ = queue.tell(.suspensionSet(true))
        #expect(!queue.tell(.barrierEnded, by: .worker).isDrained)
        #expect(queue.state.count == 1)
        _ = queue.tell(.suspensionSet(false))
        #expect(queue.claim(queue.came) === behind)
    }

    @Test func whatABarrierHeldBackIsCancelledBeforeItCouldStart() {
        let queue = QueueFixture(width: 1)
        _ = queue.tell(.barrierAdded(.passRetained(Barrier {})))
        let behind = queue.operation()
        queue.add(behind)
        #expect(queue.tell(.dropBarriers).search == nil)
        #expect(queue.state.outbox?.barriers.count == 1)
        #expect(queue.tell(.barriersWereDropped).search == nil, "The worker for the barrier is on its way.")
        #expect(queue.claim(queue.came) === behind)
    }

    @Test func whatADroppedBarrierHeldBackMayEndOnceItIsCancelled() {
        let queue = QueueFixture(width: 4)
        _ = queue.tell(.barrierAdded(.passRetained(Barrier {})))
        let operations = (0..<4).map { _ in queue.operation() }
        for operation in operations[..<3] { queue.add(operation) }
        operations[1].cancel()
        _ = queue.tell(.dropBarriers)
        #expect(queue.claim(queue.came) === operations[1], "It was cancelled before.")
        #expect(queue.claim() == nil)
        queue.add(operations[3])
        #expect(queue.claim() === operations[3], "It came afterwards.")
        operations[0].cancel()
        #expect(queue.claim(.wordsChanged(Woken(operations[0]))) === operations[0])
        #expect(queue.claim() == nil)
        #expect(queue.claim(.barriersWereDropped) === operations[2])
    }

    @Test(arguments: [false, true]) func aBarrierThatWasClaimedIsDroppedAsLongAsItHasNotBegun(isOnly: Bool) {
        let queue = QueueFixture(width: 1)
        queue.startBarrier()
        _ = queue.tell(.barrierEnded, by: .leavingWorker)
        queue.state.outbox = nil
        queue.claimBarrier()
        if !isOnly { _ = queue.tell(.barrierAdded(.passRetained(Barrier {}))) }
        let behind = queue.operation()
        queue.add(behind)
        _ = queue.tell(.dropBarriers)
        #expect(queue.state.outbox?.barriers.count == (isOnly ? 0 : 1))
        let begins = queue.state.beginBarrier()
        #expect(!begins)
        #expect(queue.claim(.barrierEnded) == nil, "What it held back is yet to be cancelled.")
        #expect(queue.state.outbox?.barriers.count == (isOnly ? 1 : 2))
        #expect(queue.claim(.barriersWereDropped) === behind)
        #expect(queue.state.barriers.isEmpty)
        _ = queue.tell(queue.end(behind))
        queue.startBarrier()
    }

    @Test(arguments: [false, true]) func aBarrierThatIsPutBackIsThereUnlessItWasDropped(isDropped: Bool) {
        let queue = QueueFixture(width: 1)
        queue.claimBarrier()
        _ = queue.tell(.suspensionSet(true))
        if isDropped {
            for event in [QueueState.Event.dropBarriers, .barriersWereDropped] { _ = queue.tell(event) }
        }
        #expect(queue.tell(.barrierPutBack).isDrained == isDropped)
        #expect(queue.state.running == 0)
        #expect(queue.state.outbox?.barriers.count == (isDropped ? 1 : nil))
        #expect((queue.tell(.suspensionSet(false)).search == nil) == isDropped)
    }

    /// It holds back one that the next barrier, which is dropped, does not.
    @Test func aBarrierThatRunsIsNotDropped() {
        let queue = QueueFixture(width: 1)
        queue.startBarrier()
        let behind = queue.operation()
        queue.add(behind)
        _ = queue.tell(.barrierAdded(.passRetained(Barrier {})))
        _ = queue.tell(.dropBarriers)
        #expect(queue.claim(.barrierEnded) === behind)
    }

    /// It held back what is cancelled and what others add meanwhile.
    @Test func aBarrierEndsWhileAnotherIsDropped() {
        let queue = QueueFixture(width: 4)
        queue.startBarrier()
        _ = queue.tell(.barrierAdded(.passRetained(Barrier {})))
        let (stubborn, cancelled, added) = (queue.operation(), queue.operation(), queue.operation())
        queue.add(stubborn, cancelled)
        _ = queue.tell(.dropBarriers)
        queue.add(added)
        _ = queue.tell(.admissionWanted)
        cancelled.cancel()
        _ = queue.tell(.wordsChanged(Woken(cancelled)))
        #expect(queue.claim(.barrierEnded) === cancelled)
        #expect(queue.claim() === added)
        #expect(queue.claim() == nil)
        #expect(queue.claim(.barriersWereDropped) === stubborn)
    }

    /// Its `cancel()` does not cancel it, and adds others.
    @Test func whatIsHeldUntilItIsCancelledIsNotOvertakenWhenItIsNot() {
        let queue = QueueFixture(width: 1)
        let (running, behind) = (queue.operation(), queue.operation())
        queue.add(running)
        #expect(queue.claim(queue.came) === running)
        _ = queue.tell(.barrierAdded(.passRetained(Barrier {})))
        queue.add(behind)
        _ = queue.tell(.dropBarriers)
        _ = queue.tell(.admissionWanted)
        let later = (0..<50).map { _ in queue.operation() }
        queue.add(later)
        _ = queue.tell(.added)
        _ = queue.tell(.barriersWereDropped, by: .leavingWorker)
        #expect(queue.claim(queue.end(running)) === behind)
        #expect(queue.claim(queue.end(behind)) === later[0])
    }

    /// They become ready when all are cancelled for the second time, and are not cancelled.
    @Test func whatBecomesReadyWhileItIsHeldUntilItIsCancelled() {
        let queue = QueueFixture(width: 4)
        let (dependency, first) = (queue.operation(), queue.operation())
        let others = [queue.operation(), queue.operation()]
        for operation in [first] + others { operation.addDependency(dependency) }
        queue.add(first)
        _ = queue.tell(.barrierAdded(.passRetained(Barrier {})))
        _ = queue.tell(.dropBarriers)
        queue.add(others)
        _ = queue.tell(.admissionWanted)
        _ = queue.tell(.dropBarriers)
        for other in others.reversed() {
            _ = other.transition(.dependencyMet)
            #expect(queue.tell(.wordsChanged(Woken(other))).search == nil)
        }
        _ = queue.tell(.barriersWereDropped)
        #expect(queue.tell(.barriersWereDropped).search != nil)
        #expect(queue.claim(queue.came) === others[0])
        #expect(queue.claim() === others[1])
    }

    @Test func whatADroppedBarrierHeldBackIsNotClaimedWhereNobodyHasLookedAtIt() {
        let queue = QueueFixture(width: 1)
        let (running, behind) = (queue.operation(), queue.operation())
        queue.add(running)
        #expect(queue.claim(queue.came) === running)
        _ = queue.tell(.barrierAdded(.passRetained(Barrier {})))
        queue.add(behind)
        _ = queue.tell(.dropBarriers)
        #expect(queue.claim(queue.end(running)) == nil)
        #expect(queue.claim(.barriersWereDropped) === behind)
    }

    @Test func theRateLimitSaysHowLongToSleep() {
        let queue = QueueFixture(width: -1)
        _ = queue.tell(.rateLimitSet(RateLimit(1, per: .seconds(10))))
        let (first, second) = (queue.operation(), queue.operation())
        queue.add(first, second)
        #expect(queue.claim(queue.came) === first)
        queue.now = .seconds(4)
        let actions = queue.tell(queue.end(first), by: .worker)
        #expect(actions.work == nil && actions.search == nil, "It was told to sleep when the first was claimed.")
        _ = queue.tell(.rateLimitSet(RateLimit(1, per: .seconds(10))))
        #expect(queue.claim() === second, "Another limit has a full bucket.")
    }

    @Test func whatIsPutAsideGivesItsPlaceAndItsTokenBack() {
        let queue = QueueFixture(width: 1)
        _ = queue.tell(.rateLimitSet(RateLimit(1, per: .seconds(10))))
        let (parked, other) = (queue.operation(), queue.operation())
        queue.add(parked, other)
        #expect(queue.claim(queue.came) === parked)
        _ = parked.transition(.park)
        #expect(queue.claim(.putAside(.passUnretained(parked))) === other)
        _ = queue.tell(.begun(isCharged: true))
        _ = parked.transition(.readinessChanged)
        queue.now = .seconds(11)
        _ = queue.tell(.wordsChanged(Woken(parked)))
        #expect(queue.claim(queue.end(other)) === parked)
    }

    /// Its `isReady` takes longer than the interval of the rate.
    @Test func whatIsPutAsideLateLetsNoTwoStartAtOnce() {
        let queue = QueueFixture(width: 3)
        _ = queue.tell(.rateLimitSet(RateLimit(1, per: .seconds(10))))
        let (slow, second, third) = (queue.operation(), queue.operation(), queue.operation())
        queue.add(slow, second, third)
        #expect(queue.claim(queue.came) === slow)
        queue.now = .seconds(10)
        #expect(queue.claim() == nil, "The first may be about to start.")
        _ = slow.transition(.park)
        #expect(queue.claim(.putAside(.passUnretained(slow))) === second)
        #expect(queue.claim() == nil)
    }

    @Test func aWorkerWhoseTurnIsOverClaimsNothingAndLooksAgain() {
        let queue = QueueFixture(width: -1)
        let (first, second) = (queue.operation(), queue.operation())
        queue.add(first, second)
        #expect(queue.claim(queue.came) === first)
        #expect(queue.state.isSearching, "Another worker was asked for.")
        let leaving = queue.tell(queue.end(first), by: .leavingWorker)
        #expect(leaving.work == nil && leaving.search == nil, "That one looks already.")
        #expect(queue.claim(queue.came) === second)
        let third = queue.operation()
        #expect(queue.add(third).search?.urgency == .patient, "Somebody is at work.")
    }

    @Test func aWorkerOfAnotherPoolClaimsNothingAndIsNotTheOneThatWasAskedFor() {
        let queue = QueueFixture(width: 2)
        let (first, second) = (queue.operation(), queue.operation())
        queue.add(first)
        #expect(queue.claim(queue.came) === first)
        #expect(queue.add(queue.operation()).search != nil)
        let other = queue.claim()
        #expect(queue.claim(queue.end(first)) == nil)
        if let other { #expect(queue.tell(queue.end(other)).isDrained) }
        #expect(queue.state.isSearching, "It is on its way.")
        #expect(queue.tell(.poolReplaced).search == nil)
        #expect(queue.add(second).search != nil, "The other pool's is asked for.")
        let stray = queue.tell(queue.came, by: .strayWorker)
        #expect(stray.work == nil && stray.search == nil && queue.state.isSearching)
        #expect(queue.claim(queue.came) === second)
    }

    @Test func aWidthThatIsSetAsksForAWorkerThatNeedNotWaitForOthers() {
        let queue = QueueFixture(width: -1)
        let operations = (0..<3).map { _ in queue.operation() }
        queue.add(operations[0])
        let first = queue.came
        #expect(queue.claim(first) === operations[0])
        #expect(queue.add(operations[1]).search?.urgency == .patient)
        let held = queue.came
        #expect(queue.tell(.widthSet(-1)).search == nil, "It is as it was.")
        #expect(queue.tell(.widthSet(3)).search?.urgency == .prompt)
        #expect(queue.tell(.widthSet(2)).search == nil, "One is on its way.")
        #expect(queue.tell(held, by: .leavingWorker).search == nil, "Nobody waits for that one any more.")
        #expect(queue.state.isSearching)
        #expect(queue.claim(queue.came) === operations[1])
        #expect(!queue.state.isSearching)
    }

    @Test func whatHadFinishedIsRefused() {
        let queue = QueueFixture(width: 1)
        let operation = queue.operation()
        _ = operation.transition(.adopt)
        _ = operation.transition(.finishOutsideQueue)
        var list = ArrivalList()
        list.prepend(.passRetained(operation))
        queue.state.receive(list)
        let actions = queue.tell(.added)
        #expect(actions.isDrained && actions.search == nil)
        #expect(queue.state.outbox?.refused.count == 1)
        Unmanaged.passUnretained(operation).release()
    }

    @Test func eventsAreGatheredForWhoeverHoldsTheLock() {
        let queue = QueueFixture(width: 1)
        queue.state.isObserved = true
        let (first, second) = (queue.operation(), queue.operation())
        second.addDependency(first)
        queue.add(first, second)
        #expect(queue.state.outbox?.events.map(\.operation) == [first])
        #expect(queue.state.outbox?.events.map(\.kind) == [.ready])
    }
}
