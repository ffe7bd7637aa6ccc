import PhotoPipeline
import Transfers

/// What a development knows of its rows, all of which changes at once: who is admitted, who waits for whom, and what has become
/// of those that ended.
struct DevelopmentState {
    var window: AdmissionWindow
    private var lines: HostLines
    var repeated: RepeatedAddresses
    /// Where photos are compared by their bytes.
    var contents: RepeatedContents?
    var summary: DevelopmentSummary
    var tasks: [Int: RowTask] = [:]
    /// By row; of those that wait for another try, and of those that are tried again.
    var attempts: [Int: EarlierAttempts] = [:]
    /// By row; of those whose photo is that of another one.
    var arrivals: [Int: RepeatedArrival] = [:]
    /// Rows that came to an end of which the journal is not told: what stopped the run may be mended.
    var unwritten: [Int: ReportRow] = [:]
    /// Tells whoever waits for the end.
    var whenOver: (@Sendable (DevelopmentSummary) -> Void)?
    /// Told once that all rows that are left only wait.
    var whenOnlyWaiting: (@Sendable () -> Void)?
    /// Somebody reads on in the catalog.
    private var isReading = false

    init(
        window: AdmissionWindow, lines: HostLines, repeated: RepeatedAddresses, contents: RepeatedContents?,
        summary: DevelopmentSummary
    ) {
        (self.window, self.lines, self.repeated) = (window, lines, repeated)
        (self.contents, self.summary) = (contents, summary)
    }

    // MARK: - Reading on

    /// Whether the caller is the one who reads on now, as nobody did.
    mutating func beginReading() -> Bool {
        defer { isReading = true }
        return !isReading
    }

    /// The next row for the one who reads on; nil where there is none now, and nobody reads on.
    mutating func nextRow() -> Int? {
        let index = window.admit(hasRoom: lines.hasRoom)
        if index == nil { isReading = false }
        return index
    }

    // MARK: - Rows

    /// What is to be done with a row that has an address to fetch. One that is kept back waits as well.
    ///
    /// - Parameter host: In whose line it goes where it is to be developed.
    mutating func begin(_ index: Int, of host: WebAddress.Origin?) -> RepeatedAddresses.Role {
        let role = repeated.begin(index)
        switch role {
        case .develop:
            if let host, !lines.enter(index, of: host, mayKeepBack: window.mayKeepBack) {
                window.keepBack()
                return .wait
            }
            window.putAside()
        case .wait: window.park()
        case .takeOver: break
        }
        return role
    }

    /// A row goes back into its host's line, for another try.
    mutating func putAsideAgain(_ index: Int, of host: WebAddress.Origin?, _ earlier: EarlierAttempts) {
        tasks[index] = nil
        attempts[index] = earlier
        if let host { lines.enterAgain(host) }
        window.putAsideAgain()
    }

    /// A row that was set aside is inside again.
    ///
    /// - Returns: The row that goes into its host's line now, if one was kept back.
    mutating func takeBack(of host: WebAddress.Origin?) -> Int? {
        window.takeBack()
        let next = host.flatMap { lines.leave($0) }
        if next != nil { window.takeUp() }
        return next
    }

    /// What is to be done with a row whose photo another one has brought before; nil where photos are not compared.
    mutating func join(_ index: Int, _ arrival: RepeatedArrival) -> RepeatedContents.Role? {
        let role = contents?.join(behind: arrival.leader, index)
        if role == nil { return nil }
        tasks[index] = nil
        arrivals[index] = arrival
        summary.progress.repeated += 1
        if case .wait = role { window.park() }
        return role
    }

    /// A row's end counts.
    ///
    /// - Parameter isEnding: Whether it has waited for the journal.
    /// - Returns: The rows that have waited for it.
    mutating func settle(_ index: Int, _ row: ReportRow, isSkipped: Bool, isEnding: Bool) -> [Int] {
        tasks[index] = nil
        summary.count(row, isSkipped: isSkipped)
        // Before this one leaves, as those that wait keep the run from being over.
        let waiting = repeated.finish(index, row.outcome) + (contents?.finish(index, row.outcome) ?? [])
        if isEnding { window.endEnding() } else { window.leave() }
        return waiting
    }

    /// How many rows wait for their turns, where no other one is left and somebody is to be told when they only wait; otherwise nil.
    var waitingToTell: Int? { whenOnlyWaiting != nil && window.onlyHasSetAside ? window.setAside : nil }

    // MARK: - The end

    /// Admits no more.
    ///
    /// - Returns: What is under way.
    mutating func stop(_ reason: DevelopmentSummary.Stop) -> [RowTask] {
        if summary.stop == nil, !window.isOver { summary.stop = reason }
        window.stop()
        // What waits for a row that never begins will not begin either.
        var forgotten = 0
        lines.dropKept { forgotten += repeated.forget($0) }
        window.forget(parked: forgotten)
        return Array(tasks.values)
    }

    /// Who waits for the end, once, when it has come.
    mutating func takeWhenOver() -> (@Sendable (DevelopmentSummary) -> Void)? {
        window.isOver ? whenOver.take() : nil
    }
}

extension DevelopmentSummary {
    /// Counts a row that has come to its end.
    fileprivate mutating func count(_ row: ReportRow, isSkipped: Bool) {
        progress.bytes += row.bytes
        switch row.outcome {
        case .filtered where isSkipped: progress.skipped += 1
        case .filtered(_, let damage):
            progress.filtered += 1
            if damage != nil { progress.damaged += 1 }
        case .failed(let error):
            progress.failed += 1
            failures[error.reason, default: 0] += 1
            if examples.count < Self.mostExamples { examples.append((row.name, error)) }
        case .cancelled: break
        }
    }
}
