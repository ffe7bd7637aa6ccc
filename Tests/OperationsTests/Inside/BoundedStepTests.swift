import Foundation
import Operations
import Testing

@testable import OperationsCore

/// However many operations a queue has, what is done under one lock has to do with some of them.
@Suite struct BoundedStepTests {
    private let queue = QueueFixture(width: 2)
    private let operations: [Operation]
    /// An event brings so many in, and what follows from it as many again.
    private var most: Int { 2 * queue.state.operationsPerLock }

    init() { operations = (0..<1_000).map { _ in BlockOperation {} } }

    /// How many have become members or were placed in the store.
    private var treated: Int { Int(queue.state.lastAdmitted) + operations.count { $0.storePlace.isPresent } }

    /// A worker goes on until it has claimed something.
    /// - Returns: What it was, and how many were treated under one lock at most.
    private func claim(_ event: QueueState.Event) -> (operation: Operation?, most: Int) {
        var (event, longest, steps) = (event, 0, 0)
        while steps < 2 * operations.count {
            let before = treated
            let actions = queue.tell(event, by: .worker)
            longest = max(longest, treated - before)
            if case .operation(let claimed)? = actions.work { return (claimed.takeUnretainedValue(), longest) }
            guard actions.search != nil else { break }
            event = queue.goesOn
            steps += 1
        }
        return (nil, longest)
    }

    @Test func manyAreAdded() {
        queue.add(operations)
        #expect(treated <= 2 * most)
        #expect(queue.state.count == 1_000)
        #expect(claim(queue.came).operation === operations[0])
    }

    @Test func theLastOfManyComesFirst() {
        operations[999].queuePriority = .high
        #expect(queue.add(operations).search != nil)
        #expect(treated <= 2 * most)
        let (first, longest) = claim(queue.came)
        #expect(first === operations[999], "None of the others has started before.")
        #expect(longest <= 2 * most)
    }

    @Test func oneOfManyThatWereAddedIsRaised() {
        queue.state.receive(queue.adopt(operations))
        _ = operations[500].transition(.setPriority(3))
        _ = queue.tell(.wordsChanged(Woken(operations[500])))
        #expect(treated <= 2 * most)
        #expect(claim(queue.came).operation === operations[500])
    }

    @Test func theOrderOfManyIsTurnedRound() {
        queue.add(operations)
        _ = queue.tell(.orderSet(.lifo))
        let (first, longest) = claim(queue.came)
        #expect(first === operations[999])
        #expect(longest <= 2 * most)
    }

    /// They are in the store, where nearly all came late. How much is moved is in `ReadyStoreTests`.
    @Test func theOrderOfManyThatWereRaisedIsTurnedRound() {
        queue.add(operations)
        for operation in operations.reversed() {
            _ = operation.transition(.setPriority(3))
            _ = queue.tell(.wordsChanged(Woken(operation)))
        }
        #expect(treated == 2_000)
        #expect(claim(queue.came).operation === operations[0])
        _ = queue.tell(.orderSet(.lifo))
        _ = queue.tell(queue.end(operations[0]), by: .leavingWorker)
        let (last, longest) = claim(queue.came)
        #expect(last === operations[999])
        #expect(longest <= 2 * most)
        _ = queue.tell(.orderSet(.fifo))
        _ = queue.tell(queue.end(operations[999]), by: .leavingWorker)
        #expect(claim(queue.came).operation === operations[1])
    }

    @Test(arguments: [false, true]) func aBarrierEndsBeforeMany(isLastUrgent: Bool) {
        if isLastUrgent { operations[999].queuePriority = .high }
        queue.startBarrier()
        queue.add(operations)
        #expect(treated == 0, "They are held back.")
        let (first, longest) = claim(.barrierEnded)
        #expect(first === operations[isLastUrgent ? 999 : 0])
        #expect(longest <= 2 * most)
    }

    /// As somebody wanted to see them.
    @Test(arguments: [false, true]) func aBarrierEndsBeforeManyMembers(isLastUrgent: Bool) {
        if isLastUrgent { operations[999].queuePriority = .high }
        queue.startBarrier()
        queue.add(operations)
        while queue.state.lastAdmitted < queue.state.lastAdded {
            let before = treated
            _ = queue.tell(.admissionWanted)
            #expect(treated - before <= most)
        }
        let (first, longest) = claim(.barrierEnded)
        #expect(first === operations[isLastUrgent ? 999 : 0])
        #expect(longest <= 2 * most)
    }

