public import PhotoPipeline

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
        request.processing = looks[photo].processing
        return try await pipeline.animation(for: request)
    }
}
