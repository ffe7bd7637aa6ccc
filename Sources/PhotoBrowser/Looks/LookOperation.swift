import Operations
import PhotoPipeline

/// Gives a look to a picture that is there already, or that the stages before it bring.
///
/// It stands in the pipeline's filtration queue, so that a pause holds it like every other stage.
final class LookOperation: Operation, @unchecked Sendable {
    // Safe to share: nothing changes after init.
    private let image: @Sendable () -> ScaledImage?
    private let look: PhotoLook
    private let report: @Sendable (Photo.State, ScaledImage?) -> Void

    /// - Parameters:
    ///   - image: Brings the picture; nil where the stages before have none.
    ///   - report: Called with `filtering`, and with `filtered` and the picture, on a thread of the engine.
    init(
        _ look: PhotoLook, on image: @escaping @Sendable () -> ScaledImage?,
        report: @escaping @Sendable (Photo.State, ScaledImage?) -> Void
    ) {
        self.image = image
        self.look = look
        self.report = report
        super.init()
        name = "Filter"
    }

    override func main() {
        guard var image = image() else { return }
        report(.filtering, nil)
        let filtered = look.applied(to: image, isCancelled: { isCancelled })
        guard let filtered, !isCancelled else { return }
        image.pixels = filtered
        report(.filtered, image)
    }
}
