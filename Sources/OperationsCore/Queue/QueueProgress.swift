import Foundation
import Synchronization

/// The progress of a queue, by Foundation's rules: nothing is counted until somebody sets its total, and then
/// every operation that runs is one unit.
final class QueueProgress: Sendable {
    private let storage = Lock<Whole?>(nil)
    private let isOn = Atomic<Bool>(false)
    /// Foundation's `Progress` on Linux loses and repeats units when children of one change on several threads at once.
    private let tree = Monitor()

    /// One test for the queues whose progress nobody watches.
    @inline(__always)
    var isReporting: Bool { isOn.load(ordering: .acquiring) }

    var whole: Progress {
        storage.withLock { whole in
            if let whole { return whole }
            let made = Whole(owner: self)
            whole = made
            return made
        }
    }

    /// Runs an operation's `main()` as one unit; progress that it makes current becomes part of that.
    func reporting(_ main: () -> Void) {
        let part = makePart()
        part.becomeCurrent(withPendingUnitCount: 1)
        defer { tree.withLock { part.resignCurrent() } }
        main()
    }

    /// Counts the rest of an operation's unit.
    func complete(_ part: Progress) {
        tree.withLock { part.completedUnitCount = part.totalUnitCount }
    }

    /// One unit of the whole, for one operation.
    func makePart() -> Progress {
        let part = Progress(parent: nil, userInfo: nil)
        part.totalUnitCount = 1
        let whole = whole
        tree.withLock { whole.addChild(part, withPendingUnitCount: 1) }
        return part
    }

    /// Notices that its total is set. Its own lock is `Progress`'s; the reference back is weak, since a program
    /// may hold the progress for longer than the queue lives.
    private final class Whole: Progress, @unchecked Sendable {
        private weak var owner: QueueProgress?

        init(owner: QueueProgress) {
            self.owner = owner
            super.init(parent: nil, userInfo: nil)
        }

        override var totalUnitCount: Int64 {
            get { super.totalUnitCount }
            set {
                super.totalUnitCount = newValue
                owner?.isOn.store(true, ordering: .releasing)
            }
        }
    }
}
