/// Work that several want, by key: done once, held by all who want it, and cancelled when the last of them lets go.
///
/// Where ``SharedTasks`` shares one asynchronous function, this shares chains of operations: work of one table may be made from
/// the product of work in another (a thumbnail from a transfer), and each piece of the chain is shared by whoever comes to
/// it. A product is handed along the dependency, and is the last taker's alone. The tables of one ``SharedGroup`` are
/// looked up together.
///
/// ```swift
/// import Operations
///
/// let group = SharedGroup()
/// let texts = Shared<String, String>(in: group)
/// let lengths = Shared<String, Int>(in: group)
/// let queue = OperationQueue()
///
/// func length(of name: String) -> SharedHold<Int>? {
///     group.hold { access in
///         if let work = lengths.work(for: name, &access) { return work }
///         let text = texts.work(for: name, &access) ?? texts.add(name, &access) { work in
///             [(BlockOperation { work.finish(with: "the text of \(name)") }, queue)]
///         }
///         return lengths.add(name, after: text, &access) { work in
///             [(BlockOperation {
///                 if let text = text.take(for: work) { work.finish(with: text.count) }
///             }, queue)]
///         }
///     }
/// }
///
/// queue.isSuspended = true
/// let holds = [length(of: "dunes"), length(of: "dunes")]
/// for hold in holds { hold?.start {} }
/// queue.isSuspended = false
/// queue.waitUntilAllOperationsAreFinished()
/// print(holds.map { $0?.take() ?? 0 })
/// ```
/// ```text
/// [17, 17]
/// ```
// The works are under the lock of the group, which makes `@unchecked Sendable` true.
public final class Shared<Key: Hashable & Sendable, Product: Sendable>: @unchecked Sendable {
    // The tables are specialised where they are used: their keys are hashed and compared for each photo of a list, say.
    @usableFromInline let group: SharedGroup
    @usableFromInline var works: [Key: SharedWork<Product>] = [:]

    /// An empty table.
    /// - Parameter group: What it is looked up together with; kept alive.
    public init(in group: SharedGroup) {
        self.group = group
    }

    /// How many keys have work that somebody wants.
    public var count: Int { group.withLock { _ in works.count } }

    /// The work of a key, if there is some that can be joined: that is on its way, or is done while somebody has yet to take
    /// its product, and has not failed.
    /// - Parameter access: What ``SharedGroup/hold(priority:observer:takesProduct:_:)`` gives.
    @inlinable
    public func work(for key: Key, _ access: inout SharedAccess) -> SharedWork<Product>? {
        works[key].flatMap { $0.canBeJoined ? $0 : nil }
    }

    /// Adds work for a key, in place of what was there.
    ///
    /// - Parameters:
    ///   - key: What it is for.
    ///   - upstream: The work whose product it takes; its last operation is what the first one of this work waits for. Default:
    ///     none.
    ///   - companion: What belongs to the work and is let go when its product was taken, or nobody will take one. Default:
    ///     nothing.
    ///   - history: What those who want it are told first. Default: nothing.
    ///   - access: What ``SharedGroup/hold(priority:observer:takesProduct:_:)`` gives.
    ///   - operations: Makes the operations, at least one, with the queue that each is for. Each depends on the one before. One
    ///     of them says what came of it, by ``SharedWork/finish(with:telling:remembering:failed:)``. They are added to their queues by
    ///     ``SharedHold/start(whenOver:)``; their completion blocks are taken.
    @inlinable
    public func add(
        _ key: Key, after upstream: AnySharedWork? = nil, keeping companion: (any Sendable)? = nil,
        history: [any Sendable] = [], _ access: inout SharedAccess,
        operations: (SharedWork<Product>) -> [(operation: Operation, queue: OperationQueue)]
    ) -> SharedWork<Product> {
        let work = SharedWork<Product>(group: group, after: upstream, keeping: companion, history: history)
        works[key] = work
        access.add(work, operations(work)) { [weak self, unowned work] leavings in
            guard let self, let index = works.index(forKey: key), works[index].value === work else { return }
            // Not the key that the closure has, if it was there before.
            let (key, work) = works.remove(at: index)
            leavings += [key, work]
        }
        return work
    }
}
