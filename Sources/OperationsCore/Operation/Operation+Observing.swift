import Foundation

// Subclasses that keep their own state announce its changes as they would to key-value observing. There is no
// such thing on Linux; the announcements reach the engine alone.
extension Operation {
    /// Announces a change of an overridden property; does nothing.
    public func willChangeValue(forKey key: String) {}

    /// Reports that an overridden property has changed.
    ///
    /// The engine reads `isFinished` after a report of it, and tells observers of the start after one of `isExecuting`. It asks
    /// `isReady` again if it put the operation aside, and reads it once if the operation is in no queue and has not begun, as
    /// Foundation does.
    /// Keys that it does not know are ignored.
    /// - Parameter key: The property's name, with or without `is`.
    public func didChangeValue(forKey key: String) {
        switch key {
        case "isFinished", "finished":
            if isFinished { finishNow() }
        case "isExecuting", "executing": reportOwnStart()
        case "isReady", "ready":
            if transition(.readinessChanged).contains(.reconcile) { core?.reconcile(self) }
            readReadiness()
        default: break
        }
    }

    /// Announces a change of an overridden property; does nothing.
    public func willChangeValue<Value>(for keyPath: KeyPath<Operation, Value>) {}

    /// Reports that an overridden property has changed; see `didChangeValue(forKey:)`.
    public func didChangeValue<Value>(for keyPath: KeyPath<Operation, Value>) {
        if keyPath == \Operation.isFinished {
            didChangeValue(forKey: "isFinished")
        } else if keyPath == \Operation.isExecuting {
            didChangeValue(forKey: "isExecuting")
        } else if keyPath == \Operation.isReady {
            didChangeValue(forKey: "isReady")
        }
    }
}
