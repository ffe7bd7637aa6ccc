import OperationsCore

/// What waits for this machine's own network.
extension TransferLoop {
    /// The shortest time before a transfer is tried again that has met a lost network.
    private static let pause = Duration.seconds(1)

    /// Whether a transfer that failed has to wait for the network instead. Nobody is told of it then: it is in line again, from its
    /// present hop on, and neither its attempts nor its host are counted.
    func waitsForNetwork(_ transfer: Transfer, _ error: TransferError) -> Bool {
        // What was sent may have arrived.
        guard connectivity != nil, transfer.plan.upload == nil, error.mayBeLostNetwork,
            connectivity?.didFail(at: now) == true
        else { return false }
        holdForNetwork()
        look(by: connectivity?.nextLook)
        transfer.keepForLater(at: now)
        release(transfer, .none)
        transfer.state = .waiting
        wait(transfer, notBefore: time + Self.pause)
        return true
    }

    /// A host has answered a transfer.
    func hostAnswered(_ transfer: Transfer) { connectivity?.hostAnswered(transfer.hopBegan) }

    /// Looks whether the network is back.
    func lookForNetwork() {
        guard connectivity?.isWaiting == true else { return }
        connectivity?.look(at: now)
        look(by: connectivity?.nextLook)
        holdForNetwork()
    }

    /// Starts nothing while the client is suspended, or its machine has no network.
    func holdForNetwork() {
        schedule.isSuspended = isSuspended || connectivity?.isWaiting == true
    }
}
