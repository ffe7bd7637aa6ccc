public import PhotoPipeline

/// What came of an ``OpenRequest``.
public struct OpenedPhotos: Sendable {
    /// The photos.
    public let catalog: Catalog
    /// What opens the same photos another time; nil where that is a passing choice of pictures.
    public let source: Catalog.Source?
    /// The photo that was asked for by itself.
    public let chosen: Photo.ID?

    /// Whether they are files that somebody has, in folders or chosen one by one, and no catalog that somebody made.
    public var isOwn: Bool {
        if case .folder = catalog.origin { true } else { false }
    }

    init(catalog: Catalog, source: Catalog.Source? = nil, chosen: Photo.ID? = nil) {
        self.catalog = catalog
        self.source = source
        self.chosen = chosen
    }
}
