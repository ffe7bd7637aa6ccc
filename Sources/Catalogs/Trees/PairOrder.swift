/// Watches that keys and values follow one another in containers that nobody reads.
struct PairOrder {
    private enum Place { case array, key, value }

    private var open: [Place]

    init(isDictionary: Bool) { open = [isDictionary ? .key : .array] }

    /// What is wrong with a token where it stands.
    mutating func flaw(at token: TreeToken) -> EntryFlaw.Kind? {
        guard let place = open.last else { return nil }
        switch token {
        case .key:
            if place == .key { open[open.count - 1] = .value }
            return place == .value ? .missingValue : nil
        case .dictionaryEnd, .arrayEnd:
            open.removeLast()
            return place == .value ? .missingValue : nil
        // It is told already, and may stand for either.
        case .flaw, .end:
            if place == .value { open[open.count - 1] = .key }
            return nil
        case .dictionaryStart, .arrayStart, .text, .other:
            if place == .value { open[open.count - 1] = .key }
            if case .dictionaryStart = token { open.append(.key) }
            if case .arrayStart = token { open.append(.array) }
            return place == .key ? .missingKey : nil
        }
    }
}
