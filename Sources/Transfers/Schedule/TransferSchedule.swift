import OperationsCore

/// Whose turn it is: items wait in lines by host, hosts take turns, and one that rests holds up nobody but itself.
///
/// A plain value; its times are counted from any beginning. ``next(at:)`` hands out what may start, and what is refused because
/// of its host. What is handed out holds a place until ``finished(_:_:at:)``; what waits, for its turn, for its host or for
/// another try, holds none, and takes about a hundred bytes. libcurl has limits of its own, but looks at every transfer it
/// knows in every round; it is only given those that run.
struct TransferSchedule<Host: Hashable, Item> {
    /// Which waiting item is meant.
    typealias Ticket = WaitingItems<Item>.Ticket

    /// A place among those that run; whoever holds it gives it back once.
    struct Turn {
        let host: Int32
        fileprivate let epoch: UInt32
        /// The host's name is being looked up, until ``foundName(_:at:)``.
        fileprivate(set) var lookUp: LookUp?
        /// Whether requests have to keep a pace.
        let isPaced: Bool
        /// Whether its request is yet to be sent, where the pace is kept.
        var isUnsent: Bool

        /// Whether another request needs another turn.
        var isUsedUp: Bool { isPaced && !isUnsent }
    }

    /// A place among the names that are being looked up; whoever holds it gives it back once, with its turn or by itself. The
    /// system cannot be made to end a look-up, so that it may outlast its turn.
    struct LookUp {
        fileprivate let host: Int32
        fileprivate var isParted = false
    }

    enum Step {
        case start(Item, Turn)
        case refuse(Item, Refusal)
    }

    private enum Due {
        case item(Ticket)
        case host(Int32)
    }

    private(set) var limits: ScheduleLimits
    /// Whether what was added last comes first, of equal priority and host.
    private let isLastFirst: Bool
    private let isName: (Host) -> Bool
    private let pace: (Host) -> Host?
    private let isOwn: (Host) -> Bool
    private let isNear: (Host) -> Bool
    var paces: RequestPaces<Host>
    var items = WaitingItems<Item>()
    var hosts = KnownHosts<Host>()
    /// The hosts that may start something, by the priority of what waits there; also some that may not any more.
    private var ready = [Line<Int32>](repeating: Line(), count: WaitingLine.levels)
    /// At which levels there may be some.
    private var readyLevels: UInt8 = 0
    private var lookUpLine = Line<Int32>()
    private var unansweredLine = Line<Int32>()
    var refused = Line<(Item, Refusal)>()
    private var due = DueTimes<Due>()
    private var lookUps = 0
    /// How many run at hosts that have not answered yet, without the first at each.
    private var unanswered = 0

    /// Starts nothing while it is true.
    var isSuspended = false
    /// Whether only what is near is started.
    private var isOffline = false
    private(set) var running = 0
    /// How many items wait, for whatever.
    var waiting: Int { items.count }
    /// How many hosts rest, and how many are at work.
    var classes = HostClasses()
    /// How many hosts are remembered.
    var knownHosts: Int { hosts.count }

    /// An empty schedule.
    /// - Parameters:
    ///   - isName: Whether a host has to be looked up before it is connected to.
    ///   - isOwn: Whether it is no host but this machine's disk: nobody has to find out whether that answers.
    ///   - isNear: Whether it is reached without a network.
    ///   - pace: Whose requests count with a host's own for ``ScheduleLimits/interval``; nil for a host without a limit.
    init(
        _ limits: ScheduleLimits, isLastFirst: Bool = false, isName: @escaping (Host) -> Bool = { _ in false },
        isOwn: @escaping (Host) -> Bool = { _ in false }, isNear: @escaping (Host) -> Bool = { _ in false },
        pace: @escaping (Host) -> Host? = { $0 }
    ) {
        self.limits = limits
        (self.pace, self.isOwn, self.isNear) = (pace, isOwn, isNear)
        paces = RequestPaces(interval: limits.interval)
        self.isLastFirst = isLastFirst
        self.isName = isName
    }

    /// Changes how many may run in all.
    mutating func setWidth(_ width: Int) { limits.inAll = max(width, 1) }

    // MARK: Waiting

