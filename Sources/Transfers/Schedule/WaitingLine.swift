/// A host's waiting items by priority, as places in a table of links; each change takes the same time at any length.
struct WaitingLine {
    /// A place in the table; -1 for none.
    typealias Place = Int32

    /// An item's neighbours in its line.
    struct Link {
        var before: Place = -1
        var behind: Place = -1
    }

    private struct Ends {
        var first: Place = -1
        var last: Place = -1
    }

    /// The priorities, from 0 on.
    static let levels = 6
    /// The highest one, of what passes a line that is held.
    static let passing = 5

    private var ends = InlineArray<6, Ends>(repeating: Ends())
    private(set) var count: Int32 = 0

    var isEmpty: Bool { count == 0 }

    func isEmpty(at level: Int) -> Bool { ends[level].first < 0 }

    /// The item whose turn it is at a level; -1 for none.
    func first(at level: Int) -> Place { ends[level].first }

    mutating func append(_ place: Place, at level: Int, in link: (Place, (inout Link) -> Void) -> Void) {
        let last = ends[level].last
        link(place) { $0 = Link(before: last) }
        if last < 0 { ends[level].first = place } else { link(last) { $0.behind = place } }
        ends[level].last = place
        count += 1
    }

    mutating func prepend(_ place: Place, at level: Int, in link: (Place, (inout Link) -> Void) -> Void) {
        let first = ends[level].first
        link(place) { $0 = Link(behind: first) }
        if first < 0 { ends[level].last = place } else { link(first) { $0.before = place } }
        ends[level].first = place
        count += 1
    }

    mutating func remove(_ place: Place, at level: Int, in link: (Place, (inout Link) -> Void) -> Void) {
        var own = Link()
        link(place) {
            own = $0
            $0 = Link()
        }
        if own.before < 0 { ends[level].first = own.behind } else { link(own.before) { $0.behind = own.behind } }
        if own.behind < 0 { ends[level].last = own.before } else { link(own.behind) { $0.before = own.before } }
        count -= 1
    }
}
