/// What `OperationQueue` has beyond Foundation's class; see ``OperationAdditions`` for why it is a protocol's extension.
public protocol OperationQueueAdditions: AnyObject {}

extension OperationQueue: OperationQueueAdditions {}