    /// The last of them becomes ready when not all of the others are in the store.
    @Test func oneOfManyMembersDoesNotOvertakeThem() {
        let source = BlockOperation {}
        operations[999].addDependency(source)
        queue.startBarrier()
        queue.add(operations)
        while queue.state.lastAdmitted < queue.state.lastAdded { _ = queue.tell(.admissionWanted) }
        _ = queue.tell(.barrierEnded, by: .leavingWorker)
        _ = operations[999].transition(.dependencyMet)
        let met = QueueState.Event.wordsChanged(Woken(operations[999]))
        #expect(queue.tell(met, by: .leavingWorker).work == nil)
        #expect(claim(queue.came).operation === operations[0])
        #expect(claim(.started).operation === operations[1])
    }

    @Test func aBarrierBeforeManyIsDropped() {
        _ = queue.tell(.barrierAdded(.passRetained(Barrier {})))
        queue.add(operations)
        _ = queue.tell(.dropBarriers)
        #expect(treated <= 2 * most)
        let before = treated
        _ = queue.tell(.barriersWereDropped)
        #expect(treated - before <= 2 * most)
        #expect(claim(queue.came).operation === operations[0])
    }

    /// Somebody adds without an end.
    @Test func anUrgentOneWaitsForNoneThatComeLater() {
        operations[999].queuePriority = .high
        queue.add(operations)
        var (later, steps) = ([Operation](), 0)
        while steps < 100 {
            let added = (0..<200).map { _ in BlockOperation {} }
            later += added
            queue.state.receive(queue.adopt(added))
            steps += 1
            guard case .operation(let claimed)? = queue.tell(queue.came, by: .worker).work else { continue }
            #expect(claimed.takeUnretainedValue() === operations[999])
            break
        }
        #expect(steps <= 1_000 / queue.state.operationsPerLock + 1)
    }

    /// What is not known yet may come before them, but only what was there when the claim began.
    @Test func lowOnesWaitForNoneThatComeLater() {
        for operation in operations { operation.queuePriority = .low }
        queue.add(operations)
        var (event, later, steps) = (queue.came, [Operation](), 0)
        while steps < 100 {
            steps += 1
            if case .operation(let claimed)? = queue.tell(event, by: .worker).work {
                #expect(claimed.takeUnretainedValue() === operations[0])
                break
            }
            let added = (0..<200).map { _ in queue.operation(.low) }
            later += added
            queue.state.receive(queue.adopt(added))
            event = queue.goesOn
        }
        #expect(steps <= 1_000 / queue.state.operationsPerLock + 2)
    }

    /// A worker is looking for what comes next, and has released the lock.
    @Test func anUrgentOneComesBeforeLowOnesThatAreBeingLookedAt() {
        for operation in operations { operation.queuePriority = .low }
        queue.add(operations)
        #expect(queue.tell(queue.came, by: .worker).work == nil)
        let (more, urgent) = ((0..<1_000).map { _ in queue.operation(.low) }, queue.operation(.high))
        let goesOn = queue.goesOn
        queue.add(more + [urgent])
        #expect(claim(goesOn).operation === urgent)
        #expect(claim(queue.end(urgent)).operation === operations[0])
    }

    @Test(arguments: [true, false]) func aNormalOneThatIsAddedWhileNothingMayStartComesBeforeLowOnes(isSuspended: Bool)
    {
        for operation in operations { operation.queuePriority = .low }
        queue.add(operations)
        #expect(queue.tell(queue.came, by: .worker).work == nil)
        let (goesOn, normal) = (queue.goesOn, queue.operation())
        _ = queue.tell(isSuspended ? .suspensionSet(true) : .widthSet(0))
        let added = (0..<1_000).map { _ in queue.operation(.low) } + [normal]
        queue.add(added)
        _ = queue.tell(isSuspended ? .suspensionSet(false) : .widthSet(2))
        #expect(claim(goesOn).operation === normal)
        withExtendedLifetime(added) {}
    }

    @Test func theOrderIsTurnedRoundWhileLowOnesAreBeingLookedAt() {
        for operation in operations { operation.queuePriority = .low }
        queue.add(operations)
        #expect(queue.tell(queue.came, by: .worker).work == nil)
        let goesOn = queue.goesOn
        let added = (0..<1_000).map { _ in queue.operation(.low) }
        queue.add(added)
        _ = queue.tell(.orderSet(.lifo))
        #expect(claim(goesOn).operation === added[999])
    }

