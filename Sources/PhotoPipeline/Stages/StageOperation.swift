import Operations

/// Does the work of a stage, on a thread of its queue; depends on the stage before it.
final class StageOperation: Operation, @unchecked Sendable {
    // Safe to share: nothing changes after init.
    private let work: @Sendable (StageOperation) throws(PhotoError) -> Void
    private let whenFailed: @Sendable (PhotoError) -> Void

    /// - Parameters:
    ///   - name: The stage's, with the label of whoever wanted it first.
    ///   - whenFailed: Called with what the work has thrown, unless it was cancelled.
    ///   - work: Takes what the stage before it has made, and says what came of it.
    init(
        _ name: String, whenFailed: @escaping @Sendable (PhotoError) -> Void,
        work: @escaping @Sendable (StageOperation) throws(PhotoError) -> Void
    ) {
        self.work = work
        self.whenFailed = whenFailed
        super.init()
        self.name = name
    }

    override func main() {
        do throws(PhotoError) {
            try work(self)
        } catch {
            guard !isCancelled else { return }
            fail(error)
            whenFailed(error)
        }
    }

    /// What an operation of a stage is called.
    static func name(_ stage: String, _ label: String?) -> String {
        label.map { "\(stage) \($0)" } ?? stage
    }
}
