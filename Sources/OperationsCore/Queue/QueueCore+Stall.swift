import Dispatch

#if DEBUG
    // In debug builds a queue that has operations and starts none for a second says why, if it can tell.
    extension QueueCore {
        private static let patience = DispatchTimeInterval.seconds(1)

        /// Looks into a stall after a while; `turn` is the count of work taken when it began.
        func lookIntoStall(at turn: UInt64) {
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.patience) { [weak self] in
                guard let self, monitor.withLock({ self.state.isStalled && self.state.turns == turn }) else { return }
                for issue in diagnose().issues { Log.report("Queue '\(name)' does not get on. \(issue)") }
            }
        }
    }
#endif
