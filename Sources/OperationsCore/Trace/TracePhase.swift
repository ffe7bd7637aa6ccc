/// What an operation was about from some time on.
struct TracePhase: Sendable {
    let name: StaticString
    /// By the queue's clock, since the queue was made.
    let began: Duration
}

extension Operation {
    /// Says what the operation is about from now on, such as waiting for somebody or working: in the timeline of a trace that is
    /// a slice within the operation's own, to the next one or to its end.
    ///
    /// For asynchronous operations, while they execute, from any thread. Without a trace of its queue it costs the test of a flag.
    package final func enterPhase(_ name: StaticString) {
        guard let hub = enqueuedCore?.hub, hub.isTraced else { return }
        let phase = TracePhase(name: name, began: hub.elapsed)
        withExtras { $0.phases.append(phase) }
    }

    /// What it was about so far.
    final var notedPhases: [TracePhase] { locked { extras?.phases ?? [] } }
}
