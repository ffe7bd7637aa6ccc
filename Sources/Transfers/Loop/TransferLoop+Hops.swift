import CCurl

/// The way of a transfer that has its turn.
extension TransferLoop {
    /// Begins a transfer that has its place.
    func start(_ transfer: Transfer) {
        guard mayAsk(transfer) else { return }
        guard let handle = spare.popLast() ?? EasyHandle(loop: self, configuration: configuration) else {
            giveBackTurn(of: transfer, .none)
            return finish(
                transfer, TransferOutcome(result: .failure(.unreachable("there is no memory for another transfer"))))
        }
        transfer.state = .running
        transfer.handle = handle
        transfer.index = running.count
        running.append(transfer)
        transfer.begin(at: now)
        begin(transfer, on: handle)
    }

    /// Hands one hop to libcurl.
    private func begin(_ transfer: Transfer, on handle: EasyHandle) {
        transfer.timer.connect(at: now)
        transfer.beginHop(at: now)
        handle.attach(to: transfer)
        curl_multi_add_handle(multi, handle.pointer)
        lookAgain(at: transfer)
    }

    /// A request of a transfer is about to be sent. Says whether it may be, by the requests that its host may get.
    func maySend(_ transfer: Transfer) -> Bool {
        guard var turn = transfer.turn else { return true }
        // By the time of now, as a round can take long.
        let maySend = schedule.maySend(&turn, at: clock.elapsed())
        transfer.turn = turn
        transfer.isHeldBack = !maySend
        return maySend
    }

    func giveBackTurn(of transfer: Transfer, _ sign: HostHealth.Sign) {
        guard let turn = transfer.turn.take(), let rest = schedule.finished(turn, sign, at: time) else { return }
        looksAtPatient = true
        configuration.whenHostRests?(
            "\(rest.host.scheme)://\(rest.host.host):\(rest.host.port)", rest.length, rest.reason)
    }

    func cancelNow(_ transfer: Transfer) {
        switch transfer.state {
        case .waiting, .lookingUp, .opening:
            if let ticket = transfer.ticket.take() { schedule.remove(ticket, at: time) }
            giveBackTurn(of: transfer, .none)
            if configuration.obeysRobots, !transfer.plan.isForRobots { stopAsking(for: transfer) }
            finish(transfer, TransferOutcome(result: .failure(.cancelled), partial: transfer.plan.partial))
        case .running, .paused:
            let outcome = TransferOutcome(
                result: .failure(.cancelled), received: transfer.handle?.bytesReceived ?? 0,
                metrics: transfer.metrics(at: now), partial: transfer.takePartial())
            release(transfer, .none)
            finish(transfer, outcome)
        case .done:
            break
        }
    }

    func resumeNow(_ transfer: Transfer) {
        guard transfer.state == .paused, let handle = transfer.handle else { return }
        transfer.state = .running
        transfer.timer.go(at: now)
        look(by: transfer.timer.deadline)
        // Delivers what waits at once, which may pause the transfer again. Where that fails, libcurl only says so here
        // and would go on with a gap in the body.
        let code = curl_easy_pause(handle.pointer, CURLPAUSE_CONT)
        if code != CURLE_OK { ended(transfer, on: handle, code) }
    }

    /// libcurl is done with a hop.
    func ended(_ transfer: Transfer, on handle: EasyHandle, _ code: CURLcode) {
        handle.hopEnded()
        let isWhole = code == CURLE_OK && transfer.plan.upload == nil && handle.announcesItsEnd
        if isWhole, let socket = handle.claim?.socket, socket >= 0 {
            connections.wasWhole(over: socket, from: transfer.address.origin)
        }
        if transfer.shortage == nil { transfer.shortage = Shortage(behind: code) }
        let next = transfer.next(at: now) { headEnded, answered in
            guard code != CURLE_OK else { return nil }
            let text = handle.errorMessage
            return CurlFailure(code: code, text: text, headEnded: headEnded, answered: answered)
                .error(limits: transfer.plan.limits)
        }
        proceed(with: transfer, next)
    }

