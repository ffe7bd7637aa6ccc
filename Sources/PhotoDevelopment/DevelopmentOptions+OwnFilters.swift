public import PhotoPipeline
import Transfers

extension DevelopmentOptions {
    /// A filter that single photos have instead of the one of all.
    public struct OwnFilter: Hashable, Sendable {
        /// What is done to the picture.
        public let filter: FilterChain
        /// How much of it shows, see ``DevelopmentOptions/intensity``.
        public let intensity: Double

        /// A filter; by default all of it shows.
        public init(_ filter: FilterChain, intensity: Double = 1) {
            (self.filter, self.intensity) = (filter, intensity)
        }
    }

    /// The filter that a row has for itself; nil where it has that of all.
    func ownFilter(of row: Catalog.Row) -> OwnFilter? {
        keepsOriginals || !variants.isEmpty ? nil : ownFilters[Photo.ID(row.index)]
    }

    /// What a row's picture is made of: its address, and the filter that it has for itself. Rows that are equal in it share their picture.
    func origin(of row: Catalog.Row) -> String {
        // No address has a zero in it.
        row.address + (ownFilter(of: row).map { "\0\($0.filter) \($0.intensity)" } ?? "")
    }

    /// What tells the rows with filters of their own from those of another run: SHA-256 over them; nil where there are none.
    var ownFiltersDigest: String? {
        guard !keepsOriginals, variants.isEmpty, !ownFilters.isEmpty else { return nil }
        var sum = CatalogDigest.Sum()
        for photo in ownFilters.photos {
            guard let own = ownFilters[photo] else { continue }
            sum.add(name: "\(photo.index)", address: own.filter.description, entry: "\(own.intensity)")
        }
        return sum.finalize().text
    }
}

extension Rendition {
    /// The same picture with a row's own filter.
    func with(_ own: DevelopmentOptions.OwnFilter) -> Rendition {
        Rendition(
            variant: variant, filter: own.filter, intensity: own.intensity, resize: resize, encoder: encoder)
    }
}
