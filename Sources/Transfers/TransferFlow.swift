/// Holds transfers back while their bytes have no room, so that downloads cannot outrun what consumes them.
public protocol TransferFlow: AnyObject, Sendable {
    /// Whether a transfer may hold `bytes` bytes of its body in all.
    ///
    /// Asked before bytes are stored: ahead in steps of up to 4 MB where the length was announced, otherwise for every
    /// piece that arrives, with the sum so far. A larger number replaces what was granted before. After `false` the
    /// transfer pauses and asks again when ``TransferOperation/resumeTransfer()`` was called. Answers on one of the
    /// client's own threads, on which all its transfers wait meanwhile: decide, do not block.
    /// - Parameter bytes: how many bytes of the body would be held then, at most ``TransferLimits/maxBytes``.
    func mayReceive(upTo bytes: Int) -> Bool

    /// What was received is dropped: the transfer failed, and is going to be tried again from the start.
    ///
    /// Answers on one of the client's threads. By default nothing happens.
    func didDropBody()

    /// The transfer failed and is going to be tried again, perhaps much later: until it asks again, nobody may wait for it to get on.
    ///
    /// Answers on one of the client's threads. By default nothing happens.
    func willTryAgain()

    /// All of the body is there, from the network, the cache or a file. May be said more than once.
    ///
    /// Of a body from the network it is said before another transfer begins, so who holds transfers back by it lets none too many
    /// begin. Answers on one of the client's threads. By default nothing happens.
    func didReceiveAll()
}

extension TransferFlow {
    public func didDropBody() {}
    public func willTryAgain() {}
    public func didReceiveAll() {}
}
