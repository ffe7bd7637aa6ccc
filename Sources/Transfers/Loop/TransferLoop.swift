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
    typealias Schedule = TransferSchedule<WebAddress.Origin, Waiting>

    /// Who waits in the schedule.
    enum Waiting {
        case transfer(Transfer)
        case turn(TurnRequest)
    }

    /// What other threads want. What is large is in a box, so that the small ones, of which there are many, are quickly copied.
    enum Command {
        case start(Transfer)
        case cancel(Transfer)
        case resume(Transfer)
        case prioritise(Transfer, level: Int)
        case observe(Transfer, any BodyObserver)
        indirect case found(Transfer, hop: Int, PartialBody?)
        indirect case opened(Transfer, Result<UploadFile, TransferError>)
        indirect case show(Transfer, Data, any BodyObserver)
        indirect case requestTurn(TurnRequest, WebAddress.Origin, level: Int, patience: Duration, delay: Duration)
        case prioritiseTurn(TurnRequest, level: Int)
        case withdrawTurn(TurnRequest)
        case giveBack(Schedule.Turn)
        indirect case robots(WebAddress.Origin, TransferOutcome, plan: TransferPlan, TransferStorage)
        case withdrawTurns(any TurnTaker)
        case tellWhenTurnsOnlyWait(any TurnTaker, count: Int)
        case suspend(Bool)
        case setWidth(Int)
        case wake(Duration)
        case reached(Bool)
    }

    private struct Mailbox {
        var commands: [Command] = []
        var isStopping = false
    }

    private let mailbox = Lock(Mailbox())
    let multi: UnsafeMutableRawPointer
    let configuration: TransferClient.Configuration
    let clock: LoopClock
    /// What other threads may know of it.
    private let shown = Lock(TransferActivity())
    /// The event thread's own id, zero before it runs.
    private let thread = Atomic<UInt>(0)

    // MARK: Of the event thread

    /// The time of the current round; exact enough for limits, and free to read in every callback.
    @exclusivity(unchecked) private(set) var now = SteadyTime.now
    /// The same on the client's clock, which the schedule goes by.
    @exclusivity(unchecked) private(set) var time = Duration.zero
    /// What is known about open connections.
    let connections = ConnectionLedger()
    @exclusivity(unchecked) var schedule: Schedule
    @exclusivity(unchecked) var running: [Transfer] = []
    @exclusivity(unchecked) var spare: [EasyHandle] = []
    /// Those on which libcurl looks up names although their transfers are over.
    @exclusivity(unchecked) var abandoned: [EasyHandle] = []
    /// Transfers that wait for the disk, in order, with the times at which they begin without it; also some that do not any
    /// more.
    @exclusivity(unchecked) var lookingUp: [(Transfer, Instant)] = []
    /// What may still come in, where that is limited, and who waits for it.
    @exclusivity(unchecked) var byteRate: ByteRate?
    @exclusivity(unchecked) var throttled = Line<Transfer>()
    /// What hosts let be fetched, and what we are called there.
    @exclusivity(unchecked) var robots = RobotsFiles()
    let robotsToken: String
    /// Who is to be told, once, that there is room.
    @exclusivity(unchecked) var hungry: [any TurnTaker] = []
    /// Who is to be told, once, when so many turns of theirs, which are all, only wait.
    @exclusivity(unchecked) var patient: [(taker: any TurnTaker, count: Int)] = []
    /// Whether that may have become so of one of them.
    @exclusivity(unchecked) var looksAtPatient = false
    /// Who sleeps until the schedule has something to do.
    @exclusivity(unchecked) var alarm: (time: Duration, task: Task<Void, Never>)?
    /// Whether something came in this round, or libcurl was about to read it.
    @exclusivity(unchecked) var hasReceived = false
    /// When something came last over the network, where somebody wants to know.
    @exclusivity(unchecked) var lastReceived = SteadyTime.now
    /// Whether this machine has its network; nil where transfers do not wait for it.
    @exclusivity(unchecked) var connectivity: Connectivity?
    /// When the running transfers' clocks are to be looked at; never later than the first that runs out.
    @exclusivity(unchecked) private var nextLook: Instant?

    /// The shortest time between two looks at all clocks.
    private static let lookInterval = Duration.milliseconds(10)

    /// Starts the thread; nil if the system has no room for one.
    static func start(_ configuration: TransferClient.Configuration) -> TransferLoop? {
        guard CurlLibrary.isReady, let multi = curl_multi_init() else { return nil }
        // Without descriptors for that libcurl makes one that nobody can wake.
        guard curl_multi_wakeup(multi) == CURLM_OK else {
            curl_multi_cleanup(multi)
            return nil
        }
        RuntimeTimers.begin()
        let loop = TransferLoop(multi: multi, configuration: configuration)
        // The closure is what keeps the loop alive; were it not started, the loop would clean up after itself.
        return ClientThread.start { loop.run() } ? loop : nil
    }

    private init(multi: UnsafeMutableRawPointer, configuration: TransferClient.Configuration) {
        self.multi = multi
        self.configuration = configuration
        clock = LoopClock(configuration.clock)
        robotsToken = RobotsRules.token(of: configuration.userAgent.utf8)
        schedule = Schedule(
            configuration.scheduleLimits, isLastFirst: configuration.startsLastFirst,
            isName: { IPAddress($0.host) == nil }, isOwn: { $0 == .localFiles },
            isNear: configuration.isNear, pace: \.pace)
        byteRate = configuration.bytesPerSecond.map { ByteRate(perSecond: $0, at: .now) }
        connectivity = configuration.waitsForConnectivity ? Connectivity(configuration.hasDefaultRoute) : nil
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.connectionsInAll)
    }

    deinit {
        alarm?.task.cancel()
        spare.removeAll()
        // The resolver is not waited for.
        for handle in abandoned { curl_multi_remove_handle(multi, handle.pointer) }
        abandoned.removeAll()
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

    /// Changes how urgent a transfer is, from 0 to 4.
    func prioritise(_ transfer: Transfer, level: Int) { send(.prioritise(transfer, level: level)) }

    /// Shows a transfer's body to one more.
    func observe(_ transfer: Transfer, _ observer: any BodyObserver) { send(.observe(transfer, observer)) }

    /// Has somebody wait for a turn, after a delay.
    func requestTurn(
        _ request: TurnRequest, _ origin: WebAddress.Origin, level: Int, patience: Duration, delay: Duration
    ) {
        send(.requestTurn(request, origin, level: level, patience: patience, delay: delay))
    }

    /// Changes how urgent a turn is, from 0 to 4.
    func prioritise(_ request: TurnRequest, level: Int) { send(.prioritiseTurn(request, level: level)) }

    /// Ends the waiting for one turn that was asked for, without a word to its taker.
    func withdraw(_ request: TurnRequest) { send(.withdrawTurn(request)) }

    /// A turn is not needed.
    func giveBack(_ turn: Schedule.Turn) { send(.giveBack(turn)) }

    /// Ends the waiting for turns.
    func withdrawTurns(of taker: any TurnTaker) { send(.withdrawTurns(taker)) }

    /// Tells a taker when all its turns only wait.
    func tellWhenTurnsOnlyWait(_ taker: any TurnTaker, count: Int) { send(.tellWhenTurnsOnlyWait(taker, count: count)) }

    /// Starts no transfers for now, or starts them again.
    func suspend(_ isSuspended: Bool) { send(.suspend(isSuspended)) }

    /// Changes how many transfers run at once.
    func setWidth(_ width: Int) { send(.setWidth(width)) }

    /// What is going on.
    var activity: TransferActivity { shown.withLock { $0 } }

    /// Ends the thread. Nothing may be submitted afterwards.
    func stop() {
        mailbox.withLock { mailbox in
            mailbox.isStopping = true
            curl_multi_wakeup(multi)
        }
    }

    func send(_ command: Command) {
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
            time = clock.elapsed()
            let isStopping = takeCommands()
            startWaiting()
            if isStopping && running.isEmpty { return }
            var count: Int32 = 0
            curl_multi_perform(multi, &count)
            takeMessages()
            lookAtClocks()
            // What has ended may hold back the others.
            guard mailbox.withLock({ $0.commands.isEmpty }) else { continue }
            // Whoever has just begun has a request to send, which needs no waiting.
            if startWaiting() { continue }
            show()
            guard mailbox.withLock({ $0.commands.isEmpty }) else { continue }
            sleep()
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
            // Who cancels a transfer may be faster than who submits it.
            case .start(let transfer): if transfer.state != .done { enter(transfer) }
            case .cancel(let transfer): cancelNow(transfer)
            case .resume(let transfer): resumeNow(transfer)
            case .prioritise(let transfer, let level):
                transfer.level = level
                if let ticket = transfer.ticket { schedule.setLevel(level, of: ticket, at: time) }
            case .observe(let transfer, let observer): transfer.observe(observer)
            case .found(let transfer, let hop, let partial):
                // What an earlier address has is of no use after a redirect.
                if hop == transfer.redirects { foundNow(transfer, partial) }
            case .opened(let transfer, let file): openedNow(transfer, file)
            case .show(let transfer, let bytes, let observer):
                if transfer.show(bytes, to: observer) { resumeNow(transfer) }
            case .requestTurn(let request, let origin, let level, let patience, let delay):
                if request.isOneOfMany, !hungry.contains(where: { $0 === request.taker }) {
                    hungry.append(request.taker)
                }
                request.ticket = schedule.add(
                    .turn(request), for: origin, level: level, patience: patience,
                    notBefore: delay > .zero ? time + delay : nil, at: time)
            case .prioritiseTurn(let request, let level):
                if let ticket = request.ticket { schedule.setLevel(level, of: ticket, at: time) }
            case .withdrawTurn(let request):
                if let ticket = request.ticket { schedule.remove(ticket, at: time) }
            case .robots(let origin, let outcome, let plan, let storage):
                robotsEnded(origin, outcome, like: plan, storage)
            case .giveBack(let turn): schedule.finished(turn, .none, at: time)
            case .withdrawTurns(let taker): withdraw(taker)
            case .tellWhenTurnsOnlyWait(let taker, let count):
                patient.removeAll { $0.taker === taker }
                patient.append((taker, count))
                looksAtPatient = true
            case .suspend(let isSuspended): schedule.isSuspended = isSuspended
            case .setWidth(let width): schedule.setWidth(width)
            // The round that follows is what is wanted.
            case .wake(let time): if alarm?.time == time { alarm = nil }
            case .reached(let isAnyThere): reached(isAnyThere)
            }
        }
        return isStopping
    }

    /// Tells other threads what is going on.
    private func show() {
        var activity = TransferActivity()
        activity.running = schedule.running
        activity.waiting = schedule.waiting
        activity.restingHosts = schedule.classes.atRest
        activity.givenUpHosts = schedule.classes.givenUp
        activity.workingHosts = schedule.classes.working
        activity.isWaitingForConnectivity = connectivity.map { $0.isLost && $0.isWaiting } ?? false
        shown.withLock { $0 = activity }
    }

    private func takeMessages() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let code = ccurl_message_result(message)
            var context: UnsafeMutableRawPointer?
            ccurl_get_pointer(message.pointee.easy_handle, CURLINFO_PRIVATE, &context)
            guard let handle = EasyHandle.from(context) else { continue }
            guard let transfer = handle.transfer else {
                abandonedLookUpEnded(on: handle)
                continue
            }
            hasReceived = true
            ended(transfer, on: handle, code)
        }
    }

    // MARK: Sleeping

    /// Waits for the sockets, the clocks and other threads.
    ///
    /// libcurl 7.88 takes all that a connection has, and has a timer bring it back to the streams of HTTP/2 that it has not
    /// handed over yet. It loses that timer where it set it less than a millisecond after a round began in which an older one ran
    /// out (`add_next_timeout` compares in whole milliseconds). The end of a body would then come when something else wakes this
    /// thread. After a round in which something came there is therefore another one before the wait.
    private func sleep() {
        let mayHaveMore = hasReceived && connections.http2Count > 0
        var readable: Int32 = 0
        connections.watch { sockets, count in
            curl_multi_poll(multi, sockets, count, mayHaveMore ? 0 : pollTimeout(), &readable)
        }
        hasReceived = readable > 0
    }

    private func lookAtClocks() {
        guard let due = nextLook, now >= due else { return }
        nextLook = nil
        endLookUps()
        resumeThrottled()
        lookForNetwork()
        // Backwards, because who is done is replaced by the last.
        for index in running.indices.reversed() {
            let transfer = running[index]
            transfer.lookAtAcknowledged(at: now)
            if let error = transfer.timer.expired(at: now) ?? transfer.overheadFault {
                proceed(with: transfer, transfer.next(at: now) { _, _ in error })
            } else {
                lookAgain(at: transfer)
            }
        }
        nextLook = nextLook.map { max($0, now.advanced(by: Self.lookInterval)) }
    }

    /// Has the clocks looked at when one of a transfer's can run out.
    func lookAgain(at transfer: Transfer) {
        look(by: transfer.timer.deadline)
        if transfer.overhead != nil { look(by: now.advanced(by: ChunkOverhead.interval)) }
        if transfer.plan.upload != nil { look(by: now.advanced(by: Transfer.acknowledgementInterval)) }
        if connectivity != nil { look(by: now.advanced(by: AnsweringHosts.silence)) }
    }

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
