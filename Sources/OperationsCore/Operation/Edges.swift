// An operation that depends on another one is joined to it by an edge. An edge lies in the dependent: the first one in the
// operation itself, the others in its `EdgeList`. It is linked to the other edges that lead to the same dependency, so that
// either end can take it off without looking for it.

/// Where an edge lies.
struct EdgeLink: Equatable {
    /// The address of the dependent that it is the first edge of, or that of a node and 1.
    private let bits: UInt

    static let none = EdgeLink(bits: 0)

    private init(bits: UInt) { self.bits = bits }

    init(firstOf dependent: Operation) { bits = UInt(bitPattern: Unmanaged.passUnretained(dependent).toOpaque()) }

    init(_ node: UnsafeMutablePointer<EdgeNode>) { bits = UInt(bitPattern: node) | 1 }

    @inline(__always)
    var node: UnsafeMutablePointer<EdgeNode>? { bits & 1 == 0 ? nil : UnsafeMutablePointer(bitPattern: bits & ~1) }

    /// The operation that waits.
    @inline(__always)
    var dependent: Unmanaged<Operation>? {
        if let node { return node.pointee.dependent }
        return UnsafeRawPointer(bitPattern: bits).map { .fromOpaque($0) }
    }

    /// The next edge to the same dependency, the first again after the last; none if it is not linked, because the dependency
    /// has finished.
    @inline(__always)
    var next: EdgeLink {
        get { node?.pointee.next ?? dependent?._withUnsafeGuaranteedRef { $0.nextEdge } ?? .none }
        nonmutating set {
            if let node { return node.pointee.next = newValue }
            dependent?._withUnsafeGuaranteedRef { $0.nextEdge = newValue }
        }
    }

    /// The one that has this as its next.
    @inline(__always)
    var previous: EdgeLink {
        get { node?.pointee.previous ?? dependent?._withUnsafeGuaranteedRef { $0.previousEdge } ?? .none }
        nonmutating set {
            if let node { return node.pointee.previous = newValue }
            dependent?._withUnsafeGuaranteedRef { $0.previousEdge = newValue }
        }
    }
}

/// The edges of one dependent: mostly one or none, which needs no list. They keep the dependencies alive.
enum Edges {
    case none
    case one(Operation)
    case many(EdgeList)

    var isEmpty: Bool { if case .none = self { true } else { false } }

    /// Where the edge to an operation lies; nil if there is none.
    func link(to dependency: Operation, of dependent: Operation) -> EdgeLink? {
        switch self {
        case .none: return nil
        case .one(let only): return only === dependency ? EdgeLink(firstOf: dependent) : nil
        case .many(let list):
            if list.head === dependency { return EdgeLink(firstOf: dependent) }
            return list.find(dependency).map { EdgeLink($0) }
        }
    }

    @inline(__always)
    mutating func append(_ dependency: Operation, of dependent: Operation) -> EdgeLink {
        switch self {
        case .none:
            self = .one(dependency)
            return EdgeLink(firstOf: dependent)
        case .one(let only):
            let list = EdgeList(only)
            self = .many(list)
            return EdgeLink(list.append(dependency, of: dependent))
        case .many(let list): return EdgeLink(list.append(dependency, of: dependent))
        }
    }

    /// Takes out an edge that is not linked.
    /// - Returns: Its dependency, to be released with no lock held.
    mutating func remove(_ edge: EdgeLink) -> Operation? {
        switch self {
        case .none: return nil
        case .one(let only):
            self = .none
            return only
        case .many(let list): return edge.node.map { list.remove($0) } ?? list.head.take()
        }
    }

    /// The dependencies, in the order of adding.
    var dependencies: [Operation] {
        switch self {
        case .none: return []
        case .one(let only): return [only]
        case .many(let list):
            var all = list.head.map { [$0] } ?? []
            all.reserveCapacity(list.count + 1)
            list.forEach { all.append($0.pointee.dependency.takeUnretainedValue()) }
            return all
        }
    }

