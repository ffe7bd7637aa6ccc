/// The operations that one waits for or has waited for, in the order of adding.
///
/// Most have one, as in a chain, which needs no array.
struct DependencyList: RandomAccessCollection {
    private var head: Operation?
    /// Empty while there is no head.
    private var others: [Operation] = []

    var startIndex: Int { 0 }
    var endIndex: Int { head == nil ? 0 : others.count + 1 }

    subscript(index: Int) -> Operation {
        if index == 0, let head { return head }
        return others[index - 1]
    }

    func contains(_ operation: Operation) -> Bool {
        head === operation || !others.isEmpty && others.contains { $0 === operation }
    }

    mutating func append(_ operation: Operation) {
        if head == nil {
            head = operation
        } else {
            others.append(operation)
        }
    }

    /// Takes an operation out, which passes to the caller.
    mutating func remove(at index: Int) -> Operation? {
        guard index == 0 else { return others.remove(at: index - 1) }
        defer { head = others.isEmpty ? nil : others.removeFirst() }
        return head.take()
    }

    mutating func popLast() -> Operation? { others.popLast() ?? head.take() }

    /// Takes over the operations of `list`.
    mutating func moveAll(from list: inout DependencyList) {
        if head == nil { return swap(&self, &list) }
        if let first = list.head.take() { others.append(first) }
        others.append(contentsOf: list.others)
        list.others = []
    }
}
