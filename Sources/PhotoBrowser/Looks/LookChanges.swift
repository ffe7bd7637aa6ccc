package import PhotoPipeline

/// What has changed about the looks of photos, for another version of their catalog, as another window may have it open.
package struct LookChanges<Look: Hashable & Sendable>: Sendable {
    private var photos: [Look?: [Photo.ID]] = [:]

    /// Finds the photos in the other version, which may take a pass over it.
    ///
    /// - Parameters:
    ///   - old: The looks before.
    ///   - new: The looks by now.
    ///   - catalog: The photos that they are of.
    ///   - other: The other version of the catalog.
    package init(from old: PhotoValues<Look>, to new: PhotoValues<Look>, of catalog: Catalog, in other: Catalog) {
        let changed = new.photos(differingFrom: old)
        for (photo, found) in zip(changed, catalog.photos(changed, in: other)) {
            if let found { photos[new[photo], default: []].append(found) }
        }
    }

    /// Whether the other version has none of the photos.
    package var isEmpty: Bool { photos.isEmpty }

    /// Gives the photos of the other version the looks that they have by now.
    package func apply(to looks: inout PhotoValues<Look>) {
        for (look, photos) in photos { looks.set(look, for: photos) }
    }
}
