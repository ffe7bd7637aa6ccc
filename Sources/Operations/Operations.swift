@_exported public import OperationsCore

@_exported public import class OperationsCore.BlockOperation
@_exported public import class OperationsCore.Operation
@_exported public import class OperationsCore.OperationQueue
