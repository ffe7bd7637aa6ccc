/// Operations that are not kept alive, in the order of coming.
///
/// From time to time those that are gone are dropped, so that there are never many more places than twice the operations.
struct WeakOperations {
    struct Reference {
        weak var operation: Operation?
    }

    private(set) var references: [Reference] = []
    /// With so many of them it looks for those that are gone, and for those that came twice.
    private var crowd = 16

    /// - Returns: Those that it has looked at, to be released with no lock held.
    mutating func insert(_ operation: Operation) -> [Operation] {
        references.append(Reference(operation: operation))
        guard references.count >= crowd else { return [] }
        let all = all
        references = all.map { Reference(operation: $0) }
        crowd = 2 * all.count + 16
        return all
    }

    /// Those that are there, each once.
    var all: [Operation] {
        // Mostly there are none.
        if references.isEmpty { return [] }
        var seen: Set<ObjectIdentifier> = []
        return references.compactMap(\.operation).filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}
