import Catalogs
package import PhotoPipeline

extension Catalog {
    /// The photo of a newer version of this catalog that is the same as one of this version; nil where it is gone.
    ///
    /// It is the one with the same address, and of several the one with the same name that is nearest to the former place. What has not
    /// moved is found at once; otherwise this may take a pass over the newer version, which belongs off the main actor. Where no address is
    /// the same, as each time they are signed anew, it is the one at the same place if as many photos are there and it has the same name.
    package func photo(_ photo: Photo.ID, in newer: Catalog) -> Photo.ID? {
        guard photo.index < count else { return nil }
        let former = self[photo.index]
        if let found = newer.photo(at: former.address, named: former.name, near: photo.index) { return found }
        return hasSameName(at: photo.index, as: newer) ? photo : nil
    }

    /// The same for many photos, which takes one pass over the newer version.
    package func photos(_ photos: [Photo.ID], in newer: Catalog) -> [Photo.ID?] {
        var found = photos.map { photo in
            guard indices.contains(photo.index), newer.indices.contains(photo.index) else { return Photo.ID?.none }
            let (former, other) = (self[photo.index], newer[photo.index])
            return former.address == other.address && former.name == other.name ? photo : nil
        }
        // The places of those that have moved, by their addresses, and by their names, too.
        var places: [String: [Int]] = [:]
        var named: [[String]: [Int]] = [:]
        for (photo, found) in zip(photos, found) where found == nil && indices.contains(photo.index) {
            places[self[photo.index].address] = []
        }
        guard !places.isEmpty else { return found }
        for (place, row) in newer.enumerated() {
            let address = row.address
            guard places[address] != nil else { continue }
            places[address]?.append(place)
            named[[address, row.name], default: []].append(place)
        }
        for (number, photo) in photos.enumerated() where found[number] == nil && indices.contains(photo.index) {
            let former = self[photo.index]
            let place =
                Self.nearest(to: photo.index, of: named[[former.address, former.name]])
                ?? Self.nearest(to: photo.index, of: places[former.address])
            found[number] = place.map { Photo.ID($0) } ?? (hasSameName(at: photo.index, as: newer) ? photo : nil)
        }
        return found
    }

    /// The nearest of places that are in order; of two the first.
    private static func nearest(to place: Int, of places: [Int]?) -> Int? {
        guard let places, !places.isEmpty else { return nil }
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return places[0] }
        guard low < places.count else { return places[low - 1] }
        return place - places[low - 1] <= places[low] - place ? places[low - 1] : places[low]
    }

    /// The photo with an address that is nearest to a place; nil where there is none.
    ///
    /// One at the place is found at once; otherwise this may take a pass over the catalog, which belongs off the main actor.
    ///
    /// - Parameter name: The name that it has if possible; nil for any. Default: any.
    package func photo(at address: String, named name: String? = nil, near place: Int) -> Photo.ID? {
        guard place >= 0, count > 0 else { return nil }
        var withOtherName: Photo.ID?
        // From the place outwards; beyond one end it goes on towards the other.
        let place = Swift.min(place, count - 1)
        let reach = Swift.max(place, count - 1 - place)
        for distance in 0...reach {
            for place in distance == 0 ? [place] : [place - distance, place + distance]
            where indices.contains(place) && self[place].withAddressBytes({ $0.elementsEqual(address.utf8) }) {
                if name == nil || self[place].name == name { return Photo.ID(place) }
                withOtherName = withOtherName ?? Photo.ID(place)
            }
        }
        return withOtherName
    }

    private func hasSameName(at place: Int, as other: Catalog) -> Bool {
        other.count == count && other[place].name == self[place].name
    }
}
