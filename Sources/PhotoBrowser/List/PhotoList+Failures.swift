public import PhotoPipeline

/// What has failed.
extension PhotoList {
    /// How many photos have failed and wait for a retry.
    public var failedCount: Int { state.failed.count }

    /// Whether a retry may help one of those that have failed.
    public var canRetry: Bool { state.failed.count > state.lost.count }

    /// The photos that have failed and wait for a retry, in the catalog's order.
    public var failedPhotos: [Photo.ID] { state.failed.sorted() }
}
