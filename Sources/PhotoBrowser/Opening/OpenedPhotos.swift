public import PhotoPipeline

/// What came of an ``OpenRequest``.
public struct OpenedPhotos: Sendable {
    /// The photos.
    public let catalog: Catalog
    /// What opens the same photos another time; nil where that is a passing choice of pictures.
    public let source: Catalog.Source?
    /// The photo that was asked for by itself.
    public let chosen: Photo.ID?

    init(catalog: Catalog, source: Catalog.Source? = nil, chosen: Photo.ID? = nil) {
        self.catalog = catalog
        self.source = source
        self.chosen = chosen
    }
}
