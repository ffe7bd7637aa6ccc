/// Operations of one queue whose words have changed: mostly one, which needs no list. The state takes it over.
struct Woken {
    private final class Others {
        // Whoever fills it is the only one who knows of it.
        @exclusivity(unchecked) var list: [Unmanaged<Operation>]

        init(_ list: [Unmanaged<Operation>] = []) { self.list = list }
    }

    private var first: Unmanaged<Operation>?
    private var others: Unmanaged<Others>?

    init() {}

    /// Of one that is alive until the queue has been told.
    init(_ operation: Operation) { first = .passUnretained(operation) }

    /// Of many that are.
    init(_ operations: ArraySlice<Operation>) {
        others = .passRetained(
            Others(operations.withUnsafeBufferPointer { $0.map { Unmanaged.passUnretained($0) } }))
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
