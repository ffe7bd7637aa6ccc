import OperationsTesting

@testable import Transfers

/// A web of random hosts on a clock of its own, and a schedule that has to bring all rows to their end in it.
struct SimulatedWeb {
    private enum Kind: CaseIterable {
        /// Answers always.
        case good
        /// Answers, or is busy for a moment.
        case flaky
        /// Says that it is busy, and for how long.
        case busy
        /// Asks for longer than anybody waits.
        case closed
        /// Never says anything.
        case silent
        /// Nobody is there.
        case dead
    }

    private struct Host {
        var kind: Kind
        var latency: Duration
        var rows = 0
        var inLine = 0
        var running = 0
        var hasFailed = false
        /// It has answered, and the schedule still knows it.
        var hasAnswered = false
        /// A turn waits for its name.
        var isLookingUp = false
        /// Also those of turns that are over.
        var lookUps = 0
        var nameEnd: Duration
        var lastStart: Duration?
        /// When requests were sent, and how many are about to be.
        var sent: [Duration] = []
        var unsent = 0
        /// Until when it asked to be left alone.
        var askedEnd = Duration.zero
        var lastEnd = Duration.zero
    }

    private struct Row {
        var host: Int
        var attempts = 0
        var isOver = false
    }

    private enum Event {
        case found(row: Int)
        /// Its transfer is cancelled while the name is looked up, which goes on.
        case cancelled(row: Int)
        case lookUpEnded(host: Int, TransferSchedule<Int, Int>.LookUp)
        case sent(row: Int)
        case end(row: Int)
    }

    private static let attempts = 3

