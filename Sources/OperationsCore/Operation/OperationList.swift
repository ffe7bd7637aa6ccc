/// Operations in the order of adding, each once, any of which can be taken out at once. It does not keep them alive.
///
/// Finding one among many goes through an index, which is made when somebody looks and reaches no further than it
/// has to: most lists of dependencies and dependents are appended to, read once and dropped.
struct OperationList {
    typealias Reference = Unmanaged<Operation>

    /// Nil where one was taken out.
    private var entries: [Reference?] = []
    private var gaps = 0
    /// Where the first `indexed` entries stand.
    private var positions: [UnsafeMutableRawPointer: Int] = [:]
    private var indexed = 0

    /// From so many on an index is quicker than looking through them.
    static let indexedFrom = 16

    var isEmpty: Bool { entries.count == gaps }

    /// Looking one up does not need the index, or has it already.
    var isQuickToSearch: Bool { entries.count < Self.indexedFrom || indexed > 0 }

    mutating func append(_ reference: Reference) { entries.append(reference) }

    mutating func contains(_ operation: Operation) -> Bool { position(of: operation) != nil }

    /// Takes an operation out; false if it was not in.
    mutating func remove(_ operation: Operation) -> Bool {
        guard let position = position(of: operation) else { return false }
        positions[Reference.passUnretained(operation).toOpaque()] = nil
        entries[position] = nil
        gaps += 1
        // An operation that stays for long, while others come and go, must not be left with their gaps.
        if gaps > entries.count / 2 {
            entries.removeAll { $0 == nil }
            gaps = 0
            forgetIndex()
        }
        return true
    }

    mutating func popLast() -> Reference? {
        while let last = entries.popLast() {
            if indexed > entries.count { forgetIndex() }
            if let last { return last }
            gaps -= 1
        }
        return nil
    }

    /// Visits the operations in their order; `body` must not change the list.
    @inline(__always)
    func forEach(_ body: (Reference) -> Void) {
        for case let reference? in entries { body(reference) }
    }

    private mutating func position(of operation: Operation) -> Int? {
        let address = Reference.passUnretained(operation).toOpaque()
        guard entries.count >= Self.indexedFrom else { return entries.firstIndex { $0?.toOpaque() == address } }
        for position in indexed..<entries.count {
            if let reference = entries[position] { positions[reference.toOpaque()] = position }
        }
        indexed = entries.count
        return positions[address]
    }

    private mutating func forgetIndex() {
        positions = [:]
        indexed = 0
    }
}
