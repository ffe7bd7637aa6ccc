/// The operations of one queue that have not finished, in the order of adding.
///
/// Linked through the operations themselves, so that leaving is O(1). The list holds a reference to each.
struct MemberList {
    private(set) var first: Unmanaged<Operation>?
    private var last: Unmanaged<Operation>?
    private(set) var count = 0
    /// The first that was not looked at yet: all before it are in the store as far as they may start. Nil if all were.
    var unplaced: Unmanaged<Operation>?
    /// The first of those before it that are held back for a while; or one before that, where it has left the list.
    var left: Unmanaged<Operation>?
    /// Where the visits are that are under way; nil at the end of the list.
    private var visits: [Int: Unmanaged<Operation>?] = [:]
    private var lastVisit = 0

    /// Adds an operation with a reference to it.
    mutating func append(_ reference: Unmanaged<Operation>) {
        reference._withUnsafeGuaranteedRef {
            $0.previousMember = last
            $0.nextMember = nil
        }
        if let last {
            last._withUnsafeGuaranteedRef { $0.nextMember = reference }
        } else {
            first = reference
        }
        last = reference
        count += 1
    }

    /// Takes an operation out; the list's reference passes to the caller, who releases it outside the lock.
    mutating func remove(_ operation: Operation) {
        let (previous, next) = (operation.previousMember, operation.nextMember)
        let address = Unmanaged.passUnretained(operation).toOpaque()
        if let unplaced, unplaced.toOpaque() == address { self.unplaced = next }
        if let left, left.toOpaque() == address { self.left = next }
        if !visits.isEmpty {
            for (visit, place) in visits where place?.toOpaque() == address { visits[visit] = .some(next) }
        }
        if let previous {
            previous._withUnsafeGuaranteedRef { $0.nextMember = next }
        } else {
            first = next
        }
        if let next {
            next._withUnsafeGuaranteedRef { $0.previousMember = previous }
        } else {
            last = previous
        }
        operation.previousMember = nil
        operation.nextMember = nil
        count -= 1
    }

    /// Notes that an operation that was looked at is held back for a while.
    mutating func leave(_ operation: Operation) {
        let isFirst = left?._withUnsafeGuaranteedRef { operation.sequence < $0.sequence } ?? true
        if isFirst { left = .passUnretained(operation) }
    }

    /// Has those looked at anew that were left.
    mutating func returnToLeft() {
        if let left { unplaced = left }
        left = nil
    }

    // MARK: Visits

    /// Begins to visit the operations, during which the list may change.
    mutating func beginVisit() -> Int {
        lastVisit += 1
        visits[lastVisit] = .some(first)
        return lastVisit
    }

    /// Goes on with a visit.
    /// - Parameters:
    ///   - most: The most operations that are visited now.
    ///   - operations: Gets those that were visited.
    /// - Returns: False if the visit has come to its end.
    mutating func visit(_ visit: Int, upTo last: UInt64, _ most: Int, _ operations: inout [Operation]) -> Bool {
        var next = visits[visit] ?? nil
        for _ in 0..<most {
            guard let current = next?._withUnsafeGuaranteedRef({ $0.sequence <= last ? $0 : nil }) else {
                visits[visit] = nil
                return false
            }
            operations.append(current)
            next = current.nextMember
        }
        visits[visit] = .some(next)
        return true
    }
}
