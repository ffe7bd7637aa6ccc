/// Requests a second to one host.
extension TransferSchedule {
    /// A request of a turn is about to be sent.
    /// - Returns: Whether it may be. The first one may; of those that follow each needs a turn of its own, if the pace does not
    ///   happen to let it go.
    mutating func maySend(_ turn: inout Turn, at now: Duration) -> Bool {
        guard turn.isPaced, let pace = hosts[turn.host].pace else { return true }
        guard turn.isUnsent else { return paces.sendAnother(pace, at: now) }
        turn.isUnsent = false
        paces.send(pace, at: now)
        for line in paces.lines(of: pace) { standUp(line, at: now) }
        return true
    }

    /// A turn ends whose request was not sent.
    mutating func giveUpSending(_ line: Int32, at now: Duration) {
        guard let pace = hosts[line].pace else { return }
        paces.giveUp(pace)
        for other in paces.lines(of: pace) where other != line { standUp(other, at: now) }
    }

    /// When a host may be asked, by its pace.
    func paceTime(of line: KnownHost<Host>) -> Duration {
        guard let pace = line.pace else { return .zero }
        return paces.nextTime(pace) ?? KnownHost<Host>.forever
    }

    /// Whether a host need not be remembered for when it was asked.
    func hasIdlePace(_ line: Int32, at now: Duration) -> Bool {
        hosts[line].pace.map { paces.isIdle($0, at: now) } ?? true
    }
}