    /// Puts an item into its host's line: at its end, or where the last comes first, at its beginning.
    /// - Parameters:
    ///   - level: How urgent it is, from 0 to 4; what is more urgent comes first. 5 for what passes a line that is held.
    ///   - patience: The longest pause that it waits for if the host asks for it.
    ///   - start: Not before this time, at the line's end then; nil for now.
    ///   - isFirst: Whether it goes before those that are as urgent, whatever the order.
    @discardableResult
    mutating func add(
        _ item: Item, for host: Host, level: Int = 2, patience: Duration, notBefore start: Duration? = nil,
        isFirst: Bool = false, at now: Duration
    ) -> Ticket {
        let line = place(of: host, at: now)
        let level = Int8(min(max(level, 0), WaitingLine.levels - 1))
        let ticket = items.insert(item, patience: patience, host: line, level: level)
        if let start, start > now {
            items[ticket.place].isTimed = true
            hosts[line].timed += 1
            due.insert(.item(ticket), at: start)
        } else {
            enter(ticket.place, isFirst: isFirst || isLastFirst && start == nil, at: now)
        }
        return ticket
    }

    /// Takes an item out that waits; nil if it does not any more.
    @discardableResult
    mutating func remove(_ ticket: Ticket, at now: Duration) -> Item? {
        guard items.contains(ticket) else { return nil }
        let line = items[ticket.place].host
        let isTimed = items[ticket.place].isTimed
        leave(ticket.place)
        let item = items.remove(ticket.place)
        // Nobody is to be woken for it.
        let items = items
        due.removeFirst {
            guard isTimed, case .item(let ticket) = $0 else { return false }
            return !items.contains(ticket)
        }
        forgetIfIdle(line, at: now)
        return item
    }

    /// How many items wait for a host, for whatever.
    func waiting(for host: Host) -> Int {
        guard let line = hosts.place(of: host) else { return 0 }
        return Int(hosts[line].waiting.count + hosts[line].timed)
    }

    /// Changes how urgent an item is, if it still waits; among those that are as urgent it is new.
    mutating func setLevel(_ level: Int, of ticket: Ticket, at now: Duration) {
        guard items.contains(ticket) else { return }
        let level = Int8(min(max(level, 0), WaitingLine.levels - 1))
        guard items[ticket.place].level != level else { return }
        guard !items[ticket.place].isTimed else {
            items[ticket.place].level = level
            return
        }
        leave(ticket.place)
        items[ticket.place].level = level
        enter(ticket.place, isFirst: isLastFirst, at: now)
    }

    /// Starts nothing with hosts that are not near, or lets all start again.
    mutating func setOffline(_ isOffline: Bool, at now: Duration) {
        guard isOffline != self.isOffline else { return }
        self.isOffline = isOffline
        if !isOffline { for line in hosts.places { standUp(line, at: now) } }
    }

    /// Takes all items out that are so, in any order.
    mutating func removeAll(where isMeant: (Item) -> Bool, at now: Duration) -> [Item] {
        items.tickets(where: isMeant).compactMap { remove($0, at: now) }
    }

    // MARK: Turns

    /// When ``next(at:)`` may have more to hand out although nothing else happens; nil if only something else helps.
    var nextTime: Duration? { due.first }

    /// Whether one more could run, if its host lets it.
    var hasRoom: Bool { !isSuspended && running < limits.inAll }

    /// What is to be done now; nil if nothing is.
    mutating func next(at now: Duration) -> Step? {
        while let due = due.popFirst(at: now) { ring(due, at: now) }
        if let (item, reason) = refused.popFirst() { return .refuse(item, reason) }
        guard hasRoom else { return nil }
        while true {
            for level in (0..<WaitingLine.levels).reversed() where readyLevels & 1 << UInt8(level) != 0 {
                while let line = ready[level].popFirst() {
                    hosts[line].standing &= ~(1 << UInt8(level))
                    let place = hosts[line].waiting.first(at: level)
                    if place >= 0, !hosts[line].isHeld(at: level), mayStart(line, at: now) {
                        return start(place, of: line, at: now)
                    }
                    // What it may start, or what it waits for, is another thing by now.
                    standUp(line, at: now)
                }
                readyLevels &= ~(1 << UInt8(level))
            }
            if unanswered < limits.unanswered, let line = unansweredLine.popFirst() {
                hosts[line].waitsForAnswers = false
                standUp(line, at: now)
            } else if lookUps < limits.lookUps, let line = lookUpLine.popFirst() {
                hosts[line].waitsForLookUp = false
                standUp(line, at: now)
            } else {
                return nil
            }
        }
    }

    private mutating func start(_ place: WaitingLine.Place, of line: Int32, at now: Duration) -> Step? {
        leave(place)
        guard let item = items.remove(place) else { return nil }
        running += 1
        hosts[line].running += 1
        classify(line)
        countUnanswered(line)
        let pace = hosts[line].pace
        if let pace { paces.begin(pace, at: now) }
        let lookUp = hosts[line].nameEnd <= now ? beginLookUp(line) : nil
        standUp(line, at: now)
        let turn = Turn(
            host: line, epoch: hosts[line].health.epoch, lookUp: lookUp, isPaced: pace != nil, isUnsent: pace != nil)
        return .start(item, turn)
    }

