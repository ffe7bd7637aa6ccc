import Testing

@testable import Transfers

/// What is known of one hop says nothing of the next.
@Suite struct HopTests {
    @Test func aRequestThatWasNotSentIsSentAgainOnce() throws {
        let plan = TransferPlan(
            address: try WebAddress("http://a/"), limits: .test, addressGuard: .open, longestRetryAfter: .zero,
            flow: nil
        ) { _ in }
        let transfer = Transfer(plan, storage: TransferStorage(.init()), at: .now)
        transfer.metStaleConnection = true
        transfer.isHeldBack = true
        guard case .again = transfer.next(at: .now, failure: { _, _ in .cancelled }) else {
            Issue.record("it was not sent")
            return
        }
        #expect(transfer.needsFreshConnection)
        guard case .finish(.failure(.cancelled)) = transfer.next(at: .now, failure: { _, _ in .cancelled }) else {
            Issue.record("the second one was")
            return
        }
    }
}
