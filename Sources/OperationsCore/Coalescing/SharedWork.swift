/// A piece of shared work and its product, see ``Shared``.
///
/// What it adds is under the lock of its group, too, which makes `@unchecked Sendable` true.
public final class SharedWork<Product: Sendable>: AnySharedWork, @unchecked Sendable {
    private(set) var made: Product?

    @usableFromInline
    override init(
        group: SharedGroup, after upstream: AnySharedWork?, keeping companion: (any Sendable)?, history: [any Sendable]
    ) {
        super.init(group: group, after: upstream, keeping: companion, history: history)
    }

    /// What came of it; nil before there is a product, and once the last one who waited for it has taken it.
    public var product: Product? { group.withLock { _ in made } }

    /// Says what came of it. An operation of the work calls it, at most once, before it finishes.
    ///
    /// - Parameters:
    ///   - product: What the work behind it takes.
    ///   - event: What those who want it are told. Default: nothing.
    ///   - remembered: What those are told who come when the product has been taken; nil, the default, for the same.
    ///   - failed: Whether the product is a failure: those who want it now are given it, and who asks later joins neither this
    ///     work nor what is made from it, but has both done anew. Default: false.
    public func finish(
        with product: Product, telling event: (any Sendable)? = nil, remembering remembered: (any Sendable)? = nil,
        failed: Bool = false
    ) {
        let observers = group.withLock { _ in
            made = product
            if failed { noteFailure() }
            return event.map { note($0, remembered) } ?? []
        }
        for observer in observers { observer.deliver() }
    }

    /// Takes the product for the work behind this one; the last that takes it has it alone.
    ///
    /// - Parameter work: Work that was added after this one. It takes the product once.
    /// - Returns: nil if there is none, as its operation was cancelled.
    public func take(for work: AnySharedWork) -> Product? {
        group.withLock { leavings in
            let product = made
            return work.upstream === self && work.settleClaim(&leavings) ? product : nil
        }
    }

    override var hasProduct: Bool { made != nil }

    override func retire(_ leavings: inout [any Sendable]) {
        super.retire(&leavings)
        if let made { leavings.append(made) }
        made = nil
    }
}
