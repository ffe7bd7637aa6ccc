import OperationsCore

/// Whose turn it is: items wait in lines by host, hosts take turns, and one that rests holds up nobody but itself.
///
/// A plain value; its times are counted from any beginning. ``next(at:)`` hands out what may start, and what is refused because
/// of its host. What is handed out holds a place until ``finished(_:_:at:)``; what waits, for its turn, for its host or for
/// another try, holds none, and takes about a hundred bytes. libcurl has limits of its own, but looks at every transfer it
/// knows in every round; it is only given those that run.
struct TransferSchedule<Host: Hashable, Item> {
    /// Which waiting item is meant.
    struct Ticket: Hashable {
        fileprivate var place: WaitingLine.Place
        fileprivate var number: UInt32
    }

    /// A place among those that run; whoever holds it gives it back once.
    struct Turn {
        let host: Int32
        fileprivate let epoch: UInt32
        /// The host's name is being looked up, until ``foundName(_:)``.
        fileprivate var looksUpName: Bool
        /// Whether requests have to keep a pace.
        let isPaced: Bool
        /// Whether its request is yet to be sent, where the pace is kept.
        var isUnsent: Bool

        /// Whether another request needs another turn.
        var isUsedUp: Bool { isPaced && !isUnsent }
    }

    /// Why an item is not started.
    enum Refusal: Equatable {
        /// The host said that it is not to be asked for this long, which is longer than the item waits.
        case refused(TransferError, rest: Duration)
        /// The host has had its chances; that is what it failed with last.
        case givenUp(TransferError)
    }

    enum Step {
        case start(Item, Turn)
        case refuse(Item, Refusal)
    }

    private typealias Slot = WaitingItem<Item>

    private enum Due {
        case item(Ticket)
        case host(Int32)
    }

    private(set) var limits: ScheduleLimits
    /// Whether what was added last comes first, of equal priority and host.
    private let isLastFirst: Bool
    private let isName: (Host) -> Bool
    private let pace: (Host) -> Host?
    var paces: RequestPaces<Host>
    private var slots: [Slot] = []
    private var freeSlots: [Int32] = []
    var lines: [KnownHost<Host>] = []
    private var freeLines: [Int32] = []
    private var places: [Host: Int32] = [:]
    /// The hosts that may start something, by the priority of what waits there; also some that may not any more.
    private var ready = [Line<Int32>](repeating: Line(), count: WaitingLine.levels)
    private var lookUpLine = Line<Int32>()
    private var refused = Line<(Item, Refusal)>()
    private var due = DueTimes<Due>()
    private var lookUps = 0
    /// At how many hosts those are looked for that may be forgotten.
    private var mostLines = longestMemory

    /// Starts nothing while it is true.
    var isSuspended = false
    private(set) var running = 0
    /// How many items wait, for whatever.
    private(set) var waiting = 0
    /// How many hosts rest.
    private(set) var resting = 0
    /// How many hosts are remembered.
    var knownHosts: Int { places.count }

    /// How many hosts are remembered at least, for how they failed and where they are.
    private static var longestMemory: Int { 16_384 }

    /// An empty schedule.
    /// - Parameters:
    ///   - isName: Whether a host has to be looked up before it is connected to.
    ///   - pace: Whose requests count with a host's own for ``ScheduleLimits/interval``; nil for a host without a limit.
    init(
        _ limits: ScheduleLimits, isLastFirst: Bool = false, isName: @escaping (Host) -> Bool = { _ in false },
        pace: @escaping (Host) -> Host? = { $0 }
    ) {
        self.limits = limits
        self.pace = pace
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
        let slot = freeSlots.popLast() ?? Int32(slots.count)
        if Int(slot) == slots.count { slots.append(Slot()) }
        slots[Int(slot)].item = item
        slots[Int(slot)].patience = patience
        slots[Int(slot)].host = line
        slots[Int(slot)].level = Int8(min(max(level, 0), WaitingLine.levels - 1))
        waiting += 1
        let ticket = Ticket(place: slot, number: slots[Int(slot)].number)
        if let start, start > now {
            slots[Int(slot)].isTimed = true
            lines[Int(line)].timed += 1
            due.insert(.item(ticket), at: start)
        } else {
            enter(slot, isFirst: isFirst || isLastFirst && start == nil, at: now)
        }
        return ticket
    }

