import PhotoBrowser
import PhotoPipeline

/// Where somebody is among the photos that are shown.
nonisolated struct PresentPlace: Equatable, Sendable {
    /// What is searched for.
    struct Search: Equatable, Sendable {
        var text: String
        /// The photo on top of those that were found.
        var top: Photo.ID
    }

    /// The photo on top, without a search.
    var top: Photo.ID
    /// What is searched for, where anything is.
    var search: Search?
    /// The photos that are chosen.
    var chosen: [Photo.ID]
    /// The one that is seen in large.
    var large: Photo.ID?

    /// The same place in a newer version of the catalog, worked out off the main thread. Where a photo is gone, the one at its number is
    /// on top, and none is chosen or seen in large: whoever deletes what they look at must not delete another one.
    func moved(from old: Catalog, to new: Catalog) async -> PresentPlace {
        PresentPlace(
            top: old.photo(top, in: new) ?? top,
            search: search.map { Search(text: $0.text, top: old.photo($0.top, in: new) ?? $0.top) },
            chosen: old.photos(chosen, in: new).compactMap(\.self), large: large.flatMap { old.photo($0, in: new) })
    }
}

/// A place among photos as it is kept for the next start: the number of a photo, and its address, as others may come before it meanwhile.
nonisolated struct KeptPlace: Equatable, Sendable {
    /// The number; it counts where the address is not there.
    var number = 0
    /// The address as it is written in the catalog; empty where it is not known.
    var address = ""

    /// The place of a photo.
    init(_ photo: Photo.ID, in catalog: Catalog) {
        (number, address) = (photo.index, catalog[photo.index].address)
    }

    init(number: Int = 0, address: String = "") {
        (self.number, self.address) = (number, address)
    }

    /// The place in a catalog that may be a newer version, worked out off the main thread.
    func found(in catalog: Catalog) async -> KeptPlace {
        guard !address.isEmpty, let photo = catalog.photo(at: address, near: number) else { return self }
        return KeptPlace(number: photo.index, address: address)
    }
}

extension BrowserWindow {
    /// The photo on top, without a search; nil where there is none.
    var topWithoutSearch: Photo.ID? { placeBeforeSearch ?? placeToShow ?? page?.topPhoto }

    /// Where somebody is; nil where there are no photos.
    private var presentPlace: PresentPlace? {
        guard !isClosed, let list, let page, let top = topWithoutSearch else { return nil }
        let text = list.arrangement.search
        let topFound = placeToShow ?? page.topPhoto ?? top
        return PresentPlace(
            top: top, search: text.isEmpty ? nil : PresentPlace.Search(text: text, top: topFound),
            chosen: page.selection.photos, large: viewer.photo)
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

    /// The places that are kept of a catalog, in the version that is about to be shown; nil where none are kept of it.
    ///
    /// - Parameter name: What names the catalog.
    func keptPlaces(of name: String?, in catalog: Catalog) async -> (top: KeptPlace, topFound: KeptPlace)? {
        // It may be open at present.
        keepPlace()
        guard let name, name == preferences.catalog else { return nil }
        let (top, topFound) = (preferences.place, preferences.placeInSearch)
        return (await top.found(in: catalog), await topFound.found(in: catalog))
    }
}
