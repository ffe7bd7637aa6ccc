import Operations
import PhotoPipeline

/// Filters a picture that is there already, after another filter was chosen.
///
/// It stands in the pipeline's filtration queue, so that a pause holds it like every other stage.
final class RefiltrationOperation: Operation, @unchecked Sendable {
    // Safe to share: nothing changes after init.
    private let picture: PixelBuffer
    private let filter: FilterChain
    private let report: @Sendable (Photo.State, PixelBuffer?) -> Void

    /// - Parameter report: Called with `filtering`, and with `filtered` and the picture, on a thread of the engine.
    init(
        of picture: PixelBuffer, with filter: FilterChain,
        report: @escaping @Sendable (Photo.State, PixelBuffer?) -> Void
    ) {
        self.picture = picture
        self.filter = filter
        self.report = report
        super.init()
        name = "Filter"
    }

    override func main() {
        report(.filtering, nil)
        var filtered = picture
        let isComplete = filter.apply(to: &filtered, isCancelled: { isCancelled })
        guard isComplete, !isCancelled else { return }
        report(.filtered, filtered)
    }
}