    /// Whose a turn is.
    func host(of turn: Turn) -> Host? { hosts[turn.host].host }

    /// Whether that is reached without a network.
    func isNear(_ turn: Turn) -> Bool { hosts[turn.host].isNear }

    private mutating func beginLookUp(_ line: Int32) -> LookUp {
        lookUps += 1
        hosts[line].lookUps += 1
        hosts[line].isLookingUp = true
        return LookUp(host: line)
    }

    /// Parts a turn from its look-up, if that is under way: it goes on when the turn is over. The resolver may have begun it where there was no
    /// network yet, so that it takes half a minute; another one of that host's name may begin beside it.
    mutating func part(_ turn: inout Turn) -> LookUp? {
        guard var lookUp = turn.lookUp.take() else { return nil }
        lookUp.isParted = true
        hosts[lookUp.host].isLookingUp = false
        return lookUp
    }

    /// The name of a turn's host is known from now on.
    mutating func foundName(_ turn: inout Turn, at now: Duration) {
        if let lookUp = turn.lookUp.take() { ended(lookUp, isFound: true, at: now) }
    }

    /// A look-up is over. Until then, or until its turn is, its host's name is not looked up for anybody else.
    /// - Parameter isFound: Whether the name is known from now on.
    mutating func ended(_ lookUp: LookUp, isFound: Bool, at now: Duration) {
        let line = lookUp.host
        lookUps -= 1
        hosts[line].lookUps -= 1
        if !lookUp.isParted { hosts[line].isLookingUp = false }
        if isFound { hosts[line].nameEnd = now + limits.nameLifetime }
        standUp(line, at: now)
        forgetIfIdle(line, at: now)
    }

    /// An item that had a turn has come to its end, or gives its place back for now. A look-up that has not been parted from the
    /// turn is over, too.
    /// - Returns: The rest of its host that this has begun, or has made longer.
    @discardableResult
    mutating func finished(_ turn: Turn, _ sign: HostHealth.Sign, at now: Duration) -> Rest? {
        let line = turn.host
        var rest: Rest?
        if let lookUp = turn.lookUp { ended(lookUp, isFound: false, at: now) }
        if turn.isUnsent { giveUpSending(line, at: now) }
        running -= 1
        hosts[line].running -= 1
        classify(line)
        if hosts[line].health.note(sign, of: turn.epoch, at: now, patience: limits.patience) {
            beginRest(line, at: now)
            rest = self.rest(of: line, at: now)
        }
        countUnanswered(line)
        standUp(line, at: now)
        forgetIfIdle(line, at: now)
        return rest
    }

    // MARK: Hosts

    private func mayStart(_ line: Int32, at now: Duration) -> Bool {
        if isOffline && !hosts[line].isNear { return false }
        let width = hosts[line].health.isOnProbation ? 1 : limits.perHost
        guard Int(hosts[line].running) < width, hosts[line].health.restEnd <= now, paceTime(of: hosts[line]) <= now,
            !isToWaitForAnswers(line)
        else { return false }
        return hosts[line].nameEnd > now || hosts[line].mayBeLookedUp && lookUps < limits.lookUps
    }

    /// Whether others at hosts that have not answered, either, have to be over first.
    private func isToWaitForAnswers(_ line: Int32) -> Bool {
        unanswered >= limits.unanswered && hosts[line].running > 0 && !hosts[line].health.hasAnswered
    }

    private mutating func countUnanswered(_ line: Int32) {
        let count = hosts[line].health.hasAnswered ? 0 : max(0, hosts[line].running - 1)
        unanswered += Int(count - hosts[line].unanswered)
        hosts[line].unanswered = count
    }

    /// Puts a host among those whose turn it is, if it may start something, and otherwise sees to it that somebody looks when a
    /// time has come.
    mutating func standUp(_ line: Int32, at now: Duration) {
        let restEnd = hosts[line].health.restEnd
        if hosts[line].isResting {
            setResting(line, restEnd > now)
            if restEnd > now { setAlarm(line, at: restEnd) }
        }
        guard !hosts[line].waiting.isEmpty else { return }
        if mayStart(line, at: now) {
            for level in 0..<WaitingLine.levels where !hosts[line].waiting.isEmpty(at: level) {
                if hosts[line].isHeld(at: level) { continue }
                guard hosts[line].standing & 1 << UInt8(level) == 0 else { continue }
                hosts[line].standing |= 1 << UInt8(level)
                readyLevels |= 1 << UInt8(level)
                ready[level].append(line)
            }
        } else if max(paceTime(of: hosts[line]), restEnd) > now {
            let time = max(paceTime(of: hosts[line]), restEnd)
            // Otherwise a request that is sent tells when.
            if time < KnownHost<Host>.forever { setAlarm(line, at: time) }
        } else if isToWaitForAnswers(line) {
            if !hosts[line].waitsForAnswers { unansweredLine.append(line) }
            hosts[line].waitsForAnswers = true
        } else if hosts[line].nameEnd <= now, hosts[line].mayBeLookedUp, lookUps >= limits.lookUps,
            !hosts[line].waitsForLookUp
        {
            hosts[line].waitsForLookUp = true
            lookUpLine.append(line)
        }
    }

