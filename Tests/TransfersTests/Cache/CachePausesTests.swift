import Testing

@testable import Transfers

@Suite struct CachePausesTests {
    @Test func aFailureIsFollowedByHalfAMinute() {
        var pauses = CachePauses()
        #expect(pauses.mayOpen(at: .zero) && pauses.mayWrite(at: .zero))
        pauses.cannotWrite(at: .seconds(5))
        #expect(pauses.mayOpen(at: .seconds(6)) && !pauses.mayWrite(at: .seconds(34)))
        #expect(pauses.mayWrite(at: .seconds(35)))
        pauses.cannotOpen(at: .seconds(40))
        #expect(!pauses.mayOpen(at: .seconds(69)) && !pauses.mayWrite(at: .seconds(69)))
        #expect(pauses.mayOpen(at: .seconds(70)) && pauses.mayWrite(at: .seconds(70)))
    }

    @Test func whoWritesWithoutEndIsWaitedForOnceInAWhile() {
        var pauses = CachePauses()
        let patience = pauses.patience
        pauses.othersWrite(at: .zero)
        #expect(pauses.mayOpen(at: .zero) && !pauses.mayWrite(at: .seconds(9)) && pauses.mayWrite(at: .seconds(10)))
        #expect(!pauses.isLong && pauses.patience == patience)
        pauses.othersWrite(at: .seconds(10))
        #expect(pauses.isLong && pauses.patience < patience)
        pauses.othersHaveEnded()
        #expect(!pauses.isLong && pauses.patience == patience)
    }

    /// Who makes it mostly has done so by the next request.
    @Test func whoMakesItIsNotTakenForOneWhoWritesWithoutEnd() {
        var pauses = CachePauses()
        pauses.othersOpen(at: .zero)
        #expect(pauses.mayOpen(at: .zero) && !pauses.isLong)
        pauses.othersOpen(at: .zero)
        #expect(!pauses.mayOpen(at: .seconds(9)) && pauses.mayOpen(at: .seconds(10)) && pauses.isLong)
        pauses.othersHaveEnded()
        #expect(!pauses.isLong)
    }
}
