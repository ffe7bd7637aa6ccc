import ImageCodecs
import Operations
import Pixels

/// Decodes and filters one frame.
final class FrameOperation: Operation, @unchecked Sendable {
    // Safe to share: the mutable state is behind `outcome`'s lock, the rest never changes after init.
    private let index: Int
    private let source: FrameSource
    private let filter: FilterChain
    private let outcome = Lock<Result<ImageAnimation.Frame, PhotoError>?>(nil)

    init(_ index: Int, of source: FrameSource, filter: FilterChain) {
        self.index = index
        self.source = source
        self.filter = filter
        super.init()
        name = "Frame \(index + 1)"
    }

    /// Takes the frame, or why there is none, out of the operation; nil before the operation has finished and when it was
    /// cancelled.
    func takeResult() -> Result<ImageAnimation.Frame, PhotoError>? {
        outcome.withLock { $0.take() }
    }

    override func main() {
        do throws(ImageCodecError) {
            let frame = try source.frame(index) { [unowned self] in isCancelled }
            var picture = frame.picture
            let isWhole = filter.apply(
                to: &picture, scale: source.scale, parallelism: .none, isCancelled: { isCancelled })
            guard isWhole, !isCancelled else { return }
            outcome.withLock { $0 = .success(ImageAnimation.Frame(picture: picture, duration: frame.duration)) }
        } catch {
            guard !isCancelled else { return }
            let error = PhotoError(error)
            fail(error)
            outcome.withLock { $0 = .failure(error) }
        }
    }
}
