import PhotoPipeline
import Pixels

extension PhotoLook {
    /// What the pipeline does to a picture that is to have this look.
    var processing: ProcessingChain {
        switch intensity {
        case 0: ProcessingChain(.none)
        case 1: ProcessingChain(filter)
        default: ProcessingChain([.processor(WeakLook(look: self))])
        }
    }
}

/// A look that is not at its full strength, which the pipeline knows no filters for.
private struct WeakLook: ImageProcessing {
    let look: PhotoLook

    var cacheKey: String { "\(look.filter) \(look.intensity)" }

    func process(_ image: consuming PixelBuffer, _ context: ProcessingContext) throws -> PixelBuffer {
        guard let image = look.applied(to: image, scale: context.scale, isCancelled: { context.isCancelled }) else {
            throw CancellationError()
        }
        return image
    }
}
