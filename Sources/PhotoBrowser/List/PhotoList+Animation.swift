public import PhotoPipeline
import Pixels

extension PhotoList {
    /// Whether a photo may move: its address ends as those of GIF and WebP do.
    ///
    /// What its file says is known when it is there, see ``animation(of:)``.
    public func mayMove(_ photo: Photo.ID) -> Bool {
        guard case .success(let request) = request(for: photo, longestSide: nil) else { return false }
        let path = request.address.text.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return path.hasSuffix(".gif") || path.hasSuffix(".webp")
    }

    /// The frames of a photo with its look, as large as the list's pictures are; one frame where it does not move.
    ///
    /// Its file is transferred once for this and for the list's own picture, where both are wanted at the same time.
    /// - Throws: Why there are none; `cancelled` where the task is cancelled.
    public func animation(of photo: Photo.ID) async throws(PhotoError) -> ImageAnimation {
        var request = try request(for: photo, longestSide: nil).get()
        request.resize = resize
        let look = looks[photo]
        if look.intensity == 1 {
            request.processing = ProcessingChain(look.filter)
        } else if look.intensity > 0 {
            request.processing = ProcessingChain([.processor(WeakLook(look: look))])
        }
        return try await pipeline.animation(for: request)
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
