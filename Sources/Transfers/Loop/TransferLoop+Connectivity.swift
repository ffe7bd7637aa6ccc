import CCurl
import Glibc

/// What waits for this machine's own network.
extension TransferLoop {
    /// Whether a transfer that is over has failed because this machine has lost its network. Its host is not blamed then, and whoever
    /// makes the next attempt does not count this one.
    func hasMetLostNetwork(_ transfer: Transfer, _ result: Result<DownloadResponse, TransferError>) -> Bool {
        guard connectivity != nil, transfer.shortage == nil, let turn = transfer.turn, !schedule.isNear(turn) else {
            return false
        }
        guard case .failure(let error) = result, error.mayBeLostNetwork else {
            if transfer.hasAnswerBegun { hostAnswered(transfer, isGood: true) }
            return false
        }
        let isSilent = transfer.isSilent(error)
        // Who refuses a connection is there.
        let isRefused =
            if case .unreachable = error {
                isSilent && transfer.handle?.long(CURLINFO_OS_ERRNO) == Int(ECONNREFUSED)
            } else { false }
        if transfer.hasAnswerBegun || isRefused { hostAnswered(transfer, isStill: isRefused || !isSilent) }
        // What was sent may have arrived.
        guard !isRefused, transfer.plan.upload == nil, connectivity?.didFail(at: now) == true else {
            if isSilent { askIfSilent() }
            return false
        }
        holdForNetwork()
        look(by: connectivity?.nextLook)
        return true
    }

    /// A host on the network has answered a transfer.
    ///
    /// - Parameters:
    ///   - isStill: Whether something has come of it just now.
    ///   - isGood: Whether the answer is whole.
    private func hostAnswered(_ transfer: Transfer, isStill: Bool = true, isGood: Bool = false) {
        let wasWaiting = connectivity?.isWaiting
        connectivity?.hostAnswered(transfer.hopBegan, at: isStill ? now : nil)
        if isGood, connectivity?.hosts.wantsPlace(at: now) == true, let place = transfer.place {
            connectivity?.hosts.remember(place, at: now)
        }
        if wasWaiting == true { holdForNetwork() }
    }

    /// Looks whether the network is there.
    func lookForNetwork() {
        guard connectivity?.isWaiting == true else {
            // Before transfers run out of time, so that it is known why.
            if connectivity != nil, running.contains(where: isSilent) { askIfSilent() }
            return
        }
        if connectivity?.look(at: now) == true { reachHosts() }
        look(by: connectivity?.nextLook)
        holdForNetwork()
    }

    /// Whether a transfer has waited for its host for a while. What this machine holds back, or sends, says nothing.
    private func isSilent(_ transfer: Transfer) -> Bool {
        transfer.state == .running && transfer.plan.upload == nil
            && transfer.hopBegan.duration(to: now) >= AnsweringHosts.silence
            && transfer.turn.map { !schedule.isNear($0) } ?? false
    }

    /// A part of an answer has come.
    func received(of transfer: Transfer) {
        hasReceived = true
        guard connectivity != nil, let turn = transfer.turn, !schedule.isNear(turn) else { return }
        lastReceived = now
    }

    /// Has the hosts that have answered reached, where nothing has been heard of anybody for a while.
    private func askIfSilent() {
        guard connectivity?.didHearNothing(since: lastReceived, at: now) == true else { return }
        reachHosts()
        holdForNetwork()
    }

    /// Tries to reach the hosts that have answered.
    private func reachHosts() {
        let places = connectivity?.hosts.places ?? []
        let isAnyThere = configuration.isAnyThere
        let isBegun = ClientThread.start { [weak self] in
            let isAnyThere = isAnyThere(places)
            self?.send(.reached(isAnyThere))
        }
        if !isBegun { reached(true) }
    }

    /// Somebody has tried to reach the hosts that have answered.
    func reached(_ isAnyThere: Bool) {
        connectivity?.reached(isAnyThere, lastHeard: lastReceived, at: now)
        look(by: connectivity?.nextLook)
        holdForNetwork()
    }

    /// Begins nothing with hosts on the network while that is lost.
    private func holdForNetwork() { schedule.setOffline(connectivity?.isWaiting == true, at: time) }
}

extension Transfer {
    /// Whether nothing came back at all. A connection that is closed is an answer.
    fileprivate func isSilent(_ error: TransferError) -> Bool {
        switch error {
        case .timeout: true
        case .unreachable: timer.isConnecting
        default: false
        }
    }

    /// Where its host is; nil behind a proxy.
    fileprivate var place: AnsweringHosts.Place? {
        guard let peer, let port = UInt16(exactly: address.port) else { return nil }
        return AnsweringHosts.Place(host: address.host, address: peer, port: port)
    }
}

extension WebAddress.Origin {
    /// Whether it is this machine itself, which it reaches without a network.
    var isNear: Bool {
        if self == .localFiles || host == "localhost" || host.hasSuffix(".localhost") { return true }
        return ["::1", "[::1]"].contains(host) || host.hasPrefix("127.") && IPAddress(host) != nil
    }
}
