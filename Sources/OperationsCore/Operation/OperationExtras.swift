import Foundation

/// What most operations never have, made on first use and guarded by the operation's mutex.
final class OperationExtras {
    var name: String?
    var completionBlock: (@Sendable () -> Void)?
    var error: (any Error)?
    /// The operation's part of its queue's progress, for one that finishes after `start()` returned.
    var progress: Progress?
    /// Dependents beyond the first, with how often each is registered.
    ///
    /// An edge that one thread removes while another adds it anew is registered twice for a moment.
    var dependents: [UnsafeMutableRawPointer: Int] = [:]
    /// The dependencies, once they are too many to look through.
    var dependencyIndex: Set<ObjectIdentifier> = []
    /// Blocks of a `BlockOperation` beyond the first.
    var blocks: [@Sendable () -> Void] = []
    /// Who asked to be told when it has finished.
    var finishHandlers: [@Sendable () -> Void] = []
    var exclusionKeys: Set<ExclusionKey> = []
    /// Readers of `states`.
    var stateObservers: [StateObserver] = []
}
