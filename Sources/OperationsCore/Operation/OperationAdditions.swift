/// What `Operation` has beyond Foundation's class.
///
/// These are members of a protocol's extension, so that a subclass may declare the same names in its own way, as code that
/// was written for Foundation's class does: its own declaration is then the one that it gets. The engine itself never goes
/// by these names, and a declaration of a subclass changes nothing for it.
public protocol OperationAdditions: AnyObject {}

extension Operation: OperationAdditions {}