    /// Takes an item out that waits; nil if it does not any more.
    @discardableResult
    mutating func remove(_ ticket: Ticket, at now: Duration) -> Item? {
        guard isValid(ticket) else { return nil }
        let line = slots[Int(ticket.place)].host
        let isTimed = slots[Int(ticket.place)].isTimed
        leave(ticket.place)
        let item = free(ticket.place)
        // Nobody is to be woken for it.
        let slots = slots
        due.removeFirst {
            guard isTimed, case .item(let ticket) = $0 else { return false }
            return slots[Int(ticket.place)].number != ticket.number
        }
        forgetIfIdle(line, at: now)
        return item
    }

    /// How many items wait for a host, for whatever.
    func waiting(for host: Host) -> Int {
        guard let line = places[host] else { return 0 }
        return Int(lines[Int(line)].waiting.count + lines[Int(line)].timed)
    }

    /// Changes how urgent an item is, if it still waits; among those that are as urgent it is new.
    mutating func setLevel(_ level: Int, of ticket: Ticket, at now: Duration) {
        guard isValid(ticket) else { return }
        let level = Int8(min(max(level, 0), WaitingLine.levels - 1))
        guard slots[Int(ticket.place)].level != level else { return }
        guard !slots[Int(ticket.place)].isTimed else {
            slots[Int(ticket.place)].level = level
            return
        }
        leave(ticket.place)
        slots[Int(ticket.place)].level = level
        enter(ticket.place, isFirst: isLastFirst, at: now)
    }

