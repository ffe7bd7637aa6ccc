import OperationsCore

/// Hosts that are left alone for a time, and what need not wait for them.
extension TransferSchedule {
    /// Why an item is not started.
    enum Refusal: Equatable {
        /// The host said that it is not to be asked for this long, which is longer than the item waits.
        case refused(TransferError, rest: Duration)
        /// The host has had its chances; that is what it failed with last.
        case givenUp(TransferError)
    }

    /// A host that is left alone from now on.
    struct Rest {
        let host: Host
        let length: Duration
        let reason: TransferError
    }

    /// The rest that a host has now, if it has one.
    func rest(of line: Int32, at now: Duration) -> Rest? {
        let known = hosts[line]
        guard let host = known.host, known.health.restEnd > now else { return nil }
        return Rest(host: host, length: known.health.restEnd - now, reason: known.health.failure)
    }

    /// A rest has begun, has become longer or is over.
    mutating func beginRest(_ line: Int32, at now: Duration) {
        setResting(line, hosts[line].health.restEnd > now)
        // Those whom this is too long need not wait.
        for level in 0..<WaitingLine.levels {
            var place = hosts[line].waiting.first(at: level)
            while place >= 0 {
                let behind = items[place].link.behind
                if let reason = refusal(of: place, at: now) { refuse(place, reason) }
                place = behind
            }
        }
    }

    /// Whether just so many items are meant, and all of them wait for a time, for a host that rests, or for one that is being tried after its
    /// rest.
    func onlyWait(_ count: Int, at now: Duration, where isMeant: (Item) -> Bool) -> Bool {
        let found = items.count(where: isMeant) { slot in
            let host = hosts[slot.host]
            return slot.isTimed || host.health.restEnd > now || host.health.isOnProbation && host.running > 0
        }
        return found == count
    }

    /// Counts a host among those that rest, or does not any more.
    mutating func setResting(_ line: Int32, _ isResting: Bool) {
        hosts[line].isResting = isResting
        classify(line)
    }

    /// Counts a host as what it is now.
    mutating func classify(_ line: Int32) {
        let kind: HostClasses.Kind? =
            if hosts[line].isResting {
                hosts[line].health.isGivenUp ? .givenUp : .resting
            } else {
                hosts[line].running > 0 ? .working : nil
            }
        classes.move(from: &hosts[line].countedAs, to: kind)
    }

    /// Why an item need not wait for its host.
    func refusal(of place: WaitingLine.Place, at now: Duration) -> Refusal? {
        let health = hosts[items[place].host].health
        let rest = health.restEnd - now
        guard rest > .zero else { return nil }
        if health.isGivenUp { return .givenUp(health.failure) }
        return health.isNamed && rest > items[place].patience ? .refused(health.failure, rest: rest) : nil
    }

    /// Takes an item out of its line, to be handed out as refused.
    mutating func refuse(_ place: WaitingLine.Place, _ reason: Refusal) {
        leave(place)
        if let item = items.remove(place) { refused.append((item, reason)) }
    }
}
