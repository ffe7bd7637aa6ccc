/// Whether hosts let us fetch what we are about to fetch, where that is asked.
///
/// The file is asked for with the turn of the first transfer that needs it, which then waits without one: so it takes no place of
/// its own, and nobody waits for a place that is taken by who waits for the file. Until it is there, the host's line stands.
extension TransferLoop {
    /// How far redirects of a robots.txt are followed (RFC 9309, 2.3.1.2).
    private static let mostRedirects = 5
    /// What is read of a file at all; of more than is looked at, the end is left out.
    private static let largestFile = 8_000_000

    /// Whether a transfer that has its turn may ask for its address. If not, it has failed, or waits for the file.
    func mayAsk(_ transfer: Transfer) -> Bool {
        guard configuration.obeysRobots, !transfer.plan.isForRobots, transfer.plan.upload == nil else { return true }
        let origin = transfer.address.origin
        switch robots.entries[origin] {
        case .known(let answer):
            guard let refusal = answer.refusal(of: transfer.address) else { return true }
            giveBackTurn(of: transfer, .none)
            transfer.dropBody()
            finish(transfer, TransferOutcome(result: .failure(refusal)))
        case .asked(var question):
            question.waiting.append(transfer)
            robots.entries[origin] = .asked(question)
            giveBackTurn(of: transfer, .none)
            transfer.state = .waiting
        case nil:
            transfer.state = .waiting
            ask(origin, for: transfer)
        }
        return false
    }

    private func ask(_ origin: WebAddress.Origin, for transfer: Transfer) {
        robots.entries[origin] = .asked(RobotsFiles.Question(for: transfer))
        guard let file = robotsTransfer(origin, like: transfer.plan, transfer.storage), let turn = transfer.turn.take()
        else {
            giveBackTurn(of: transfer, .none)
            return know(origin, .unreachable(.invalidAddress))
        }
        schedule.setHeld(true, origin, at: time)
        connect(file)
        file.turn = turn
        start(file)
    }

    private func robotsTransfer(
        _ origin: WebAddress.Origin, like plan: TransferPlan, _ storage: TransferStorage, after delay: Duration = .zero
    ) -> Transfer? {
        guard let address = try? WebAddress("\(origin.scheme)://\(origin.host):\(origin.port)/robots.txt") else {
            return nil
        }
        var limits = plan.limits
        limits.maxRedirects = Self.mostRedirects
        limits.maxBytes = Self.largestFile
        var file = TransferPlan(
            address: address, limits: limits, addressGuard: plan.addressGuard,
            longestRetryAfter: plan.longestRetryAfter,
            flow: nil
        ) { [weak self] outcome in self?.send(.robots(origin, outcome, plan: plan, storage)) }
        file.isForRobots = true
        // Before all that waits for it; nothing else passes a line that stands.
        file.level = WaitingLine.passing
        file.delay = delay
        return Transfer(file, storage: storage, at: .now)
    }

    /// Asking for a file has come to an end.
    func robotsEnded(
        _ origin: WebAddress.Origin, _ outcome: TransferOutcome, like plan: TransferPlan, _ storage: TransferStorage
    ) {
        guard case .asked(var question) = robots.entries[origin] else { return }
        if case .failure(let error) = outcome.result,
            let delay = question.retries.failed(error, retryAfter: outcome.retryAfter),
            let file = robotsTransfer(origin, like: plan, storage, after: delay)
        {
            robots.entries[origin] = .asked(question)
            return enter(file)
        }
        know(origin, RobotsFiles.Answer(outcome.result, for: robotsToken))
    }

    /// What a file says is known: those that waited go back into their line, to where they were.
    private func know(_ origin: WebAddress.Origin, _ answer: RobotsFiles.Answer) {
        guard case .asked(let question) = robots.entries[origin] else { return }
        robots.entries[origin] = .known(answer)
        schedule.setHeld(false, origin, at: time)
        for transfer in question.waiting.reversed() where transfer.state == .waiting { wait(transfer, isFirst: true) }
    }
}
