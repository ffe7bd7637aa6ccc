import OperationsCore

/// Whose turn it is.
extension TransferLoop {
    /// The longest that a transfer waits for the disk to say whether it has something of its body.
    private static let longestLookUp = Duration.milliseconds(250)

    /// A transfer is handed over.
    func enter(_ transfer: Transfer) {
        connect(transfer)
        if let turn = transfer.plan.turn?.take(for: transfer.address.origin, in: self) {
            begin(transfer, turn)
        } else {
            wait(transfer, notBefore: transfer.plan.delay > .zero ? time + transfer.plan.delay : nil)
        }
    }

    /// Puts a transfer into its host's line.
    func wait(_ transfer: Transfer, notBefore start: Duration? = nil, isFirst: Bool = false) {
        transfer.plan.enter(.waiting)
        transfer.ticket = schedule.add(
            .transfer(transfer), for: transfer.address.origin, level: transfer.level,
            patience: transfer.plan.longestRetryAfter, notBefore: start, isFirst: isFirst, at: time)
    }

    /// Gives free places to those who wait. Says whether a transfer has begun.
    @discardableResult
    func startWaiting() -> Bool {
        var hasBegun = false
        while let step = schedule.next(at: time) {
            switch step {
            case .start(.transfer(let transfer), let turn):
                transfer.ticket = nil
                begin(transfer, turn)
                hasBegun = true
            case .start(.turn(let request), let turn):
                request.taker.take(
                    schedule.host(of: turn).map { TransferTurn(turn, for: $0, in: self) }, for: request.key)
            case .refuse(.transfer(let transfer), let reason):
                transfer.ticket = nil
                finish(transfer, TransferOutcome(reason, partial: transfer.plan.partial))
            case .refuse(.turn(let request), _):
                request.taker.take(nil, for: request.key)
            }
        }
        if schedule.hasRoom {
            let takers = hungry
            hungry = []
            for taker in takers { taker.transfersHaveRoom() }
        }
        tellPatient()
        setAlarm()
        return hasBegun
    }

    /// Tells those whose turns all only wait by now.
    private func tellPatient() {
        guard looksAtPatient else { return }
        looksAtPatient = false
        var told: [any TurnTaker] = []
        patient.removeAll { taker, count in
            let onlyWait = schedule.onlyWait(count, at: time) {
                if case .turn(let request) = $0 { request.taker === taker } else { false }
            }
            if onlyWait { told.append(taker) }
            return onlyWait
        }
        for taker in told { taker.turnsOnlyWait() }
    }

    /// Sleeps until the schedule has something to do by itself.
    private func setAlarm() {
        let next = schedule.nextTime
        guard next != alarm?.time else { return }
        alarm?.task.cancel()
        alarm = next.map { time in
            let task = Task { [clock, weak self] in
                await clock.sleep(time)
                if !Task.isCancelled { self?.send(.wake(time)) }
            }
            return (time, task)
        }
    }

    /// Nobody waits for a taker's turns any more.
    func withdraw(_ taker: any TurnTaker) {
        let withdrawn = schedule.removeAll(
            where: { if case .turn(let request) = $0 { request.taker === taker } else { false } }, at: time)
        hungry.removeAll { $0 === taker }
        patient.removeAll { $0.taker === taker }
        for case .turn(let request) in withdrawn { request.taker.take(nil, for: request.key) }
    }

    // MARK: What the disk has

    private func begin(_ transfer: Transfer, _ turn: Schedule.Turn) {
        transfer.turn = turn
        if transfer.wantsLookUp {
            lookUp(transfer)
        } else if let path = transfer.plan.upload?.closedFile {
            open(path, for: transfer)
        } else {
            start(transfer)
        }
    }

    /// Lets the disk's queue reach a transfer on the event thread, until ``finish(_:_:)`` undoes that. Weak references would make
    /// each use of the transfer slower.
    func connect(_ transfer: Transfer) {
        transfer.body.wake = { [self] in resume(transfer) }
        transfer.body.bring = { [self] bytes, observer in send(.show(transfer, bytes, observer)) }
    }

    /// Asks the disk for what it has of a body.
    private func lookUp(_ transfer: Transfer) {
        transfer.state = .lookingUp
        transfer.lookUp { [self, hop = transfer.redirects] partial in
            send(.found(transfer, hop: hop, partial))
        }
        let end = now.advanced(by: Self.longestLookUp)
        lookingUp.append((transfer, end))
        look(by: end)
    }

    /// The disk has said what it has of a body, if the transfer was not cancelled meanwhile.
    func foundNow(_ transfer: Transfer, _ partial: PartialBody?) {
        switch transfer.state {
        case .lookingUp:
            transfer.found(partial)
            start(transfer)
            endLookUps()
        case .running:
            // It was begun without. As long as there is no answer, to ask for the rest costs no more than a connection. Later,
            // the server is faster than the disk.
            if !transfer.hasAnswerBegun, transfer.found(partial) { proceed(with: transfer, .again) }
        case .waiting, .opening, .paused, .done:
            break
        }
    }

    /// Begins without what the disk has those for which it takes too long.
    func endLookUps() {
        while let (transfer, end) = lookingUp.first, transfer.state != .lookingUp || now >= end {
            lookingUp.removeFirst()
            if transfer.state == .lookingUp { start(transfer) }
        }
        look(by: lookingUp.first?.1)
    }

    // MARK: What is sent from the disk

    /// Has the disk's queue open the file that a transfer sends.
    private func open(_ path: String, for transfer: Transfer) {
        transfer.state = .opening
        let opening = BlockOperation { [self] in
            send(.opened(transfer, Result { () throws(TransferError) in try UploadFile(path: path) }))
        }
        // Before the bytes of others that wait to be written.
        opening.queuePriority = .high
        transfer.storage.queue.addOperation(opening)
    }

    /// The file that a transfer sends is open, or cannot be opened. Where the transfer was cancelled meanwhile, the last
    /// reference to the file closes it.
    func openedNow(_ transfer: Transfer, _ file: Result<UploadFile, TransferError>) {
        guard transfer.state == .opening else { return }
        switch file {
        case .success(let file):
            transfer.plan.upload?.takeUp(file)
            start(transfer)
        case .failure(let error):
            giveBackTurn(of: transfer, .none)
            finish(transfer, TransferOutcome(result: .failure(error)))
        }
    }

    // MARK: Bytes a second

    /// Whether a piece of a body may come in now; if not, its transfer is to be paused, and goes on when its turn comes.
    func mayComeIn(of transfer: Transfer) -> Bool {
        guard byteRate?.mayTake(at: now) == false else { return true }
        transfer.pause(at: now)
        throttled.append(transfer)
        look(by: byteRate?.nextTime)
        return false
    }

    /// Lets those go on that were paused, as far as there is room.
    func resumeThrottled() {
        while let rate = byteRate, !throttled.isEmpty {
            guard rate.nextTime <= now, let transfer = throttled.popFirst() else { return look(by: rate.nextTime) }
            resumeNow(transfer)
        }
    }
}

extension TransferOutcome {
    /// Of a transfer whose host did not let it begin.
    fileprivate init(_ refusal: TransferLoop.Schedule.Refusal, partial: PartialBody?) {
        switch refusal {
        // Its operation makes of that what it makes of the host's own answer.
        case .refused(let error, let rest): self.init(result: .failure(error), retryAfter: rest, partial: partial)
        case .givenUp(let error): self.init(result: .failure(.hostResting(after: error)), partial: partial)
        }
    }
}
