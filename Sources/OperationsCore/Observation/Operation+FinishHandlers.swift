extension Operation {
    /// Has `handler` called once when the operation has finished, on the thread that finished it, with no lock held, after
    /// those who asked earlier.
    /// - Returns: False if it has finished already; then `handler` is not called.
    final func notifyAtFinish(_ handler: @escaping @Sendable () -> Void) -> Bool {
        withExtras(accepting: .addWaiter) { $0.finishHandlers.append(handler) } != nil
    }

    /// Calls those who asked to be told of the finish, and has the readiness of dependents read that are in no queue.
    final func callFinishHandlers() {
        let (handlers, dependents) = withExtras { extras in
            defer { (extras.finishHandlers, extras.askedDependents) = ([], WeakOperations()) }
            return (extras.finishHandlers, extras.askedDependents.all)
        }
        for handler in handlers { handler() }
        for dependent in dependents { dependent.askReadiness() }
    }
}
