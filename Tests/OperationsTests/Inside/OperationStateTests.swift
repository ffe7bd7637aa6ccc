import Testing

@testable import OperationsCore

/// The word's state machine, without an operation or a thread.
@Suite struct OperationStateTests {
    private func run(_ events: OperationState.Event...) -> (OperationState, OperationState.Actions) {
        var state = OperationState()
        var actions: OperationState.Actions = []
        for event in events { actions = state.apply(event) }
        return (state, actions)
    }

    @Test func enqueuedWithoutDependenciesIsReady() {
        let (state, actions) = run(.adopt, .enqueue(mayClaim: false))
        #expect(state.phase == .ready)
        #expect(actions == [.accepted, .reconcile])
    }

    /// All phases fit into the field, and it keeps to itself.
    @Test func aPhaseIsReadAsItWasWritten() {
        let (field, phases) = (UInt8(0)...15, (UInt8.min...UInt8.max).compactMap { OperationState.Phase(rawValue: $0) })
        #expect(phases.allSatisfy { field.contains($0.rawValue) })
        for value in field {
            guard let phase = OperationState.Phase(rawValue: value) else { continue }
            for others in [UInt64(0), ~0xF] {
                var state = OperationState(rawValue: others | UInt64(value))
                #expect(state.phase == phase)
                #expect(state.phase.rawValue == value)
                // From each to each, and nothing else is touched.
                for next in phases {
                    state.phase = next
                    #expect(state.phase == next)
                    #expect(state.rawValue == others | UInt64(next.rawValue))
                }
            }
        }
    }

    @Test func adoptingTwiceIsRefused() {
        #expect(run(.adopt, .adopt).1 == [])
        #expect(run(.adopt, .enqueue(mayClaim: false), .adopt).1 == [])
        #expect(run(.run, .adopt).1 == [])
    }