    /// Threads of a low lane may be long in coming.
    @Test(arguments: [true, false]) func oneOfABackgroundQueueThatIsForTheStandardLaneIsFoundByAThreadOfThat(
        isUrgent: Bool
    ) {
        _ = queue.tell(.qualitySet(QualityOfService.background.code))
        if !isUrgent { for operation in operations { operation.queuePriority = .low } }
        #expect(queue.add(operations).search?.lane == .background)
        let first = queue.operation(isUrgent ? .veryHigh : .normal)
        first.qualityOfService = .userInteractive
        #expect(queue.add(first).search?.lane == .standard)
        #expect(claim(queue.came).operation === first)
        #expect(claim(.started).operation === operations[0])
    }

    /// Its priority is raised where nobody has looked at it.
    @Test(arguments: [false, true]) func oneOfABackgroundQueueThatGetsAQualityIsFoundByAThreadOfThat(isMember: Bool) {
        _ = queue.tell(.qualitySet(QualityOfService.background.code))
        if isMember { queue.startBarrier() }
        queue.add(operations)
        while isMember, queue.state.lastAdmitted < 1_000 { _ = queue.tell(.admissionWanted) }
        operations[999].qualityOfService = .userInteractive
        _ = operations[999].transition(.setPriority(4))
        let actions = queue.tell(.wordsChanged(Woken(operations[999])))
        #expect((isMember ? queue.tell(.barrierEnded, by: .leavingWorker) : actions).search?.lane == .standard)
    }

    @Test func theOthersOfABackgroundQueueAreForItsOwnLane() {
        _ = queue.tell(.qualitySet(QualityOfService.background.code))
        operations[999].queuePriority = .high
        #expect(queue.add(operations).search?.lane == .background)
        #expect(queue.add(queue.operation(.veryHigh)).search == nil)
        #expect(queue.tell(queue.came, by: .worker).search?.lane == .background)
    }

    /// It was for the queue's lane when it was added.
    @Test func oneOfAQueueThatGetsABackgroundLaneIsFoundByAThreadOfItsOwn() {
        (operations[999].queuePriority, operations[999].qualityOfService) = (.high, .userInitiated)
        queue.add(operations)
        _ = queue.tell(.qualitySet(QualityOfService.background.code))
        #expect(queue.tell(queue.came, by: .worker).search?.lane == .standard)
    }

    /// Nothing behind it can come before it.
    @Test(arguments: [3, 4] as [UInt8]) func oneOfTheHighestPriorityWaitsForNothing(level: UInt8) {
        let first = queue.operation(Operation.QueuePriority(level: level))
        queue.add(first)
        operations[999].queuePriority = Operation.QueuePriority(level: level)
        queue.add(operations)
        #expect(queue.claim(queue.came) === first)
    }

    @Test func oneOfAHighPriorityWaitsForTheHighest() {
        queue.add(queue.operation(.high))
        operations[999].queuePriority = .veryHigh
        queue.add(operations)
        #expect(claim(queue.came).operation === operations[999])
    }

    @Test func whoAddsOneThatIsUrgentLooksAtNoOthers() {
        let (queue, urgent) = (OperationQueue(), queue.operation(.high))
        queue.isSuspended = true
        queue.addOperations(operations, waitUntilFinished: false)
        queue.addOperations([urgent], waitUntilFinished: false)
        #expect(queue.core.monitor.withLock { queue.core.state.lastAdmitted } <= 4 * UInt64(most))
        queue.cancelAllOperations()
        queue.isSuspended = false
    }

    /// Otherwise what has to be looked at grows for as long as others add.
    @Test func whoAddsLowOnesLooksAtAsMany() {
        let queue = OperationQueue()
        queue.isSuspended = true
        operations[999].queuePriority = .low
        queue.addOperations(operations, waitUntilFinished: false)
        #expect(queue.core.monitor.withLock { queue.core.state.lastAdmitted } == 1_000)
        queue.cancelAllOperations()
        queue.isSuspended = false
    }

