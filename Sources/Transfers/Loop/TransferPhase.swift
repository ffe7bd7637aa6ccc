/// What an attempt at a transfer is about, as a trace tells it.
enum TransferPhase: Sendable {
    /// It waits for its turn: for a place with its host or in all, for a host that rests, for the time of another attempt.
    case waiting
    /// It has its turn. After a redirect it waits for another one.
    case transferring

    /// What it is called in a timeline.
    var name: StaticString {
        switch self {
        case .waiting: "waiting for a turn"
        case .transferring: "transferring"
        }
    }
}
