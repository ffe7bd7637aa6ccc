import PhotoBrowser
import PhotoPipeline

/// Where somebody is among the photos that are shown.
nonisolated struct PresentPlace: Equatable, Sendable {
    /// The photo on top, without a search.
    var top: Photo.ID
    /// The photo on top of those that a search has found; nil without a search.
    var topFound: Photo.ID?
    /// The one that is seen in large.
    var large: Photo.ID?

    /// The same place in a newer version of the catalog, worked out off the main thread. Where a photo is gone, the one at its number is
    /// on top, and none is seen in large: whoever deletes what they look at must not delete another one.
    func moved(from old: Catalog, to new: Catalog) async -> PresentPlace {
        PresentPlace(
            top: old.photo(top, in: new) ?? top, topFound: topFound.map { old.photo($0, in: new) ?? $0 },
            large: large.flatMap { old.photo($0, in: new) })
    }
}

extension BrowserWindow {
    /// The photo on top, without a search; nil where there is none.
    var topWithoutSearch: Photo.ID? { placeBeforeSearch ?? placeToShow ?? page?.topPhoto }

    /// Where somebody is; nil where there are no photos.
    private var presentPlace: PresentPlace? {
        guard let top = topWithoutSearch else { return nil }
        let topFound = placeBeforeSearch == nil ? nil : placeToShow ?? page?.topPhoto
        return PresentPlace(top: top, topFound: topFound, large: viewer.photo)
    }

    /// Where somebody is, in a newer version of the catalog that is shown; nil where there are no photos.
    func presentPlace(in newer: Catalog) async -> PresentPlace? {
        while let list, let place = presentPlace {
            let moved = await place.moved(from: list.catalog, to: newer)
            // They may have gone on meanwhile.
            if self.list === list, presentPlace == place { return moved }
        }
        return nil
    }
}
