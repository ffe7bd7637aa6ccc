import CCurl
import Glibc
import OperationsCore
import Synchronization

import struct FoundationEssentials.Data

/// The event thread: one libcurl multi handle and all transfers of a client.
///
/// What other threads want arrives as commands behind a lock; everything else is touched by the event thread alone,
/// which makes `@unchecked Sendable` true. The thread keeps the loop alive and ends after ``stop()``. What is touched
/// most is not checked for overlapping accesses.
final class TransferLoop: @unchecked Sendable {
    typealias Instant = SteadyTime

    private enum Command {
        case start(Transfer)
        case cancel(Transfer)
        case resume(Transfer)
        case observe(Transfer, any BodyObserver)
        case found(Transfer, hop: Int, PartialBody?)
        case show(Transfer, Data, any BodyObserver)
        case release(WebAddress.Origin)
    }

    private struct Mailbox {
        var commands: [Command] = []
        var isStopping = false
    }

    private let mailbox = Lock(Mailbox())
    private let multi: UnsafeMutableRawPointer
    private let configuration: TransferClient.Configuration
    /// The event thread's own id, zero before it runs.
    private let thread = Atomic<UInt>(0)

    /// The time of the current round; exact enough for limits, and free to read in every callback.
    @exclusivity(unchecked) private(set) var now = SteadyTime.now
    /// What is known about open connections.
    let connections = ConnectionLedger()
    @exclusivity(unchecked) private var schedule: HostSchedule<WebAddress.Origin, Transfer>
    @exclusivity(unchecked) private var refusing: RefusingHosts<WebAddress.Origin>
    @exclusivity(unchecked) private var running: [Transfer] = []
    @exclusivity(unchecked) private var spare: [EasyHandle] = []
    /// Transfers that wait for the disk, in order, with the times at which they begin without it; also some that do not any
    /// more.
    @exclusivity(unchecked) private var lookingUp: [(Transfer, Instant)] = []
    /// When the running transfers' clocks are to be looked at; never later than the first that runs out.
    @exclusivity(unchecked) private var nextLook: Instant?

    /// The shortest time between two looks at all clocks.
    private static let lookInterval = Duration.milliseconds(10)
    /// The longest that a transfer waits for the disk to say whether it has something of its body.
    private static let longestLookUp = Duration.milliseconds(250)
    /// The longest that a host is left alone because it asked for it.
    private static let longestHold = Duration.seconds(60)

    /// Starts the thread; nil if the system has no room for one.
    static func start(_ configuration: TransferClient.Configuration) -> TransferLoop? {
        guard CurlLibrary.isReady, let multi = curl_multi_init() else { return nil }
        let loop = TransferLoop(multi: multi, configuration: configuration)
        // The closure is what keeps the loop alive; were it not started, the loop would clean up after itself.
        return ClientThread.start { loop.run() } ? loop : nil
    }

