import Foundation

/// What most operations never have, made on first use and guarded by the operation's mutex.
final class OperationExtras {
    var name: String?
    var completionBlock: (@Sendable () -> Void)?
    var error: (any Error)?
    /// The operation's part of its queue's progress, for one that finishes after `start()` returned.
    var progress: Progress?
    /// Dependents beyond the first.
    @exclusivity(unchecked) var dependents = OperationList()
    /// Blocks of a `BlockOperation` beyond the first.
    var blocks: [@Sendable () -> Void] = []
    /// Who asked to be told when it has finished.
    var finishHandlers: [@Sendable () -> Void] = []
    var exclusionKeys: Set<ExclusionKey> = []
    /// Readers of `states`.
    var stateObservers: [Int: StateObserver] = [:]
    /// How many there have been.
    var stateObserverCount = 0
}
