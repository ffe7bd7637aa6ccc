/// The operations that one waits for or has waited for, in the order of adding, which it keeps alive.
///
/// Most have one, as in a chain, which needs no list. Whoever drops a `DependencyList` has to empty it before.
struct DependencyList {
    private var head: Operation?
    /// Those after the head, each with a reference to it.
    private var others: Others?

    private final class Others {
        // As exclusive as the list that has it.
        @exclusivity(unchecked) var list = OperationList()
    }

    var isEmpty: Bool { head == nil && others?.list.isEmpty ?? true }

    var all: [Operation] {
        var operations: [Operation] = []
        if let head { operations.append(head) }
        others?.list.forEach { operations.append($0.takeUnretainedValue()) }
        return operations
    }

    /// Whether an operation is in; nil if the answer would take an index that is not there.
    func containsQuickly(_ operation: Operation) -> Bool? {
        if head === operation { return true }
        guard let others else { return false }
        return others.list.isQuickToSearch ? others.list.contains(operation) : nil
    }

    func contains(_ operation: Operation) -> Bool {
        head === operation || others?.list.contains(operation) ?? false
    }

    mutating func append(_ operation: Operation) {
        if isEmpty {
            head = operation
        } else {
            append(.passRetained(operation))
        }
    }

    private mutating func append(_ reference: Unmanaged<Operation>) {
        let others = self.others ?? Others()
        self.others = others
        others.list.append(reference)
    }

    /// Takes an operation out; false if it was not in.
    /// - Parameter operation: The caller has a reference of its own, since the list's is given up here.
    mutating func remove(_ operation: Operation) -> Bool {
        if head === operation {
            head = nil
            return true
        }
        guard let others, others.list.remove(operation) else { return false }
        Unmanaged.passUnretained(operation).release()
        return true
    }

    mutating func popLast() -> Operation? { others?.list.popLast()?.takeRetainedValue() ?? head.take() }

    /// Takes over the operations of `list`, in whatever order.
    mutating func moveAll(from list: inout DependencyList) {
        if isEmpty || others == nil && list.others != nil { swap(&self, &list) }
        while let operation = list.popLast() { append(operation) }
    }
}
