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
        let address = former.address
        var withOtherName: Photo.ID?
        // From the former place outwards; beyond one end it goes on towards the other.
        let reach = Swift.max(photo.index, newer.count - 1 - photo.index)
        guard reach >= 0 else { return nil }
        for distance in 0...reach {
            for place in distance == 0 ? [photo.index] : [photo.index - distance, photo.index + distance]
            where newer.indices.contains(place) && newer[place].withAddressBytes({ $0.elementsEqual(address.utf8) }) {
                if newer[place].name == former.name { return Photo.ID(place) }
                withOtherName = withOtherName ?? Photo.ID(place)
            }
        }
        if let withOtherName { return withOtherName }
        return newer.count == count && newer[photo.index].name == former.name ? photo : nil
    }
}
