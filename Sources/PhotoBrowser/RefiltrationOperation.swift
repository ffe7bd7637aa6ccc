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
        // About a megapixel at a time, so that a cancelled operation stops soon in a large picture too.
        let height = max(1, 1_000_000 / max(1, filtered.size.width))
        for top in stride(from: 0, to: filtered.size.height, by: height) {
            if isCancelled { return }
            filter.apply(to: &filtered, rows: top..<min(top + height, filtered.size.height))
        }
        if isCancelled { return }
        report(.filtered, filtered)
    }
}