    private mutating func setAlarm(_ line: Int32, at time: Duration) {
        if let alarm = hosts[line].alarm, alarm <= time { return }
        hosts[line].alarm = time
        due.insert(.host(line), at: time)
    }

    private mutating func ring(_ due: Due, at now: Duration) {
        switch due {
        case .item(let ticket):
            guard items.contains(ticket), items[ticket.place].isTimed else { return }
            items[ticket.place].isTimed = false
            hosts[items[ticket.place].host].timed -= 1
            enter(ticket.place, isFirst: false, at: now)
        case .host(let line):
            // The place may be another host's by now, who has no use for it and no harm from it.
            if let alarm = hosts[line].alarm, alarm <= now { hosts[line].alarm = nil }
            standUp(line, at: now)
            forgetIfIdle(line, at: now)
        }
    }

    /// Lets nothing of a host start but what passes, or lets all start again. A host that is held is remembered.
    mutating func setHeld(_ isHeld: Bool, _ host: Host, at now: Duration) {
        let line = place(of: host, at: now)
        hosts[line].isHeld = isHeld
        standUp(line, at: now)
        forgetIfIdle(line, at: now)
    }

    // MARK: Places

    /// Puts an item into its host's line, at its beginning or at its end.
    private mutating func enter(_ place: WaitingLine.Place, isFirst: Bool, at now: Duration) {
        let (line, level) = (items[place].host, Int(items[place].level))
        if isFirst {
            hosts[line].waiting.prepend(place, at: level) { $1(&items[$0].link) }
        } else {
            hosts[line].waiting.append(place, at: level) { $1(&items[$0].link) }
        }
        if let reason = refusal(of: place, at: now) {
            refuse(place, reason)
        } else {
            standUp(line, at: now)
        }
    }

    /// Takes an item out of its line, or its waiting for a time.
    mutating func leave(_ place: WaitingLine.Place) {
        let slot = items[place]
        if slot.isTimed {
            items[place].isTimed = false
            hosts[slot.host].timed -= 1
        } else {
            hosts[slot.host].waiting.remove(place, at: Int(slot.level)) { $1(&items[$0].link) }
        }
    }

    private mutating func place(of host: Host, at now: Duration) -> Int32 {
        if let place = hosts.place(of: host) { return place }
        if hosts.isFull { forgetIdle(at: now) }
        var known = KnownHost(host: host, nameEnd: isName(host) ? now : KnownHost<Host>.forever)
        known.health = HostHealth(answers: isOwn(host))
        known.isNear = isNear(host)
        if paces.interval > .zero { known.pace = pace(host) }
        let place = hosts.insert(known, of: host)
        if let pace = known.pace { paces.join(pace, place) }
        return place
    }

    /// Forgets a host of which nothing is to be remembered.
    private mutating func forgetIfIdle(_ line: Int32, at now: Duration) {
        guard hosts[line].isIdle, hosts[line].isUnremarkable(at: now), hasIdlePace(line, at: now) else { return }
        forget(line)
    }

    /// Forgets the hosts that nobody waits for, but those that have just been asked, and many that rest: those whose rest ends last.
    private mutating func forgetIdle(at now: Duration) {
        var resting: [Int32] = []
        for line in hosts.places where hosts[line].isIdle && hasIdlePace(line, at: now) {
            if hosts[line].health.restEnd <= now { forget(line) } else { resting.append(line) }
        }
        // Who makes up names of hosts would otherwise have a place for each of them.
        if resting.count > KnownHosts<Host>.longestMemory {
            resting.sort { hosts[$0].health.restEnd < hosts[$1].health.restEnd }
            for line in resting.dropLast(KnownHosts<Host>.longestMemory / 2) { forget(line) }
        }
        hosts.makeRoom()
    }

    private mutating func forget(_ line: Int32) {
        setResting(line, false)
        if let pace = hosts[line].pace { paces.leave(pace, line) }
        hosts.remove(line)
    }
}
