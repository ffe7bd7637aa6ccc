/// Operations that are on their way into a queue, in the order of adding.
///
/// Linked through `nextMember`, so that adding a list of any length to another costs the same. The list holds a reference to
/// each.
struct ArrivalList {
    private(set) var first: Unmanaged<Operation>?
    private var last: Unmanaged<Operation>?
    private(set) var count = 0

    @inline(__always)
    var isEmpty: Bool { first == nil }

    /// Puts an operation before the others, with a reference to it.
    @inline(__always)
    mutating func prepend(_ operation: Unmanaged<Operation>) {
        operation._withUnsafeGuaranteedRef { $0.nextMember = first }
        first = operation
        if last == nil { last = operation }
        count += 1
    }

    mutating func append(_ other: ArrivalList) {
        if let last {
            last._withUnsafeGuaranteedRef { $0.nextMember = other.first }
        } else {
            first = other.first
        }
        if let end = other.last { last = end }
        count += other.count
    }

    /// Takes the first one out, with the reference to it.
    @inline(__always)
    mutating func popFirst() -> Unmanaged<Operation>? {
        guard let operation = first else { return nil }
        first = operation._withUnsafeGuaranteedRef { $0.nextMember }
        if first == nil { last = nil }
        count -= 1
        return operation
    }
}
