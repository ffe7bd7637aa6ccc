/// How many hosts are what at present; each host is one of these, or none.
struct HostClasses: Equatable {
    enum Kind {
        /// Something runs with it.
        case working
        /// It is left alone for a while.
        case resting
        /// It is left alone, as it failed after the longest rest, too.
        case givenUp
    }

    private(set) var working = 0
    private(set) var resting = 0
    private(set) var givenUp = 0

    /// All that are left alone.
    var atRest: Int { resting + givenUp }

    /// A host becomes another kind than it was counted as.
    mutating func move(from old: inout Kind?, to new: Kind?) {
        guard old != new else { return }
        add(-1, to: old)
        add(1, to: new)
        old = new
    }

    private mutating func add(_ number: Int, to kind: Kind?) {
        switch kind {
        case .working: working += number
        case .resting: resting += number
        case .givenUp: givenUp += number
        case nil: break
        }
    }
}
