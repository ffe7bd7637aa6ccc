/// Whether hosts let us fetch what we are about to fetch, where that is asked.
///
/// The file is asked for with the turn of the first transfer that needs it, which then waits without one: so it takes no place of
/// its own, and nobody waits for a place that is taken by who waits for the file. Until it is there, the host's line stands.
extension TransferLoop {
    /// How far redirects of a robots.txt are followed (RFC 9309, 2.3.1.2).
    private static let mostRedirects = 5

    /// Whether a transfer that has its turn may ask for its address. If not, it has failed, or waits for the file.
    func mayAsk(_ transfer: Transfer) -> Bool {
        guard configuration.obeysRobots, !transfer.plan.isForRobots, transfer.plan.upload == nil else { return true }
        let origin = transfer.address.origin
        if robots.asked[origin] != nil {
            robots.asked[origin]?.waiting.append(transfer)
            giveBackTurn(of: transfer, .none)
            transfer.state = .waiting
        } else if let answer = robots.answer(of: origin, at: time) {
            guard let refusal = answer.refusal(of: transfer.address) else { return true }
            giveBackTurn(of: transfer, .none)
            refuse(transfer, refusal)
        } else {
            transfer.state = .waiting
            ask(origin, for: transfer)
        }
        return false
    }

    private func ask(_ origin: WebAddress.Origin, for transfer: Transfer) {
        robots.asked[origin] = RobotsFiles.Question(for: transfer)
        // A redirect that may not lead to a host may not have it asked for its file either.
        var plan = transfer.plan
        plan.target = transfer.target
        guard let file = robotsTransfer(origin, like: plan, transfer.storage), let turn = transfer.turn.take()
        else {
            giveBackTurn(of: transfer, .none)
            return know(origin, .unreachable(.invalidAddress))
        }
        schedule.setHeld(true, origin, at: time)
        connect(file)
        robots.asked[origin]?.file = file
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
        // It ends by itself when there is more than is looked at.
        limits.maxBytes = .max
        var file = TransferPlan(
            address: address, limits: limits, addressGuard: plan.addressGuard,
            longestRetryAfter: plan.longestRetryAfter,
            flow: nil
        ) { [weak self] outcome in self?.send(.robots(origin, outcome, plan: plan, storage)) }
        file.isForRobots = true
        file.target = plan.target
        // Before all that waits for it; nothing else passes a line that stands.
        file.level = WaitingLine.passing
        file.delay = delay
        return Transfer(file, storage: storage, at: .now)
    }

    /// Asking for a file has come to an end.
    func robotsEnded(
        _ origin: WebAddress.Origin, _ outcome: TransferOutcome, like plan: TransferPlan, _ storage: TransferStorage
    ) {
        // Who cancels it has forgotten it, and somebody else may have asked since.
        guard !outcome.isCancelled, var question = robots.asked[origin] else { return }
        if case .failure(let error) = outcome.result,
            let delay = question.retries.failed(error, outcome)?.delay,
            let file = robotsTransfer(origin, like: plan, storage, after: delay)
        {
            question.file = file
            robots.asked[origin] = question
            return enter(file)
        }
        let answer = RobotsFiles.Answer(outcome.result, for: robotsToken)
        if case .failure(.forbiddenAddress) = outcome.result, outcome.metrics?.redirects == 0,
            let target = plan.target, target.host != origin.host
        {
            return endQuestion(origin, answer) { $0.target == target }
        }
        know(origin, answer)
    }

    /// A transfer that waited does not any more: the file of its host is not fetched for nobody.
    func stopAsking(for transfer: Transfer) {
        let origin = transfer.address.origin
        guard var question = robots.asked[origin] else { return }
        question.waiting.removeAll { $0 === transfer }
        robots.asked[origin] = question
        guard question.waiting.isEmpty, let file = question.file else { return }
        // The others are in the host's line, as may be the file.
        let isInLine = file.ticket != nil && file.address.origin == origin
        guard schedule.waiting(for: origin) == (isInLine ? 1 : 0) else { return }
        robots.asked[origin] = nil
        schedule.setHeld(false, origin, at: time)
        cancelNow(file)
    }

    private func refuse(_ transfer: Transfer, _ refusal: TransferError) {
        transfer.dropBody()
        finish(transfer, TransferOutcome(result: .failure(refusal)))
    }

    /// What a file says is known: those that waited go back into their line, to where they were. Who is refused ends at once, before
    /// the answer is too old: the host may rest for longer.
    private func know(_ origin: WebAddress.Origin, _ answer: RobotsFiles.Answer) {
        guard robots.asked[origin] != nil else { return }
        robots.know(origin, answer, at: time)
        endQuestion(origin, answer) { _ in true }
    }

    /// Ends the waiting for a file. Those whom the answer is not about ask again.
    ///
    /// The guard lets somebody who names a host reach it and somebody whom a redirect has led there not, so that its refusal is
    /// an answer to the latter only.
    private func endQuestion(
        _ origin: WebAddress.Origin, _ answer: RobotsFiles.Answer, isAbout: (Transfer) -> Bool
    ) {
        guard let question = robots.asked.removeValue(forKey: origin) else { return }
        schedule.setHeld(false, origin, at: time)
        for transfer in question.waiting.reversed() where transfer.state == .waiting {
            if isAbout(transfer), let refusal = answer.refusal(of: transfer.address) {
                refuse(transfer, refusal)
            } else {
                wait(transfer, isFirst: true)
            }
        }
    }
}

extension TransferOutcome {
    fileprivate var isCancelled: Bool {
        if case .failure(.cancelled) = result { true } else { false }
    }
}
