import OperationsCore

/// A place among a client's transfers that is kept for one that is yet to be made; given back where nobody takes it.
///
/// It may be used from any thread.
package final class TransferTurn: Sendable {
    private let loop: TransferLoop
    private let origin: WebAddress.Origin
    private let turn: Lock<TransferLoop.Schedule.Turn?>

    init(_ turn: TransferLoop.Schedule.Turn, for origin: WebAddress.Origin, in loop: TransferLoop) {
        self.turn = Lock(turn)
        self.origin = origin
        self.loop = loop
    }

    deinit { giveBack() }

    /// Leaves the place to others, if it was not taken.
    package func giveBack() {
        if let turn = turn.withLock({ $0.take() }) { loop.giveBack(turn) }
    }

    /// The place, for a transfer with its host; once.
    func take(for origin: WebAddress.Origin, in loop: TransferLoop) -> TransferLoop.Schedule.Turn? {
        origin == self.origin && loop === self.loop ? turn.withLock { $0.take() } : nil
    }
}

/// Who waits for turns without having transfers yet, so that a hundred thousand may wait in little memory.
///
/// Called on the client's event thread, which must not be held up.
package protocol TurnTaker: AnyObject, Sendable {
    /// One that was asked for has come. Nil where its host refuses or has been given up, and after
    /// ``TransferClient/withdrawTurns(of:)``: a transfer would be told why.
    func take(_ turn: TransferTurn?, for key: Int)

    /// There is room, and nobody among those that wait may have it. Said once, until more turns are asked for.
    func transfersHaveRoom()
}

extension TransferClient {
    /// Asks for a turn with the host of an address.
    /// - Parameters:
    ///   - key: What the taker knows it by.
    ///   - patience: The longest pause that is waited for if the host asks for it.
    /// - Returns: False where there is nothing to wait for: no network is needed, or there is none.
    package func requestTurn(
        for address: ResourceAddress, of taker: any TurnTaker, key: Int, patience: Duration
    ) -> Bool {
        guard let loop, case .web(let web) = address else { return false }
        loop.requestTurn(TransferLoop.TurnRequest(taker: taker, key: key), web.origin, patience: patience)
        return true
    }

    /// Ends the waiting of a taker's turns.
    package func withdrawTurns(of taker: any TurnTaker) { loop?.withdrawTurns(of: taker) }
}
