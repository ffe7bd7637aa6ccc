/// The dictionaries and arrays that a place in a tree's source lies in.
struct OpenContainers {
    /// From the outermost on; true is a dictionary.
    private var isDictionary: [Bool] = []
    private let maximumDepth: Int

    init(maximumDepth: Int) {
        self.maximumDepth = maximumDepth
    }

    var depth: Int { isDictionary.count }

    var isEmpty: Bool { isDictionary.isEmpty }

    /// Whether the innermost one is a dictionary; nil where none is open.
    var isInDictionary: Bool? { isDictionary.last }

    /// Whether the innermost of the first ones is a dictionary; nil where fewer are open.
    func isInDictionary(atDepth depth: Int) -> Bool? {
        depth > 0 && depth <= isDictionary.count ? isDictionary[depth - 1] : nil
    }

    /// One more begins at `offset`.
    mutating func open(dictionary: Bool, at offset: Int) throws(SourceDamage) -> TreeToken {
        guard isDictionary.count < maximumDepth else { throw SourceDamage(offset: offset, reason: nil) }
        isDictionary.append(dictionary)
        return dictionary ? .dictionaryStart : .arrayStart
    }

    /// The innermost one ends.
    mutating func close() -> TreeToken { isDictionary.popLast() ?? false ? .dictionaryEnd : .arrayEnd }

    /// Leaves those that were opened since there were so many.
    mutating func leave(downTo depth: Int) { isDictionary.removeLast(max(0, isDictionary.count - depth)) }
}