    /// Takes all items out that are so, in any order.
    mutating func removeAll(where isMeant: (Item) -> Bool, at now: Duration) -> [Item] {
        var removed: [Item] = []
        for place in slots.indices {
            guard let item = slots[place].item, isMeant(item) else { continue }
            let ticket = Ticket(place: Int32(place), number: slots[place].number)
            if let item = remove(ticket, at: now) { removed.append(item) }
        }
        return removed
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
            for level in (0..<WaitingLine.levels).reversed() {
                while let line = ready[level].popFirst() {
                    lines[Int(line)].standing &= ~(1 << UInt8(level))
                    let place = lines[Int(line)].waiting.first(at: level)
                    if place >= 0, !lines[Int(line)].isHeld(at: level), mayStart(line, at: now) {
                        return start(place, of: line, at: now)
                    }
                    // What it may start, or what it waits for, is another thing by now.
                    standUp(line, at: now)
                }
            }
            guard lookUps < limits.lookUps, let line = lookUpLine.popFirst() else { return nil }
            lines[Int(line)].waitsForLookUp = false
            standUp(line, at: now)
        }
    }

    private mutating func start(_ place: WaitingLine.Place, of line: Int32, at now: Duration) -> Step? {
        leave(place)
        guard let item = free(place) else { return nil }
        running += 1
        lines[Int(line)].running += 1
        let pace = lines[Int(line)].pace
        if let pace { paces.begin(pace, at: now) }
        let looksUpName = lines[Int(line)].nameEnd <= now
        if looksUpName {
            lookUps += 1
            lines[Int(line)].isLookingUp = true
        }
        standUp(line, at: now)
        let turn = Turn(
            host: line, epoch: lines[Int(line)].health.epoch, looksUpName: looksUpName, isPaced: pace != nil,
            isUnsent: pace != nil)
        return .start(item, turn)
    }

    /// Whose a turn is.
    func host(of turn: Turn) -> Host? { lines[Int(turn.host)].host }

    /// The name of a turn's host is known from now on.
    mutating func foundName(_ turn: inout Turn, at now: Duration) {
        guard turn.looksUpName else { return }
        lines[Int(turn.host)].nameEnd = now + limits.nameLifetime
        endLookUp(&turn, at: now)
    }

    private mutating func endLookUp(_ turn: inout Turn, at now: Duration) {
        turn.looksUpName = false
        lookUps -= 1
        lines[Int(turn.host)].isLookingUp = false
        standUp(turn.host, at: now)
    }

    /// A host that is left alone from now on.
    struct Rest {
        let host: Host
        let length: Duration
        let reason: TransferError
    }

    /// An item that had a turn has come to its end, or gives its place back for now.
    /// - Returns: The rest of its host that this has begun, or has made longer.
    @discardableResult
    mutating func finished(_ turn: Turn, _ sign: HostHealth.Sign, at now: Duration) -> Rest? {
        var turn = turn
        let line = turn.host
        var rest: Rest?
        if turn.looksUpName { endLookUp(&turn, at: now) }
        if turn.isUnsent { giveUpSending(line, at: now) }
        running -= 1
        lines[Int(line)].running -= 1
        if lines[Int(line)].health.note(sign, of: turn.epoch, at: now, patience: limits.patience) {
            beginRest(line, at: now)
            rest = self.rest(of: line, at: now)
        }
        standUp(line, at: now)
        forgetIfIdle(line, at: now)
        return rest
    }

    // MARK: Hosts

    private func rest(of line: Int32, at now: Duration) -> Rest? {
        let known = lines[Int(line)]
        guard let host = known.host, known.health.restEnd > now else { return nil }
        return Rest(host: host, length: known.health.restEnd - now, reason: known.health.failure)
    }

    private mutating func beginRest(_ line: Int32, at now: Duration) {
        setResting(line, lines[Int(line)].health.restEnd > now)
        // Those whom this is too long need not wait.
        for level in 0..<WaitingLine.levels {
            var place = lines[Int(line)].waiting.first(at: level)
            while place >= 0 {
                let behind = slots[Int(place)].link.behind
                if let reason = refusal(of: place, at: now) { refuse(place, reason) }
                place = behind
            }
        }
    }

    private mutating func setResting(_ line: Int32, _ isResting: Bool) {
        guard lines[Int(line)].isResting != isResting else { return }
        lines[Int(line)].isResting = isResting
        resting += isResting ? 1 : -1
    }

    /// Why an item need not wait for its host.
    private func refusal(of place: WaitingLine.Place, at now: Duration) -> Refusal? {
        let health = lines[Int(slots[Int(place)].host)].health
        let rest = health.restEnd - now
        guard rest > .zero else { return nil }
        if health.isGivenUp { return .givenUp(health.failure) }
        return health.isNamed && rest > slots[Int(place)].patience ? .refused(health.failure, rest: rest) : nil
    }

    private mutating func refuse(_ place: WaitingLine.Place, _ reason: Refusal) {
        leave(place)
        if let item = free(place) { refused.append((item, reason)) }
    }

    private func mayStart(_ line: Int32, at now: Duration) -> Bool {
        let line = Int(line)
        let width = lines[line].health.isOnProbation ? 1 : limits.perHost
        guard Int(lines[line].running) < width, lines[line].health.restEnd <= now, paceTime(of: lines[line]) <= now
        else { return false }
        return lines[line].nameEnd > now || !lines[line].isLookingUp && lookUps < limits.lookUps
    }

    /// Puts a host among those whose turn it is, if it may start something, and otherwise sees to it that somebody looks when a
    /// time has come.
    mutating func standUp(_ line: Int32, at now: Duration) {
        let place = Int(line)
        let restEnd = lines[place].health.restEnd
        if lines[place].isResting {
            if restEnd <= now { setResting(line, false) } else { setAlarm(line, at: restEnd) }
        }
        guard !lines[place].waiting.isEmpty else { return }
        if mayStart(line, at: now) {
            for level in 0..<WaitingLine.levels where !lines[place].waiting.isEmpty(at: level) {
                if lines[place].isHeld(at: level) { continue }
                guard lines[place].standing & 1 << UInt8(level) == 0 else { continue }
                lines[place].standing |= 1 << UInt8(level)
                ready[level].append(line)
            }
        } else if max(paceTime(of: lines[place]), restEnd) > now {
            let time = max(paceTime(of: lines[place]), restEnd)
            // Otherwise a request that is sent tells when.
            if time < KnownHost<Host>.forever { setAlarm(line, at: time) }
        } else if lines[place].nameEnd <= now, !lines[place].isLookingUp, lookUps >= limits.lookUps,
            !lines[place].waitsForLookUp
        {
            lines[place].waitsForLookUp = true
            lookUpLine.append(line)
        }
    }

    private mutating func setAlarm(_ line: Int32, at time: Duration) {
        if let alarm = lines[Int(line)].alarm, alarm <= time { return }
        lines[Int(line)].alarm = time
        due.insert(.host(line), at: time)
    }

    private mutating func ring(_ due: Due, at now: Duration) {
        switch due {
        case .item(let ticket):
            guard isValid(ticket), slots[Int(ticket.place)].isTimed else { return }
            slots[Int(ticket.place)].isTimed = false
            lines[Int(slots[Int(ticket.place)].host)].timed -= 1
            enter(ticket.place, isFirst: false, at: now)
        case .host(let line):
            // The place may be another host's by now, who has no use for it and no harm from it.
            if let alarm = lines[Int(line)].alarm, alarm <= now { lines[Int(line)].alarm = nil }
            standUp(line, at: now)
            forgetIfIdle(line, at: now)
        }
    }

    /// Lets nothing of a host start but what passes, or lets all start again. A host that is held is remembered.
    mutating func setHeld(_ isHeld: Bool, _ host: Host, at now: Duration) {
        let line = place(of: host, at: now)
        lines[Int(line)].isHeld = isHeld
        standUp(line, at: now)
        forgetIfIdle(line, at: now)
    }

    // MARK: Places

    /// Puts an item into its host's line, at its beginning or at its end.
    private mutating func enter(_ place: WaitingLine.Place, isFirst: Bool, at now: Duration) {
        let (line, level) = (slots[Int(place)].host, Int(slots[Int(place)].level))
        if isFirst {
            lines[Int(line)].waiting.prepend(place, at: level) { $1(&slots[Int($0)].link) }
        } else {
            lines[Int(line)].waiting.append(place, at: level) { $1(&slots[Int($0)].link) }
        }
        if let reason = refusal(of: place, at: now) {
            refuse(place, reason)
        } else {
            standUp(line, at: now)
        }
    }

    /// Takes an item out of its line, or its waiting for a time.
    private mutating func leave(_ place: WaitingLine.Place) {
        let slot = slots[Int(place)]
        if slot.isTimed {
            slots[Int(place)].isTimed = false
            lines[Int(slot.host)].timed -= 1
        } else {
            lines[Int(slot.host)].waiting.remove(place, at: Int(slot.level)) { $1(&slots[Int($0)].link) }
        }
    }

    private mutating func free(_ place: WaitingLine.Place) -> Item? {
        waiting -= 1
        slots[Int(place)].number &+= 1
        freeSlots.append(place)
        return slots[Int(place)].item.take()
    }

    private func isValid(_ ticket: Ticket) -> Bool {
        slots[Int(ticket.place)].number == ticket.number && slots[Int(ticket.place)].item != nil
    }

    private mutating func place(of host: Host, at now: Duration) -> Int32 {
        if let place = places[host] { return place }
        if places.count >= mostLines { forgetIdle(at: now) }
        let place = freeLines.popLast() ?? Int32(lines.count)
        var line = KnownHost(host: host, nameEnd: isName(host) ? now : KnownHost<Host>.forever)
        if paces.interval > .zero, let pace = pace(host) {
            line.pace = pace
            paces.join(pace, place)
        }
        if Int(place) == lines.count { lines.append(line) } else { lines[Int(place)] = line }
        places[host] = place
        return place
    }

    /// Forgets a host of which nothing is to be remembered.
    private mutating func forgetIfIdle(_ line: Int32, at now: Duration) {
        guard lines[Int(line)].isIdle, lines[Int(line)].isUnremarkable(at: now), hasIdlePace(line, at: now) else {
            return
        }
        forget(line)
    }

    /// Forgets the hosts that nobody waits for, but those that rest or have just been asked.
    private mutating func forgetIdle(at now: Duration) {
        for line in lines.indices where lines[line].isIdle {
            if lines[line].health.restEnd <= now, hasIdlePace(Int32(line), at: now) { forget(Int32(line)) }
        }
        mostLines = max(Self.longestMemory, 2 * places.count)
    }

    private mutating func forget(_ line: Int32) {
        guard let host = lines[Int(line)].host else { return }
        setResting(line, false)
        if let pace = lines[Int(line)].pace { paces.leave(pace, line) }
        places[host] = nil
        lines[Int(line)] = KnownHost(nameEnd: KnownHost<Host>.forever)
        freeLines.append(line)
    }
}
