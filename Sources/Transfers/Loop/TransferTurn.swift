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

    /// There is room, and nobody among those that wait may have it. Said to those who asked for one turn of many, once until more are
    /// asked for. By default nothing happens.
    func transfersHaveRoom()

    /// All its turns only wait, as ``TransferClient/tellWhenTurnsOnlyWait(_:count:)`` was to tell. By default nothing happens.
    func turnsOnlyWait()
}

extension TurnTaker {
    package func transfersHaveRoom() {}
    package func turnsOnlyWait() {}
}

/// A turn that somebody has asked for.
///
/// What changes is touched by the event thread alone, which makes `@unchecked Sendable` true.
package final class TurnRequest: @unchecked Sendable {
    let taker: any TurnTaker
    let key: Int
    /// Whether the taker asks for more when there is room.
    let isOneOfMany: Bool
    var ticket: TransferLoop.Schedule.Ticket?

    init(taker: any TurnTaker, key: Int, isOneOfMany: Bool) {
        self.isOneOfMany = isOneOfMany
        self.taker = taker
        self.key = key
    }
}

extension TransferClient {
    /// Asks for one of many turns with the host of an address; local files have turns, too, as if all of them were one host's.
    /// - Parameters:
    ///   - key: What the taker knows it by.
    ///   - patience: The longest pause that is waited for if the host asks for it.
    ///   - delay: How long it is not in line before, where it is for another attempt.
    /// - Returns: Nil where there is nothing to wait for, because nothing can be transferred.
    @discardableResult
    package func requestTurn(
        for address: ResourceAddress, of taker: any TurnTaker, key: Int, patience: Duration = .zero,
        after delay: Duration = .zero
    ) -> TurnRequest? {
        guard let origin = address.turnOrigin else { return nil }
        let request = TurnRequest(taker: taker, key: key, isOneOfMany: true)
        return requestTurn(origin, request, level: 2, patience: patience, after: delay)
    }

    func requestTurn(
        _ origin: WebAddress.Origin, _ request: TurnRequest, level: Int, patience: Duration,
        after delay: Duration = .zero
    ) -> TurnRequest? {
        guard let loop else { return nil }
        loop.requestTurn(request, origin, level: level, patience: patience, delay: delay)
        return request
    }

    /// Tells a taker, once, when all its turns wait for another try, for a host that rests, or for one that is being tried after its rest. What
    /// was asked for the same taker before does not count any more.
    ///
    /// - Parameter count: How many turns that are. While it has another number of them, nothing is told.
    package func tellWhenTurnsOnlyWait(_ taker: any TurnTaker, count: Int) {
        loop?.tellWhenTurnsOnlyWait(taker, count: count)
    }

    /// Ends the waiting of a taker's turns.
    package func withdrawTurns(of taker: any TurnTaker) { loop?.withdrawTurns(of: taker) }
}

extension ResourceAddress {
    /// Whose turns transfers from there wait for; nil where nothing can be transferred.
    package var turnOrigin: WebAddress.Origin? {
        switch self {
        case .web(let address): address.origin
        case .file: .localFiles
        case .unusable: nil
        }
    }
}

extension WebAddress.Origin {
    /// Whose turns those are that read from disk.
    static let localFiles = WebAddress.Origin(scheme: "file", host: "127.0.0.1", port: 0)

    /// Whose requests are counted together where requests a second are limited: with the ports that belong to the schemes,
    /// `http` and `https` of one name are one server. Nil for the disk.
    var pace: WebAddress.Origin? {
        if self == .localFiles { return nil }
        return scheme == "https" && port == 443 ? WebAddress.Origin(scheme: "http", host: host, port: 80) : self
    }
}

extension TransferTurn: Hashable {
    package static func == (one: TransferTurn, other: TransferTurn) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