    private init(multi: UnsafeMutableRawPointer, configuration: TransferClient.Configuration) {
        self.multi = multi
        self.configuration = configuration
        schedule = HostSchedule(perHost: configuration.transfersPerHost, inAll: configuration.transfersInAll)
        refusing = RefusingHosts(clock: configuration.clock)
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(1, configuration.transfersInAll))
    }

    deinit {
        spare.removeAll()
        // Closes what is still open, which the ledger is told.
        curl_multi_cleanup(multi)
    }

    // MARK: From any thread

    /// Takes a transfer over.
    func submit(_ transfer: Transfer) { send(.start(transfer)) }

    /// Ends a transfer as cancelled, unless it is over.
    func cancel(_ transfer: Transfer) { send(.cancel(transfer)) }

    /// Lets a paused transfer ask for room again.
    func resume(_ transfer: Transfer) { send(.resume(transfer)) }

    /// Shows a transfer's body to one more.
    func observe(_ transfer: Transfer, _ observer: any BodyObserver) { send(.observe(transfer, observer)) }

    /// Ends the thread. Nothing may be submitted afterwards.
    func stop() {
        mailbox.withLock { mailbox in
            mailbox.isStopping = true
            curl_multi_wakeup(multi)
        }
    }

    private func send(_ command: Command) {
        let isOwnThread = thread.load(ordering: .relaxed) == pthread_self()
        mailbox.withLock { mailbox in
            mailbox.commands.append(command)
            // The first command wakes the thread; it takes the others along.
            if mailbox.commands.count == 1 && !isOwnThread { curl_multi_wakeup(multi) }
        }
    }

    // MARK: The event thread

    private func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        while true {
            now = SteadyTime.now
            let isStopping = takeCommands()
            startWaiting()
            if isStopping && running.isEmpty { return }
            var count: Int32 = 0
            curl_multi_perform(multi, &count)
            takeMessages()
            lookAtClocks()
            // Whoever has just begun has a request to send, which needs no waiting.
            if startWaiting() { continue }
            guard mailbox.withLock({ $0.commands.isEmpty }) else { continue }
            connections.watch { sockets, count in curl_multi_poll(multi, sockets, count, pollTimeout(), nil) }
        }
    }

    private func takeCommands() -> Bool {
        let (commands, isStopping) = mailbox.withLock { mailbox in
            let commands = mailbox.commands
            mailbox.commands = []
            return (commands, mailbox.isStopping)
        }
        for command in commands {
            switch command {
            case .start(let transfer):
                connect(transfer)
                schedule.add(transfer, for: transfer.address.origin)
            case .cancel(let transfer):
                cancelNow(transfer)
            case .resume(let transfer):
                resumeNow(transfer)
            case .observe(let transfer, let observer):
                transfer.observe(observer)
            case .found(let transfer, let hop, let partial):
                // What an earlier address has is of no use after a redirect.
                if hop == transfer.redirects { foundNow(transfer, partial) }
            case .show(let transfer, let bytes, let observer):
                if transfer.show(bytes, to: observer) { resumeNow(transfer) }
            case .release(let origin):
                schedule.release(origin)
            }
        }
        return isStopping
    }

    /// Gives free places to those who wait. Says whether one has begun.
    @discardableResult
    private func startWaiting() -> Bool {
        var hasBegun = false
        while let transfer = schedule.next() {
            guard transfer.state == .waiting else {
                // It was cancelled while it waited.
                schedule.finished(for: transfer.address.origin)
                continue
            }
            if let rest = refusing.rest(for: transfer.address.origin) {
                refuse(transfer, for: rest)
                continue
            }
            transfer.occupiedOrigin = transfer.address.origin
            if transfer.wantsLookUp {
                lookUp(transfer)
                continue
            }
            start(transfer)
            hasBegun = true
        }
        return hasBegun
    }

    /// Lets the disk's queue reach a transfer on the event thread.
    private func connect(_ transfer: Transfer) {
        transfer.body.wake = { [weak self, weak transfer] in
            if let self, let transfer { resume(transfer) }
        }
        transfer.body.bring = { [weak self, weak transfer] bytes, observer in
            if let self, let transfer { send(.show(transfer, bytes, observer)) }
        }
    }

    /// Asks the disk for what it has of a body.
    private func lookUp(_ transfer: Transfer) {
        transfer.state = .lookingUp
        transfer.lookUp { [weak self, weak transfer, hop = transfer.redirects] partial in
            if let self, let transfer { send(.found(transfer, hop: hop, partial)) }
        }
        let end = now.advanced(by: Self.longestLookUp)
        lookingUp.append((transfer, end))
        look(by: end)
    }

    /// The disk has said what it has of a body, if the transfer was not cancelled meanwhile.
    private func foundNow(_ transfer: Transfer, _ partial: PartialBody?) {
        switch transfer.state {
        case .lookingUp:
            transfer.found(partial)
            start(transfer)
            endLookUps()
        case .running:
            // It was begun without. As long as there is no answer, to ask for the rest costs no more than a connection. Later,
            // the server is faster than the disk.
            if !transfer.hasAnswerBegun, transfer.found(partial) { proceed(with: transfer, .again) }
        case .waiting, .paused, .done:
            break
        }
    }

    /// Begins without what the disk has those for which it takes too long.
    private func endLookUps() {
        while let (transfer, end) = lookingUp.first, transfer.state != .lookingUp || now >= end {
            lookingUp.removeFirst()
            if transfer.state == .lookingUp { start(transfer) }
        }
        look(by: lookingUp.first?.1)
    }

    /// Begins a transfer that has its place.
    private func start(_ transfer: Transfer) {
        guard let handle = spare.popLast() ?? EasyHandle(loop: self, configuration: configuration) else {
            schedule.finished(for: transfer.occupiedOrigin)
            finish(
                transfer, TransferOutcome(result: .failure(.unreachable("there is no memory for another transfer"))))
            return
        }
        transfer.state = .running
        transfer.handle = handle
        transfer.index = running.count
        running.append(transfer)
        transfer.timer.go(at: now)
        begin(transfer, on: handle)
    }

    /// Hands one hop to libcurl.
    private func begin(_ transfer: Transfer, on handle: EasyHandle) {
        transfer.timer.connect()
        transfer.beginHop()
        handle.attach(to: transfer)
        curl_multi_add_handle(multi, handle.pointer)
        look(by: transfer.timer.deadline)
    }

    private func cancelNow(_ transfer: Transfer) {
        switch transfer.state {
        case .waiting:
            finish(transfer, TransferOutcome(result: .failure(.cancelled), partial: transfer.plan.partial))
        case .lookingUp:
            schedule.finished(for: transfer.occupiedOrigin)
            finish(transfer, TransferOutcome(result: .failure(.cancelled), partial: transfer.plan.partial))
        case .running, .paused:
            let outcome = TransferOutcome(
                result: .failure(.cancelled), received: transfer.handle?.bytesReceived ?? 0,
                metrics: transfer.metrics(at: now), partial: transfer.takePartial())
            release(transfer)
            finish(transfer, outcome)
        case .done:
            break
        }
    }

    private func resumeNow(_ transfer: Transfer) {
        guard transfer.state == .paused, let handle = transfer.handle else { return }
        transfer.state = .running
        transfer.timer.go(at: now)
        look(by: transfer.timer.deadline)
        // Delivers what waits at once, which may pause the transfer again. Where that fails, libcurl only says so here
        // and would go on with a gap in the body.
        let code = curl_easy_pause(handle.pointer, CURLPAUSE_CONT)
        if code != CURLE_OK { ended(transfer, on: handle, code) }
    }

    private func takeMessages() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let code = ccurl_message_result(message)
            var context: UnsafeMutableRawPointer?
            ccurl_get_pointer(message.pointee.easy_handle, CURLINFO_PRIVATE, &context)
            guard let handle = EasyHandle.from(context), let transfer = handle.transfer else { continue }
            ended(transfer, on: handle, code)
        }
    }

    /// libcurl is done with a hop.
    private func ended(_ transfer: Transfer, on handle: EasyHandle, _ code: CURLcode) {
        let isWhole = code == CURLE_OK && transfer.plan.upload == nil && handle.announcesItsEnd
        if isWhole, let socket = handle.claim?.socket, socket >= 0 {
            connections.wasWhole(over: socket, from: transfer.address.origin)
        }
        let next = transfer.next(at: now) { headEnded, answered in
            guard code != CURLE_OK else { return nil }
            let text = handle.errorMessage
            return CurlFailure(code: code, text: text, headEnded: headEnded, answered: answered)
                .error(limits: transfer.plan.limits)
        }
        proceed(with: transfer, next)
    }

    private func lookAtClocks() {
        guard let due = nextLook, now >= due else { return }
        nextLook = nil
        endLookUps()
        // Backwards, because who is done is replaced by the last.
        for index in running.indices.reversed() {
            let transfer = running[index]
            if let error = transfer.timer.expired(at: now) {
                proceed(with: transfer, transfer.next(at: now) { _, _ in error })
            } else {
                look(by: transfer.timer.deadline)
            }
        }
        nextLook = nextLook.map { max($0, now.advanced(by: Self.lookInterval)) }
    }

    private func proceed(with transfer: Transfer, _ next: Transfer.Next) {
        switch next {
        case .finish(let result):
            var outcome = TransferOutcome(result: result, received: transfer.handle?.bytesReceived ?? 0)
            if case .failure(.http(let status)) = result, let pause = transfer.handle?.retryAfter {
                outcome.retryAfter = pause
                // This is about all of our requests. Status 503 may be about this one only.
                if status == 429 { leaveAlone(transfer.address.origin, for: pause, after: transfer) }
            }
            if case .failure(.http) = result { outcome.exchange = transfer.exchange }
            outcome.metrics = transfer.metrics(at: now)
            if transfer.plan.upload != nil { outcome.entityTag = transfer.handle?.header("ETag") }
            switch result {
            case .success: break
            case .failure(let error) where error.isTransient: outcome.partial = transfer.takePartial()
            case .failure: transfer.dropBody()
            }
            release(transfer)
            finish(transfer, outcome)
        case .again:
            guard let handle = transfer.handle else { return }
            curl_multi_remove_handle(multi, handle.pointer)
            begin(transfer, on: handle)
        case .redirect:
            release(transfer)
            transfer.state = .waiting
            transfer.timer.stop(at: now)
            schedule.add(transfer, for: transfer.address.origin)
        }
    }

    /// Takes a transfer from libcurl, which closes its connection if the transfer is not complete.
    private func release(_ transfer: Transfer) {
        guard let handle = transfer.handle else { return }
        curl_multi_remove_handle(multi, handle.pointer)
        // After libcurl, which has now closed a connection that is amid an answer.
        if let claim = handle.claim { connections.release(claim, at: now) }
        handle.detach()
        transfer.handle = nil
        // One that has sent something would have to be told to forget all of that.
        if transfer.plan.upload == nil { spare.append(handle) }
        schedule.finished(for: transfer.occupiedOrigin)
        let last = running.removeLast()
        if last !== transfer {
            running[transfer.index] = last
            last.index = transfer.index
        }
    }

    private func finish(_ transfer: Transfer, _ outcome: TransferOutcome) {
        transfer.state = .done
        guard let disk = transfer.body.takeDisk() else { return transfer.plan.whenEnded(outcome) }
        // When the disk has all of it.
        let whenEnded = transfer.plan.whenEnded
        var outcome = outcome
        switch outcome.result {
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
            disk.discard()
            outcome.partial = nil
            whenEnded(outcome)
        }
    }

    /// A host refused `transfer`, and asks for a pause.
    private func leaveAlone(_ origin: WebAddress.Origin, for pause: Duration, after transfer: Transfer) {
        if pause > transfer.plan.longestRetryAfter {
            refusing.insert(origin, for: pause)
        } else {
            hold(origin, for: pause)
        }
    }

    /// Does not begin a transfer whose turn it is, as its host is not to be asked for `rest`.
    private func refuse(_ transfer: Transfer, for rest: Duration) {
        let origin = transfer.address.origin
        schedule.finished(for: origin)
        if rest > transfer.plan.longestRetryAfter {
            // Its operation makes of that what it makes of the host's own answer.
            finish(
                transfer,
                TransferOutcome(
                    result: .failure(.http(status: 429)), retryAfter: rest, partial: transfer.plan.partial))
        } else {
            schedule.add(transfer, for: origin)
            hold(origin, for: rest)
        }
    }

    /// Begins nothing more at a host for a while.
    private func hold(_ origin: WebAddress.Origin, for pause: Duration) {
        schedule.hold(origin)
        Task { [clock = configuration.clock, weak self] in
            try? await clock.sleep(for: min(pause, Self.longestHold))
            self?.send(.release(origin))
        }
    }

    // MARK: Sleeping

    /// Has the clocks looked at when `deadline` is reached.
    func look(by deadline: Instant?) {
        guard let deadline else { return }
        nextLook = nextLook.map { min($0, deadline) } ?? deadline
    }

    private func pollTimeout() -> Int32 {
        guard let nextLook else { return 60_000 }
        return Int32(min(60_000, SteadyTime.now.duration(to: nextLook).wholeMilliseconds))
    }
}
