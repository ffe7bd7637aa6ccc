import CCurl
import Glibc

/// What waits for this machine's own network.
extension TransferLoop {
    /// Whether a transfer that is over has failed because this machine has lost its network. Its host is not blamed then, and whoever
    /// makes the next attempt does not count this one.
    func hasMetLostNetwork(_ transfer: Transfer, _ result: Result<DownloadResponse, TransferError>) -> Bool {
        let mayBe = if case .failure(let error) = result { error.mayBeLostNetwork } else { false }
        // What goes well while nothing is lost, as nearly everything does, costs no more than this.
        guard let connectivity, mayBe || connectivity.isLost, !configuration.isNear(transfer.address.origin) else {
            return false
        }
        // Who refuses a connection is there.
        let isRefused = transfer.handle?.long(CURLINFO_OS_ERRNO) == Int(ECONNREFUSED)
        if transfer.hasAnswerBegun || isRefused { hostAnswered(transfer) }
        // What was sent may have arrived.
        guard mayBe, !isRefused, transfer.plan.upload == nil, self.connectivity?.didFail(at: now) == true else {
            return false
        }
        holdForNetwork()
        look(by: self.connectivity?.nextLook)
        return true
    }

    /// A host on the network has answered a transfer.
    private func hostAnswered(_ transfer: Transfer) {
        connectivity?.hostAnswered(transfer.hopBegan)
        holdForNetwork()
    }

    /// Looks whether the network is back.
    func lookForNetwork() {
        guard connectivity?.isWaiting == true else { return }
        connectivity?.look(at: now)
        look(by: connectivity?.nextLook)
        holdForNetwork()
    }

    /// Begins nothing with hosts on the network while that is lost.
    private func holdForNetwork() { schedule.setOffline(connectivity?.isWaiting == true, at: time) }
}

extension WebAddress.Origin {
    /// Whether it is this machine itself, which it reaches without a network.
    var isNear: Bool {
        if self == .localFiles || host == "localhost" || host.hasSuffix(".localhost") { return true }
        return ["::1", "[::1]"].contains(host) || host.hasPrefix("127.") && IPAddress(host) != nil
    }
}