    private var random: SeededRandom
    private let limits: ScheduleLimits
    private var hosts: [Host] = []
    private var rows: [Row] = []
    private var turns: [TransferSchedule<Int, Int>.Turn?] = []
    private var schedule: TransferSchedule<Int, Int>
    private var events = DueTimes<Event>()
    private var now = Duration.zero
    private var running = 0
    private var lookUps = 0
    /// What was seen that must not be.
    private(set) var faults: [String] = []

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var limits = ScheduleLimits()
        limits.perHost = Int.random(in: 1...3, using: &random)
        limits.inAll = Int.random(in: 2...12, using: &random)
        limits.lookUps = Int.random(in: 1...6, using: &random)
        limits.patience = .seconds(Int.random(in: 1...60, using: &random))
        if Bool.random(using: &random) { limits.interval = .milliseconds(Int.random(in: 1...2_000, using: &random)) }
        let hasNames = Bool.random(using: &random)
        schedule = TransferSchedule(limits, isLastFirst: Bool.random(using: &random)) { _ in hasNames }
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let kind = Int.random(in: 0..<3, using: &random) == 0 ? .good : Kind.allCases.randomElement(using: &random)
            hosts.append(
                Host(
                    kind: kind ?? .good, latency: .milliseconds(Int.random(in: 1...900, using: &random)),
                    nameEnd: hasNames ? .zero : .seconds(1_000_000_000)))
        }
        self.random = random
        self.limits = limits
    }

    /// Brings all rows to their end.
    mutating func run() {
        for row in 0..<Int.random(in: 1...14, using: &random) {
            let host = Int.random(in: 0..<hosts.count, using: &random)
            rows.append(Row(host: host))
            turns.append(nil)
            hosts[host].rows += 1
            add(row, notBefore: nil)
        }
        while true {
            while let step = schedule.next(at: now) { take(step) }
            checkThatNobodyWaitsInVain()
            guard faults.isEmpty, let next = [events.first, schedule.nextTime].compactMap(\.self).min() else { break }
            now = max(now, next)
            while let event = events.popFirst(at: now) { take(event) }
        }
        if rows.contains(where: { !$0.isOver }) { faults.append("a row has no end") }
        if schedule.waiting != 0 || schedule.running != 0 || schedule.classes.working != 0 {
            faults.append("something is left in the schedule")
        }
        checkLines()
    }

    private mutating func add(_ row: Int, notBefore start: Duration?) {
        if start == nil { hosts[rows[row].host].inLine += 1 }
        let level = Int.random(in: 0..<5, using: &random)
        schedule.add(
            row, for: rows[row].host, level: level, patience: limits.patience, notBefore: start, at: now)
    }

    // MARK: What the schedule says

    private mutating func take(_ step: TransferSchedule<Int, Int>.Step) {
        switch step {
        case .refuse(let row, let reason):
            let host = rows[row].host
            end(row)
            if rows[row].attempts == 0, hosts[host].kind == .good { hosts[host].inLine -= 1 }
            if !hosts[host].hasFailed { faults.append("\(now): host \(host) has not failed and is refused: \(reason)") }
        case .start(let row, let turn): start(row, turn)
        }
    }

    private mutating func start(_ row: Int, _ turn: TransferSchedule<Int, Int>.Turn) {
        let host = rows[row].host
        if rows[row].attempts == 0, hosts[host].kind == .good { hosts[host].inLine -= 1 }
        rows[row].attempts += 1
        turns[row] = turn
        running += 1
        hosts[host].running += 1
        if hosts[host].running > 1, !hosts[host].hasAnswered, crowd > limits.unanswered {
            faults.append("\(now): too many run at hosts that have not answered")
        }
        if hosts[host].running > limits.perHost { faults.append("\(now): host \(host) is above its width") }
        if running > limits.inAll { faults.append("\(now): too many run") }
        if let last = hosts[host].lastStart, last + limits.interval > now {
            faults.append("\(now): host \(host) is above its rate")
        }
        if hosts[host].askedEnd > now { faults.append("\(now): host \(host) asked to be left alone") }
        hosts[host].lastStart = now
        if hosts[host].nameEnd <= now {
            if hosts[host].isLookingUp { faults.append("\(now): host \(host) is looked up twice") }
            hosts[host].isLookingUp = true
            hosts[host].lookUps += 1
            if hosts[host].lookUps > 2 { faults.append("\(now): host \(host) is looked up a third time") }
            lookUps += 1
            if lookUps > limits.lookUps { faults.append("\(now): too many look-ups") }
            if hosts[host].kind != .good, Int.random(in: 0..<4, using: &random) == 0 {
                hosts[host].unsent += 1
                return events.insert(.cancelled(row: row), at: now + .milliseconds(10))
            }
            events.insert(.found(row: row), at: now + .milliseconds(20))
        }
        let time = hosts[host].kind == .silent ? Duration.seconds(15) : hosts[host].latency
        hosts[host].unsent += 1
        events.insert(.sent(row: row), at: now + .milliseconds(20))
        events.insert(.end(row: row), at: now + .milliseconds(20) + time)
    }

    // MARK: What happens

    private mutating func take(_ event: Event) {
        switch event {
        case .found(let row):
            guard var turn = turns[row] else { return }
            let host = rows[row].host
            hosts[host].isLookingUp = false
            hosts[host].lookUps -= 1
            lookUps -= 1
            hosts[host].nameEnd = now + limits.nameLifetime
            schedule.foundName(&turn, at: now)
            turns[row] = turn
        case .cancelled(let row):
            guard var turn = turns[row].take(), let lookUp = schedule.part(&turn) else { return }
            let host = rows[row].host
            hosts[host].isLookingUp = false
            running -= 1
            hosts[host].running -= 1
            hosts[host].unsent -= 1
            // Another one may begin at once in place of what was not sent.
            hosts[host].lastStart = nil
            finish(row, turn, .none)
            events.insert(.lookUpEnded(host: host, lookUp), at: now + .seconds(Int.random(in: 0...30, using: &random)))
        case .lookUpEnded(let host, let lookUp):
            hosts[host].lookUps -= 1
            lookUps -= 1
            let isFound = Bool.random(using: &random)
            if isFound { hosts[host].nameEnd = now + limits.nameLifetime }
            schedule.ended(lookUp, isFound: isFound, at: now)
        case .sent(let row):
            guard var turn = turns[row] else { return }
            if !schedule.maySend(&turn, at: now) { faults.append("\(now): the first request of a turn is refused") }
            turns[row] = turn
            let host = rows[row].host
            hosts[host].unsent -= 1
            hosts[host].sent.append(now)
            if countedRequests(of: host) > most { faults.append("\(now): host \(host) is above its rate") }
        case .end(let row):
            guard let turn = turns[row] else { return }
            turns[row] = nil
            let host = rows[row].host
            running -= 1
            hosts[host].running -= 1
            hosts[host].lastEnd = now
            finish(row, turn, sign(of: host))
        }
    }

    /// How many run at hosts that have not answered, without the first at each.
    private var crowd: Int { hosts.reduce(0) { $0 + ($1.hasAnswered ? 0 : max(0, $1.running - 1)) } }

    /// The most requests in a second, or where the interval is longer, in that.
    private var most: Int {
        limits.interval > .zero ? max(1, Int((.seconds(1) / limits.interval + 1e-6).rounded(.down))) : .max
    }

    private func countedRequests(of host: Int) -> Int {
        let span = limits.interval * min(most, 1_000)
        return hosts[host].sent.count { $0 + span > now }
    }

    private mutating func sign(of host: Int) -> HostHealth.Sign {
        switch hosts[host].kind {
        case .good: .answered
        case .flaky:
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: .failed(.truncated)
            case 2: .none
            default: .answered
            }
        case .busy: .failed(.http(status: 429), retryAfter: .seconds(Int.random(in: 1...60, using: &random)))
        case .closed: .failed(.http(status: 503), retryAfter: .seconds(3_600))
        case .silent, .dead: .failed(.truncated)
        }
    }

    private mutating func finish(
        _ row: Int, _ turn: TransferSchedule<Int, Int>.Turn, _ sign: HostHealth.Sign
    ) {
        schedule.finished(turn, sign, at: now)
        switch sign {
        case .answered: hosts[rows[row].host].hasAnswered = true
        case .failed: hosts[rows[row].host].hasAnswered = false
        case .none: break
        }
        guard case .failed(_, let wait) = sign else { return end(row) }
        let host = rows[row].host
        hosts[host].hasFailed = true
        if let wait { hosts[host].askedEnd = max(hosts[host].askedEnd, now + wait) }
        let isTooLong = wait.map { $0 > limits.patience } ?? false
        if isTooLong || rows[row].attempts == Self.attempts { return end(row) }
        add(row, notBefore: now + max(wait ?? .zero, .milliseconds(500)))
    }

    private mutating func end(_ row: Int) {
        if rows[row].isOver { faults.append("row \(row) ends twice") }
        rows[row].isOver = true
    }

    // MARK: What must be so

    /// Who could start does.
    private mutating func checkThatNobodyWaitsInVain() {
        guard running < limits.inAll else { return }
        for (index, host) in hosts.enumerated() where host.kind == .good && host.inLine > 0 {
            let isFull = host.running == limits.perHost
            let isPaced =
                limits.interval > .zero
                && (host.lastStart.map { $0 + limits.interval > now } ?? false
                    || countedRequests(of: index) + host.unsent >= most)
            let isLookedUp = host.nameEnd <= now && (host.isLookingUp || host.lookUps == 2 || lookUps == limits.lookUps)
            let isOneOfMany = host.running > 0 && !host.hasAnswered && crowd >= limits.unanswered
            if !isFull && !isPaced && !isLookedUp && !isOneOfMany {
                faults.append("\(now): good host \(index) waits in vain")
            }
        }
    }

    /// Where there is room for all, a good host takes the time of its own line, whatever the others do.
    private mutating func checkLines() {
        guard limits.inAll >= hosts.count * limits.perHost, limits.lookUps >= 2 * hosts.count else { return }
        for (index, host) in hosts.enumerated() where host.kind == .good && host.rows > 0 {
            // The name is looked up by one, and until the first answer there may be only one.
            let rounds = (host.rows - 1) / limits.perHost + 3
            // A request counts from when it is sent.
            let paced = limits.interval > .zero ? host.rows * (limits.interval + .milliseconds(20)) : .zero
            let own = rounds * (host.latency + .milliseconds(20)) + paced
            if host.lastEnd > own { faults.append("good host \(index) took \(host.lastEnd) of \(own)") }
        }
    }
}

private func * (count: Int, time: Duration) -> Duration { time * count }