    @Test func allAreCancelledWhereSomeWereNotLookedAt() {
        queue.startBarrier()
        queue.add(operations)
        while queue.state.lastAdmitted < queue.state.lastAdded { _ = queue.tell(.admissionWanted) }
        #expect(queue.claim(.barrierEnded) === operations[0])
        let later = (0..<50).map { _ in BlockOperation {} }
        queue.state.receive(queue.adopt(later))
        _ = queue.tell(.dropBarriers)
        _ = queue.tell(.admissionWanted)
        for index in 1..<200 { #expect(queue.claim(queue.end(operations[index - 1])) === operations[index]) }
    }

    @Test func whoeverLooksOnIsToldOfManyBehindABarrierSoon() {
        queue.startBarrier()
        queue.add(operations)
        queue.state.isObserved = true
        #expect(queue.claim(.barrierEnded) === operations[0])
        for index in 1..<20 { #expect(queue.claim(queue.end(operations[index - 1])) === operations[index]) }
        #expect(queue.state.outbox?.events.map(\.kind) == Array(repeating: .ready, count: 1_000))
    }

    /// Nobody but whoever was asked to do so tells of an event.
    @Test(arguments: [false, true]) func whoeverLooksOnIsToldOfManyBehindABarrierWhileNothingStarts(isOfOne: Bool) {
        queue.startBarrier()
        _ = queue.tell(.suspensionSet(true))
        if isOfOne { _ = operations[900].transition(.observe) } else { queue.state.isObserved = true }
        queue.add(operations)
        #expect(!queue.tell(.started, by: .leavingWorker).looksOn, "They wait for the barrier.")
        var (looks, steps) = (queue.tell(.barrierEnded, by: .leavingWorker).looksOn, 0)
        while looks, steps < operations.count {
            #expect(!queue.tell(.started, by: .leavingWorker).looksOn, "Somebody was asked.")
            let before = treated
            looks = queue.tell(.lookedOn).looksOn
            #expect(treated - before <= 2 * most)
            steps += 1
        }
        #expect(!looks)
        let told = queue.state.outbox?.events.map(\.operation) ?? []
        #expect(isOfOne ? told == [operations[900]] : told == operations)
    }

    @Test func whoeverLooksOnAtOneThatBecomesReadyBehindOthersIsToldWhileNothingStarts() {
        let source = BlockOperation {}
        operations[900].addDependency(source)
        queue.startBarrier()
        queue.add(operations)
        while queue.state.lastAdmitted < 1_000 { _ = queue.tell(.admissionWanted) }
        _ = queue.tell(.suspensionSet(true))
        #expect(!queue.tell(.barrierEnded, by: .leavingWorker).looksOn)
        for event in [OperationState.Event.observe, .dependencyMet] { _ = operations[900].transition(event) }
        var looks = queue.tell(.wordsChanged(Woken(operations[900]))).looksOn
        #expect(looks)
        while looks { looks = queue.tell(.lookedOn).looksOn }
        #expect(queue.state.outbox?.events.map(\.operation) == [operations[900]])
    }

    /// It may be in the intake.
    @Test func whoeverLooksOnAtOneThatBecomesReadyOnItsWayInIsToldAndNobodyLooksForLonger() {
        _ = queue.tell(.suspensionSet(true))
        queue.add(queue.operation())
        let observed = operations[0]
        _ = observed.transition(.observe)
        let arriving = queue.adopt([observed])
        #expect(queue.tell(.wordsChanged(Woken(observed)), by: .leavingWorker).looksOn)
        queue.state.receive(arriving)
        #expect(!queue.tell(.lookedOn).looksOn)
        #expect(queue.state.outbox?.events.map(\.operation) == [observed])
        #expect(!queue.tell(.started, by: .leavingWorker).looksOn)
    }

    /// They wait for one that runs: the worker looks for one that does not.
    @Test func manyOfThemCannotStart() {
        let source = BlockOperation {}
        for operation in operations[..<999] { operation.addDependency(source) }
        queue.add(operations)
        let (first, longest) = claim(queue.came)
        #expect(first === operations[999])
        #expect(longest <= 2 * most)
    }

    @Test func manyAreListedWhileTheyLeave() {
        queue.add(operations)
        while queue.state.lastAdmitted < 1_000 { _ = queue.tell(.admissionWanted) }
        var listed: [Operation] = []
        let visits = (0..<2).map { _ in queue.state.members.beginVisit() }
        #expect(queue.state.members.visit(visits[0], upTo: 900, 100, &listed))
        #expect(listed.elementsEqual(operations[..<100], by: ===))
        // Also those that come next.
        for index in 90..<110 { _ = queue.tell(queue.end(operations[index])) }
        while queue.state.members.visit(visits[0], upTo: 900, 100, &listed) {}
        let expected = operations[..<100] + operations[110..<900]
        #expect(listed.elementsEqual(expected, by: ===))
        listed = []
        for operation in operations where !operation.state.isFinished { _ = queue.tell(queue.end(operation)) }
        #expect(!queue.state.members.visit(visits[1], upTo: 900, 100, &listed))
        #expect(listed.isEmpty)
    }

    @Test func whatWasPushedOneByOneIsTakenOutNowAndThen() {
        let queue = OperationQueue()
        queue.isSuspended = true
        for operation in operations { queue.addOperation(operation) }
        let known = queue.core.monitor.withLock { queue.core.state.lastAdded }
        #expect(known > 500, "so many that the state knows of them")
        queue.cancelAllOperations()
        queue.isSuspended = false
    }
}
