/// Operations of one queue whose words have changed: mostly one, which needs no list. The state takes it over.
struct Woken {
    private final class Others {
        var list: [Unmanaged<Operation>] = []
    }

    private var first: Unmanaged<Operation>?
    private var others: Unmanaged<Others>?

    init() {}

    init(_ operations: some Sequence<Operation>) {
        for operation in operations { append(operation) }
    }

    /// Adds one that is alive until the queue has been told.
    @inline(__always)
    mutating func append(_ operation: Operation) {
        if first == nil { return first = .passUnretained(operation) }
        let others = others ?? .passRetained(Others())
        self.others = others
        others._withUnsafeGuaranteedRef { $0.list.append(.passUnretained(operation)) }
    }

    /// Hands each to `body`, once.
    @inline(__always)
    consuming func take(_ body: (Operation) -> Void) {
        first?._withUnsafeGuaranteedRef(body)
        for other in others?.takeRetainedValue().list ?? [] { other._withUnsafeGuaranteedRef(body) }
    }
}
