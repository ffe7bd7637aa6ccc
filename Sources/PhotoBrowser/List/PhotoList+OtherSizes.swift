public import PhotoPipeline

extension PhotoList {
    /// The picture of a photo at another size than the list's, with any look. The list does not keep it.
    ///
    /// Its file is transferred once for this and for the list's own picture, where both are wanted at the same time.
    ///
    /// - Parameters:
    ///   - photo: A photo of the catalog.
    ///   - look: What is done to it; nil for the look that it has in the list. Default: nil.
    ///   - longestSide: The longest side in pixels, at least 1; nil for the size that it was published in.
    /// - Throws: Why there is none; `cancelled` where the task is cancelled.
    public func image(
        of photo: Photo.ID, with look: PhotoLook? = nil, longestSide: Int?
    ) async throws(PhotoError) -> PixelBuffer {
        var request = try request(for: photo, longestSide: longestSide).get()
        request.processing = (look ?? looks[photo]).processing
        return try await pipeline.image(for: request)
    }
}
