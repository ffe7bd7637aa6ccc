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
    var exclusionKeys: Set<ExclusionKey> = []
    /// What stands for these keys.
    var sharedKeys: [SharedKey] = []
    /// Readers of `states`, in the order of coming. Replaced by another array and not changed in place: others read the
    /// one that they got under the mutex after they have left it.
    var stateObservers: [(number: Int, observer: StateObserver)] = []
    /// How many there have been.
    var stateObserverCount = 0
    /// What it was about, for a trace.
    var phases: [TracePhase] = []
}
