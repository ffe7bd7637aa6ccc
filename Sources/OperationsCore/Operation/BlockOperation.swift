import Foundation

/// An operation that runs blocks: concurrently if there are several, and finished when all are.
///
/// It takes one place in its queue's width, however many blocks it has; at most 64 of them run at once. The blocks are released when it finishes.
open class BlockOperation: Operation, @unchecked Sendable {
    /// Under the operation's mutex, once the word says that the blocks are shared, because somebody added or
    /// read some. Before that only the creator and, after the start, the one that runs the operation touch it.
    @exclusivity(unchecked) private final var block: (@Sendable () -> Void)?

    /// How many of its blocks run at once.
    private static let mostThreads = 64

    public override init() {
        super.init()
    }

    /// Creates an operation that runs one block.
    /// - Parameter block: What to run; released when the operation finishes.
    public convenience init(block: @escaping @Sendable () -> Void) {
        self.init()
        self.block = block
    }

    /// Adds a block, which runs beside the others. Adding one after the start traps.
    /// - Parameter block: What to run; released when the operation finishes.
    open func addExecutionBlock(_ block: @escaping @Sendable () -> Void) {
        let isInTime = locked {
            guard transition(.addBlock).contains(.accepted) else { return false }
            if self.block == nil {
                self.block = block
            } else {
                let extras = self.extras ?? OperationExtras()
                self.extras = extras
                extras.blocks.append(block)
            }
            return true
        }
        Misuse.require(isInTime, Misuse.blockAfterStart(self))
    }

    /// The blocks that will run or are running, in the order of adding; none once the operation has finished.
    open var executionBlocks: [@Sendable () -> Void] { sharedBlocks }

    private var sharedBlocks: [@Sendable () -> Void] {
        locked {
            guard transition(.readBlocks).contains(.accepted) else { return [] }
            return (block.map { [$0] } ?? []) + (extras?.blocks ?? [])
        }
    }

    open override func main() {
        let blocks = sharedBlocks
        guard let block = blocks.first else { return }
        let others = blocks.dropFirst()
        if others.isEmpty { return block() }
        let group = BlockGroup(blocks)
        for _ in 0..<min(others.count, Self.mostThreads - 1) { runBeside(group.runUnclaimed) }
        group.runUnclaimed()
        if let core = enqueuedCore {
            let place = ExecutionContext.current.place
            core.help(BlockingWait(for: "its other blocks", at: place) { group.isFinished })
        }
        group.waitForClaimed()
    }

    /// Runs `block` on another thread as a part of `main()`.
    private func runBeside(_ block: @escaping @Sendable () -> Void) {
        if let core = enqueuedCore { return core.runBeside(block, of: self) }
        let work: @Sendable () -> Void = { [self] in ExecutionContext.current.running(self, block) }
        ThreadPool.shared.add(.block(work), lane: .standard, urgency: .prompt)
    }

    /// The short way through `runMain` for a worker of `core`, which has just started an operation of this very class.
    final func runBlocks(on context: ExecutionContext, in core: QueueCore) {
        // If nobody has added or read blocks, there is one at most; none can be added any more, who reads it
        // changes nothing, and only the worker's own finish takes it away.
        if state.sharesBlocks || core.progress.isReporting { return runMain(on: context, in: core) }
        context.running(self) { block?() }
    }

    override func discardWork() {
        // Nobody looks at the blocks of a finished operation any more, so that this is the only access.
        guard state.sharesBlocks else { return block = nil }
        var discarded: ((@Sendable () -> Void)?, [@Sendable () -> Void]?)
        locked {
            discarded = (block, extras?.blocks)
            block = nil
            extras?.blocks = []
        }
        withExtendedLifetime(discarded) {}
    }
}

/// Blocks that several threads work off together. No thread waits for one that has not begun, so that a pool
/// that cannot spare any costs time but never stops.
private final class BlockGroup: Sendable {
    private struct State {
        var claimed = 0
        var finished = 0
    }

    private let blocks: [@Sendable () -> Void]
    private let monitor = Monitor()
    /// Touched only under the monitor.
    private nonisolated(unsafe) var state = State()

    init(_ blocks: [@Sendable () -> Void]) {
        self.blocks = blocks
    }

    @Sendable
    func runUnclaimed() {
        while let index = claim() {
            blocks[index]()
            monitor.withLock {
                state.finished += 1
                if state.finished == blocks.count { monitor.broadcast() }
            }
        }
    }

    var isFinished: Bool { monitor.withLock { state.finished == blocks.count } }

    func waitForClaimed() {
        monitor.withLock {
            while state.finished < blocks.count { monitor.wait() }
        }
    }

    private func claim() -> Int? {
        monitor.withLock {
            guard state.claimed < blocks.count else { return nil }
            state.claimed += 1
            return state.claimed - 1
        }
    }
}
