import Operations

/// Stands before a frame until it is that one's turn. It holds neither a thread nor memory.
final class TurnOperation: AsyncOperation, @unchecked Sendable {
    // Safe to share: nothing changes after init.
    private let place: FrameLine.Place
    private let line: Lock<FrameLine>

    /// - Parameter line: Is left by whoever makes the frame.
    init(_ place: FrameLine.Place, in line: Lock<FrameLine>) {
        self.place = place
        self.line = line
        super.init()
        name = "Wait for the frame before"
    }

    override func execute() {
        let isTurn = line.withLock { $0.ask(place) { [weak self] in self?.finish() } }
        if isTurn { finish() }
    }

    override func cancelExecution() { finish() }
}