    func proceed(with transfer: Transfer, _ next: Transfer.Next) {
        switch next {
        case .finish(let result):
            var outcome = TransferOutcome(result: result, received: transfer.handle?.bytesReceived ?? 0)
            if case .failure(.http) = result {
                outcome.retryAfter = transfer.handle?.retryAfter
                outcome.exchange = transfer.exchange
            }
            outcome.metrics = transfer.metrics(at: now)
            if transfer.plan.upload != nil { outcome.entityTag = transfer.handle?.header("ETag") }
            switch result {
            // Here and not with the result, which goes over other threads, so that it counts before another transfer begins.
            // After a 304 the body is yet to come, from the cache or by another transfer.
            case .success(let response): if response.statusCode != 304 { transfer.plan.flow?.didReceiveAll() }
            case .failure(let error) where error.isTransient: outcome.partial = transfer.takePartial()
            case .failure: transfer.dropBody()
            }
            outcome.hasMetLostNetwork = hasMetLostNetwork(transfer, result)
            let saysNothing = outcome.hasMetLostNetwork || transfer.shortage != nil
            release(transfer, saysNothing ? .none : HostHealth.Sign(outcome))
            finish(transfer, outcome)
        case .again:
            if transfer.turn?.isUsedUp == true { return lineUp(transfer, .none) }
            guard let handle = transfer.handle else { return }
            // Its look-up cannot be taken over; what it finds serves the next turn.
            if handle.isLookingUp { return lineUp(transfer, .none, isFirst: true) }
            curl_multi_remove_handle(multi, handle.pointer)
            begin(transfer, on: handle)
        case .redirect: lineUp(transfer, .answered)
        }
    }

    /// Has a transfer wait for another turn.
    private func lineUp(_ transfer: Transfer, _ sign: HostHealth.Sign, isFirst: Bool = false) {
        release(transfer, sign)
        transfer.state = .waiting
        transfer.plan.upload?.close()
        transfer.timer.stop(at: now)
        wait(transfer, isFirst: isFirst)
    }

    /// Takes a transfer from libcurl, which closes its connection if the transfer is not complete.
    private func release(_ transfer: Transfer, _ sign: HostHealth.Sign) {
        guard let handle = transfer.handle.take() else { return }
        transfer.stopDecoding()
        if !abandonLookUp(of: transfer, on: handle) {
            curl_multi_remove_handle(multi, handle.pointer)
            // After libcurl, which has now closed a connection that is amid an answer.
            if let claim = handle.claim { connections.release(claim, at: now) }
            recycle(handle)
        }
        giveBackTurn(of: transfer, sign)
        let last = running.removeLast()
        if last !== transfer {
            running[transfer.index] = last
            last.index = transfer.index
        }
    }

    /// Keeps a handle that libcurl does not have for another transfer.
    func recycle(_ handle: EasyHandle) {
        handle.detach()
        if !handle.isUsedUp { spare.append(handle) }
    }

    func finish(_ transfer: Transfer, _ outcome: TransferOutcome) {
        transfer.state = .done
        transfer.body.disconnect()
        transfer.plan.upload?.close()
        guard let disk = transfer.body.takeDisk() else { return transfer.plan.whenEnded(outcome) }
        // When the disk has all of it, or its file is gone: nothing of a transfer that has failed stays behind its end. Who cancels
        // waits only for what is kept.
        let whenEnded = transfer.plan.whenEnded
        let isKept = transfer.storage.partials != nil && outcome.partial?.isSecret == false
        switch outcome.result {
        case .failure(.cancelled) where !isKept:
            disk.discard()
            var outcome = outcome
            outcome.partial = nil
            whenEnded(outcome)
        case .success(let response):
            disk.take { [outcome] body in
                var outcome = outcome
                outcome.result = body.map { body in
                    var response = response
                    response.body = body
                    return response
                }
                whenEnded(outcome)
            }
        case .failure where outcome.partial != nil:
            disk.close { [outcome] file in
                var outcome = outcome
                if file == nil { outcome.partial = nil }
                outcome.partial?.body = BodyStore(file: file)
                whenEnded(outcome)
            }
        case .failure:
            disk.discard { [outcome] in whenEnded(outcome) }
        }
    }
}

extension HostHealth.Sign {
    /// What the end of a transfer says about its host.
    init(_ outcome: TransferOutcome) {
        switch outcome.result {
        case .success, .failure(.tooLarge), .failure(.disallowed(by: .tag)): self = .answered
        case .failure(let error):
            switch error {
            case .unreachable, .timeout: self = .failed(error)
            case .http(429): self = .failed(error, retryAfter: outcome.retryAfter)
            case .http(503): self = .failed(error, retryAfter: outcome.retryAfter)
            case .http(let status) where status >= 500: self = .failed(error)
            case .http: self = .answered
            default: self = .none
            }
        }
    }
}
