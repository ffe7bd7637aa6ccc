import PhotoPipeline

/// Which photo is in which row.
enum RowOrder: Sendable {
    /// Every photo in its catalog's order.
    case all(count: Int)
    /// These places of the catalog.
    case some([UInt32])

    var count: Int {
        switch self {
        case .all(let count): count
        case .some(let places): places.count
        }
    }

    /// The photo in a row that there is.
    func photo(at row: Int) -> Photo.ID {
        switch self {
        case .all: Photo.ID(row)
        case .some(let places): Photo.ID(Int(places[row]))
        }
    }

    /// The row of a photo; nil where it has none.
    func row(of photo: Photo.ID) -> Int? {
        switch self {
        case .all(let count): photo.index < count ? photo.index : nil
        case .some(let places): places.firstIndex(of: UInt32(clamping: photo.index))
        }
    }

    /// The rows of photos, without those that have none.
    func rows(of photos: [Photo.ID]) -> [Int] {
        guard case .some(let places) = self, photos.count > 1, let last = photos.max() else {
            return photos.compactMap { row(of: $0) }
        }
        var isWanted = [Bool](repeating: false, count: last.index + 1)
        for photo in photos { isWanted[photo.index] = true }
        return places.indices.filter { places[$0] <= last.index && isWanted[Int(places[$0])] }
    }
}
