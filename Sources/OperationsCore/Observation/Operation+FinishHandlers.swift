extension Operation {
    /// Has `handler` called once when the operation has finished, on the thread that finished it, with no lock held, after
    /// those who asked earlier.
    /// - Returns: False if it has finished already; then `handler` is not called.
    final func notifyAtFinish(_ handler: @escaping @Sendable () -> Void) -> Bool {
        locked {
            guard transition(.addWaiter).contains(.accepted) else { return false }
            let extras = self.extras ?? OperationExtras()
            self.extras = extras
            extras.finishHandlers.append(handler)
            return true
        }
    }

    /// Calls those who asked to be told of the finish.
    final func callFinishHandlers() {
        let handlers = withExtras { extras in
            let handlers = extras.finishHandlers
            extras.finishHandlers = []
            return handlers
        }
        for handler in handlers { handler() }
        askDependentsForReadiness()
    }
}
