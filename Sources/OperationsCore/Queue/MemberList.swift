/// The operations of one queue that have not finished, in the order of adding.
///
/// Linked through the operations themselves, so that leaving is O(1). The list holds a reference to each.
struct MemberList {
    private(set) var first: Unmanaged<Operation>?
    private var last: Unmanaged<Operation>?
    private(set) var count = 0

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

    var all: [Operation] {
        var operations: [Operation] = []
        operations.reserveCapacity(count)
        forEach { operations.append($0) }
        return operations
    }

    /// Visits the operations; `body` must not change the list.
    func forEach(_ body: (Operation) -> Void) {
        var member = first
        while let current = member {
            current._withUnsafeGuaranteedRef { operation in
                body(operation)
                member = operation.nextMember
            }
        }
    }
}
