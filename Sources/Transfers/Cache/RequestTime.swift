import OperationsCore

/// When the request was sent that an answer came to, on a cache's clock (RFC 9111, 4.2.3).
///
/// It is known when the answer is there: an attempt waits for its turn, as does the request after a redirect, and another attempt
/// may follow. No such wait makes an answer older.
final class RequestTime: Sendable {
    private let clock: WallClock?
    private let time: Lock<Int>

    /// - Parameter clock: Tells the time of day; nil where nobody asks for it.
    init(_ clock: WallClock?) {
        self.clock = clock
        time = Lock(clock?.now ?? 0)
    }

    /// Seconds since 1970; of the last request, and before the first one of now.
    var seconds: Int { time.withLock { $0 } }

    /// A download has begun to wait or to transfer.
    @Sendable func note(_ phase: TransferPhase) {
        guard phase == .transferring, let clock else { return }
        let now = clock.now
        time.withLock { $0 = now }
    }
}
