import Operations
import PhotoPipeline

/// Gives a look to a picture that is there already, or that the stages before it bring.
///
/// It stands in the pipeline's filtration queue, so that a pause holds it like every other stage.
final class LookOperation: Operation, @unchecked Sendable {
    /// Makes the picture; nil where it was cancelled.
    typealias Filter = @Sendable (_ image: ScaledImage, _ isCancelled: () -> Bool) throws(PhotoError) -> PixelBuffer?

    // Safe to share: nothing changes after init.
    private let image: @Sendable () -> ScaledImage?
    private let filter: Filter
    private let report: @Sendable (Photo.State, ScaledImage?) -> Void

    /// - Parameters:
    ///   - filter: What gives a picture its look.
    ///   - image: Brings the picture; nil where the stages before have none.
    ///   - report: Called with `filtering`, and with `filtered` and the picture or with `failed`, on a thread of the engine.
    init(
        _ filter: @escaping Filter, on image: @escaping @Sendable () -> ScaledImage?,
        report: @escaping @Sendable (Photo.State, ScaledImage?) -> Void
    ) {
        self.image = image
        self.filter = filter
        self.report = report
        super.init()
        name = "Filter"
    }

    override func main() {
        guard var image = image() else { return }
        report(.filtering, nil)
        do throws(PhotoError) {
            guard let filtered = try filter(image, { isCancelled }), !isCancelled else { return }
            image.pixels = filtered
            report(.filtered, image)
        } catch {
            report(.failed(error), nil)
        }
    }
}