    /// A cancellation counts until the work begins, whatever others were told of a `start()` of its own.
    @Test func whatIsCancelledBeforeItsWorkDoesNotWork() {
        let begun: [OperationState.Event] = [.adopt, .enqueue(mayClaim: false), .claim, .begin]
        for events in [begun + [.cancel], begun + [.announce, .cancel]] {
            var state = OperationState()
            for event in events { #expect(state.apply(event).contains(.accepted)) }
            #expect(state.apply(.run).contains(.skipMain))
            #expect(state.apply(.finish).contains(.begins) == false)
        }
    }

    /// Its start is told once: when it says so, when its work begins, or with its end.
    @Test func oneStartIsTold() {
        let begun: [OperationState.Event] = [.adopt, .enqueue(mayClaim: false), .claim, .begin]
        for (events, telling) in [([.run, .finish], 0), ([.announce, .run, .finish], nil), ([.finish], 0)]
            as [([OperationState.Event], Int?)]
        {
            var state = OperationState()
            for event in begun { _ = state.apply(event) }
            let begins = events.map { state.apply($0).contains(.begins) }
            #expect(begins.firstIndex(of: true) == telling)
            #expect(begins.filter { $0 }.count == (telling == nil ? 0 : 1))
        }
    }

    @Test func dependenciesAreCounted() {
        let (waiting, _) = run(.dependencyAdded, .dependencyAdded, .adopt, .enqueue(mayClaim: false), .dependencyMet)
        #expect(waiting.phase == .waiting)
        let (ready, actions) = run(.dependencyAdded, .adopt, .enqueue(mayClaim: false), .dependencyMet)
        #expect(ready.phase == .ready)
        #expect(actions.contains(.reconcile))
    }

    @Test func aDependencyTakesAReadyOneBack() {
        let (state, actions) = run(.adopt, .enqueue(mayClaim: false), .dependencyAdded)
        #expect(state.phase == .waiting)
        #expect(actions.contains(.reconcile))
    }

    @Test func aDependencyDuringTheLastChecksTakesItBack() {
        let (state, actions) = run(.adopt, .enqueue(mayClaim: false), .claim, .dependencyAdded, .begin)
        #expect(state.phase == .waiting)
        #expect(actions == .releaseSlot)
    }

    @Test func aCancelledOneIsStartedOnceToo() {
        let (started, actions) = run(.adopt, .enqueue(mayClaim: false), .claim, .cancel, .beginMain)
        #expect(actions == [.accepted, .skipMain])
        var again = started
        #expect(again.apply(.run) == [], "Whoever it is, a worker is ending it.")
        #expect(run(.adopt, .enqueue(mayClaim: false), .claim, .cancel, .begin, .run, .run).1 == [])
        #expect(run(.cancel, .run).1 == [.accepted, .skipMain])
        #expect(run(.cancel, .run, .run).1 == [])
    }

    @Test func aDependencyAfterTheStartIsRefused() {
        #expect(run(.adopt, .enqueue(mayClaim: false), .claim, .begin, .dependencyAdded).1 == [])
    }

    @Test func cancelledOnesIgnoreDependencies() {
        let (state, actions) = run(.dependencyAdded, .adopt, .enqueue(mayClaim: false), .cancel)
        #expect(state.phase == .ready)
        #expect(actions == [.accepted, .reconcile])
        #expect(run(.dependencyAdded, .cancel, .adopt, .enqueue(mayClaim: false)).0.phase == .ready)
        let (finished, ending) = run(
            .dependencyAdded, .adopt, .enqueue(mayClaim: false), .cancel, .claim, .begin, .run, .finish)
        #expect(finished.isFinished)
        #expect(ending == [.accepted, .leaveQueue, .releaseSlot, .unregister])
    }

    @Test func cancelledOnesSkipMain() {
        #expect(run(.cancel, .run).1 == [.accepted, .skipMain])
        #expect(run(.adopt, .enqueue(mayClaim: false), .claim, .begin, .cancel, .run).1 == [.accepted, .skipMain])
        #expect(run(.run, .cancel).1 == .accepted)
    }

    @Test func cancellingIsOnceAndNotAfterTheFinish() {
        #expect(run(.cancel, .cancel).1 == [])
        let (state, actions) = run(.run, .finish, .cancel)
        #expect(actions == [])
        #expect(!state.isCancelled)
    }

    @Test func cancellationOfExecutionIsDeliveredOnce() {
        #expect(run(.run, .workReturned, .cancel).1 == [.accepted, .cancelExecution])
        #expect(run(.run, .cancel, .workReturned).1 == [.accepted, .cancelExecution])
        #expect(run(.run, .workReturned, .cancel, .cancel).1 == [])
        #expect(run(.run, .cancel, .finish, .workReturned).1 == [])
    }

    @Test func aReportDuringTheQuestionIsNotLost() {
        let (parked, _) = run(.adopt, .enqueue(mayClaim: false), .claim, .park)
        #expect(parked.phase == .parked)
        let (ready, actions) = run(.adopt, .enqueue(mayClaim: false), .claim, .readinessChanged, .park)
        #expect(ready.phase == .ready)
        #expect(actions == [.accepted, .releaseSlot, .reconcile])
        #expect(run(.adopt, .enqueue(mayClaim: false), .claim, .park, .readinessChanged).0.phase == .ready)
        #expect(run(.adopt, .enqueue(mayClaim: false), .claim, .park, .cancel).0.phase == .ready)
        #expect(run(.adopt, .enqueue(mayClaim: false), .claim, .dependencyAdded, .park).0.phase == .waiting)
    }

    @Test func finishingIsOnceAndReleasesThePlaceOnlyIfItWasTaken() {
        #expect(run(.finish, .finish).1 == [])
        #expect(run(.run, .finish).1 == .accepted)
        #expect(run(.adopt, .enqueue(mayClaim: false), .finish).1 == [.accepted, .leaveQueue])
        #expect(run(.adopt, .enqueue(mayClaim: false), .claim, .finish).1 == [.accepted, .leaveQueue, .releaseSlot])
        #expect(run(.adopt, .enqueue(mayClaim: false), .finishOutsideQueue).1 == [])
        #expect(run(.adopt, .finishOutsideQueue, .enqueue(mayClaim: false)).1 == [])
    }

    @Test func finishingTellsWhoeverRegistered() {
        #expect(run(.addDependent, .finish).1 == [.accepted, .meetDependents])
        #expect(run(.addWaiter, .finish).1 == [.accepted, .wakeWaiters])
        #expect(run(.setCompletion, .finish).1 == [.accepted, .runCompletion])
        #expect(run(.finish, .addDependent).1 == [])
        #expect(run(.finish, .addWaiter).1 == [])
    }

    @Test func startingIsOnce() {
        #expect(run(.run).1 == [.accepted, .begins])
        #expect(run(.run, .run).1 == [])
        #expect(run(.dependencyAdded, .run).1 == [])
        #expect(run(.adopt, .enqueue(mayClaim: false), .run).1 == [])
    }

    @Test func aDependencyThatIsMetBetweenTheQuestionAndParkingIsNotLost() {
        let (state, actions) = run(.adopt, .enqueue(mayClaim: false), .claim, .dependencyAdded, .dependencyMet, .park)
        #expect(actions == [.accepted, .releaseSlot, .reconcile])
        #expect(state.phase == .ready, "Nobody would report that it is ready.")
        #expect(run(.adopt, .enqueue(mayClaim: false), .claim, .park).0.phase == .parked)
    }

    @Test func beginningMainIsBeginningAndRunningInOne() {
        let histories: [[OperationState.Event]] = [
            [], [.cancel], [.dependencyAdded], [.dependencyAdded, .cancel], [.finish], [.begin], [.readBlocks],
        ]
        for history in histories {
            var one = run(.adopt, .enqueue(mayClaim: false), .claim).0
            for event in history { _ = one.apply(event) }
            let before = one
            var two = one
            let actions = one.apply(.beginMain)
            if two.apply(.begin).contains(.accepted) {
                #expect(actions == two.apply(.run))
                #expect(one == two)
            } else {
                #expect(actions == [])
                #expect(one == before, "The worker must keep the engine before others may run the operation.")
            }
        }
    }

    @Test func blocksAreSharedOnceTouchedAndNotAfterTheEnd() {
        #expect(!run(.adopt, .enqueue(mayClaim: false)).0.sharesBlocks)
        #expect(run(.addBlock).0.sharesBlocks)
        #expect(run(.run, .readBlocks).0.sharesBlocks)
        #expect(run(.run, .addBlock).1 == [])
        #expect(run(.finish, .readBlocks).1 == [])
        #expect(!run(.finish, .readBlocks).0.sharesBlocks)
    }

    @Test func priorityAndQualityKeepTheRest() {
        let (state, actions) = run(.dependencyAdded, .cancel, .setPriority(4), .setQuality(5), .setPriority(0))
        #expect((state.priorityLevel, state.quality) == (0, 5))
        #expect(state.isCancelled)
        #expect(state.unmetDependencies == 1)
        #expect(actions == .accepted)
        #expect(run(.adopt, .enqueue(mayClaim: false), .setPriority(1)).1 == [.accepted, .reconcile])
        #expect(OperationState().priorityLevel == PriorityLevel.normal)
    }
}
