import Operations
import Transfers

/// Does the work of a stage, on a thread of its queue; depends on the stage before it.
final class StageOperation: Operation, PhotoOperation, @unchecked Sendable {
    // Safe to share: nothing changes after init.
    private let work: @Sendable (StageOperation) -> Void
    let photoAddress: ResourceAddress?

    /// - Parameters:
    ///   - name: The stage's, with the label of whoever wanted it first.
    ///   - address: The photo's; nil for none. Default: none.
    ///   - stage: Is told of what the work throws, unless it was cancelled.
    ///   - times: The stage's.
    ///   - work: Takes what the stage before it has made, and says what came of it.
    init<Product>(
        _ name: String, for address: ResourceAddress? = nil, of stage: SharedWork<Result<Product, PhotoError>>,
        _ times: StageTimes,
        work: @escaping @Sendable (StageOperation) throws(PhotoError) -> Void
    ) {
        photoAddress = address
        self.work = { operation in
            do throws(PhotoError) {
                try work(operation)
            } catch {
                guard !operation.isCancelled else { return }
                operation.fail(error)
                stage.finish(with: .failure(error), telling: times.noting(.failed(error)), failed: true)
            }
        }
        super.init()
        self.name = name
    }

    override func main() { work(self) }

    /// What an operation of a stage is called.
    static func name(_ stage: String, _ label: String?) -> String {
        label.map { "\(stage) \($0)" } ?? stage
    }
}
