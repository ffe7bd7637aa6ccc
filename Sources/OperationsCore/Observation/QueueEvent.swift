import Foundation

/// Something that happened to an operation of a queue.
public struct QueueEvent: Sendable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// It was added to the queue.
        case added
        /// It may start as soon as there is a place: it waits for nothing else. May come again if it had to wait anew.
        case ready
        /// It began to execute. An operation that was cancelled before has no such event.
        case started
        /// It finished, cancelled or not.
        case finished
    }

    /// What happened.
    public let kind: Kind
    /// What it happened to.
    public let operation: Operation
    /// Of one that finished, where somebody asked for them: what it depended on then.
    var dependencies: [Operation] = []
    /// The same: what it was about, and since when.
    var phases: [TracePhase] = []
    /// When, by the queue's clock, since the queue was made.
    public let time: Duration
    /// The thread on which it happened, as a number that is unique while that thread lives.
    let thread: UInt64
}
