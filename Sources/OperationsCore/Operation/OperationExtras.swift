import Foundation

/// What most operations never have, made on first use and guarded by the operation's mutex.
final class OperationExtras {
    var name: String?
    var completionBlock: (@Sendable () -> Void)?
    var error: (any Error)?
    /// The operation's part of its queue's progress, for one that finishes after `start()` returned.
    var progress: Progress?
    /// Blocks of a `BlockOperation` beyond the first.
    var blocks: [@Sendable () -> Void] = []
    /// Who asked to be told when it has finished.
    var finishHandlers: [@Sendable () -> Void] = []
    /// Dependents in no queue, whose `isReady` is read then. Edges do not keep dependents alive, nor does this.
    var askedDependents = WeakOperations()
    var exclusionKeys: Set<ExclusionKey> = []
    /// What stands for these keys.
    var sharedKeys: [SharedKey] = []
    /// Readers of `states`, by their numbers, which are in the order of coming.
    var stateObservers: [Int: StateObserver] = [:]
    /// How many there have been.
    var stateObserverCount = 0
    /// When and where its `start()` was called, if that has returned and nobody was told.
    var start: EventHub.Moment?
    /// It has reported that it works, in a `start()` of its own, before it was in a queue.
    var hasReportedStart = false
    /// What it was about, for a trace.
    var phases: [TracePhase] = []
}