    /// Visits the edges with their dependencies.
    func forEach(of dependent: Operation, _ body: (EdgeLink, Operation) -> Void) {
        switch self {
        case .none: return
        case .one(let only): body(EdgeLink(firstOf: dependent), only)
        case .many(let list):
            if let head = list.head { body(EdgeLink(firstOf: dependent), head) }
            list.forEach { node in node.pointee.dependency._withUnsafeGuaranteedRef { body(EdgeLink(node), $0) } }
        }
    }
}

/// An edge beyond the first of its dependent. It keeps the dependency alive.
struct EdgeNode {
    let dependency: Unmanaged<Operation>
    let dependent: Unmanaged<Operation>
    var next = EdgeLink.none
    var previous = EdgeLink.none
    /// The edges of the same dependent, in the order of adding.
    fileprivate var nextSibling: UnsafeMutablePointer<EdgeNode>?
    fileprivate var previousSibling: UnsafeMutablePointer<EdgeNode>?
}

/// The edges of one dependent beyond the first, in the order of adding.
///
/// Nodes lie in slabs, and what a removed one leaves is used again, so that those who come and go leave nothing behind. Finding
/// one among many goes through an index, which is made when somebody looks: most lists are appended to, read once and dropped.
final class EdgeList {
    typealias Node = UnsafeMutablePointer<EdgeNode>

    /// From so many on an index is quicker than looking through them.
    static let indexedFrom = 16
    private static let largestSlab = 1_024

    // The dependent's lock is what makes accesses exclusive; the run-time checks would cost more than the rest.
    /// The dependency of the first edge, which does not lie in here.
    @exclusivity(unchecked) var head: Operation?
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var first: Node?
    @exclusivity(unchecked) private var last: Node?
    @exclusivity(unchecked) private var slabs: [Node] = []
    /// The part of the last slab that has not been used: where it begins, and how many nodes it has.
    @exclusivity(unchecked) private var nextUnused: Node?
    @exclusivity(unchecked) private var unused = 0
    @exclusivity(unchecked) private var slabSize = 1
    @exclusivity(unchecked) private var removed: [Node] = []
    @exclusivity(unchecked) private var index: [UnsafeMutableRawPointer: Node]?

    init(_ head: Operation?) { self.head = head }

    deinit {
        forEach { $0.pointee.dependency.release() }
        for slab in slabs { slab.deallocate() }
    }

    func append(_ dependency: Operation, of dependent: Operation) -> Node {
        let (dependency, dependent) = (Unmanaged.passRetained(dependency), Unmanaged.passUnretained(dependent))
        let node = room()
        node.initialize(to: EdgeNode(dependency: dependency, dependent: dependent, previousSibling: last))
        if let last { last.pointee.nextSibling = node } else { first = node }
        last = node
        count += 1
        if index != nil { index?[dependency.toOpaque()] = node }
        return node
    }

    private func room() -> Node {
        if !removed.isEmpty { return removed.removeLast() }
        if let node = nextUnused, unused > 0 {
            unused -= 1
            nextUnused = node + 1
            return node
        }
        slabSize = min(2 * slabSize, Self.largestSlab)
        let slab = Node.allocate(capacity: slabSize)
        slabs.append(slab)
        unused = slabSize - 1
        nextUnused = slab + 1
        return slab
    }

    func find(_ dependency: Operation) -> Node? {
        let address = Unmanaged.passUnretained(dependency).toOpaque()
        if index == nil, count >= Self.indexedFrom {
            var made: [UnsafeMutableRawPointer: Node] = [:]
            made.reserveCapacity(count)
            forEach { made[$0.pointee.dependency.toOpaque()] = $0 }
            index = made
        }
        if let index { return index[address] }
        var node = first
        while let current = node, current.pointee.dependency.toOpaque() != address {
            node = current.pointee.nextSibling
        }
        return node
    }

    func remove(_ node: Node) -> Operation {
        let (previous, next) = (node.pointee.previousSibling, node.pointee.nextSibling)
        if let previous { previous.pointee.nextSibling = next } else { first = next }
        if let next { next.pointee.previousSibling = previous } else { last = previous }
        count -= 1
        index?[node.pointee.dependency.toOpaque()] = nil
        removed.append(node)
        return node.pointee.dependency.takeRetainedValue()
    }

    func forEach(_ body: (Node) -> Void) {
        var node = first
        while let current = node {
            body(current)
            node = current.pointee.nextSibling
        }
    }
}
