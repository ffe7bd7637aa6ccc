import OperationsCore
import Testing

@testable import Transfers

@Suite struct RetryScheduleTests {
    private func schedule(retries: Int, longest: Duration = .seconds(60)) -> RetrySchedule {
        var policy = RetryPolicy.transfers(retries: retries)
        policy.backoff.jitter = 0
        return RetrySchedule(policy: policy, longestRetryAfter: longest)
    }

    private func delays(
        _ schedule: inout RetrySchedule, _ errors: [TransferError], retryAfter: Duration? = nil
    ) -> [Duration?] {
        errors.map { schedule.failed($0, retryAfter: retryAfter) }
    }

    @Test func waitsGrowAndEnd() {
        var schedule = schedule(retries: 3)
        let delays = delays(&schedule, [.truncated, .http(status: 503), .unreachable("x"), .truncated])
        #expect(delays == [.milliseconds(500), .seconds(1), .seconds(2), nil])
        #expect(schedule.failures.count == 4)
    }

    @Test func theServersWishMakesThemLonger() {
        var asked = schedule(retries: 9, longest: .seconds(20))
        #expect(delays(&asked, [.http(status: 503)], retryAfter: .seconds(7)) == [.seconds(7)])
        #expect(delays(&asked, [.http(status: 429)], retryAfter: .seconds(20)) == [.seconds(20)])
        // A wish for less than the back-off is met by the back-off.
        #expect(delays(&asked, [.http(status: 429)], retryAfter: .milliseconds(1)) == [.seconds(2)])
    }

    @Test func aWishForMoreThanTheLimitIsTheEnd() {
        for retries in [0, 9] {
            var asked = schedule(retries: retries, longest: .seconds(20))
            #expect(delays(&asked, [.http(status: 429)], retryAfter: .seconds(21)) == [nil])
            #expect(asked.failures == [.retryLater(status: 429, after: .seconds(21))])
        }
        // Such a status does not pass, whatever comes with it.
        var missing = schedule(retries: 9)
        #expect(delays(&missing, [.http(status: 404)], retryAfter: .seconds(3_600)) == [nil])
        #expect(missing.failures == [.http(status: 404)])
    }

    @Test(
        arguments: [
            (119, "119 seconds"), (120, "2 minutes"), (3_600, "60 minutes"), (7_140, "119 minutes"), (7_201, "3 hours"),
            (47 * 3_600, "47 hours"), (48 * 3_600, "2 days"), (48 * 3_600 + 1, "3 days"),
        ])
    func theTimeIsNamed(seconds: Int, text: String) {
        let error = TransferError.retryLater(status: 503, after: .seconds(seconds))
        #expect(
            error.description
                == "The server answered with status 503, and asks to wait \(text) before it is asked again.")
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) + .nanoseconds(1), .seconds(Int64.min)])
    func anyTimeIsNamed(wait: Duration) {
        #expect(!TransferError.retryLater(status: 503, after: wait).description.isEmpty)
    }

    /// The limit also runs out while bytes of an answer's head trickle in.
    @Test func theIdleLimitDoesNotSayThatNothingCame() {
        let text = TransferError.timeout(.idle, .seconds(15)).description
        #expect(text == "The server sent no complete answer for 15.0 seconds.")
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524])
    func statusesThatPass(status: Int) { #expect(TransferError.http(status: status).isTransient) }

    @Test(
        arguments: [
            .http(status: 404), .http(status: 501), .http(status: 403), .invalidAddress, .forbiddenAddress(.scheme),
            .tooManyRedirects(limit: 1), .tooLarge(limit: 1), .protocolViolation("x"), .notFound("x"), .cancelled,
            .untrusted("x"),
        ] as [TransferError])
    func whatDoesNotPass(error: TransferError) {
        var schedule = schedule(retries: 5)
        #expect(delays(&schedule, [error]) == [nil])
    }

    @Test func chanceTakesUpToHalf() {
        for _ in 0..<100 {
            var schedule = RetrySchedule(policy: .transfers(retries: 1), longestRetryAfter: .zero)
            let delay = schedule.failed(.truncated, retryAfter: nil) ?? .zero
            #expect((.milliseconds(250)...Duration.milliseconds(500)).contains(delay))
        }
    }
}
