import Catalogs
import FoundationEssentials
import Operations
import PhotoPipeline
import Transfers

/// Works out arrangements of a catalog, and keeps what the next ones need too.
///
/// Its calls take time in proportion to the catalog, so they belong off the main actor; any thread will do.
final class RowArranger: Sendable {
    private let catalog: Catalog
    private let index = Lock<NameIndex?>(nil)
    private let sorted = Lock<[PhotoArrangement.Order: SortedPlaces]>([:])

    init(_ catalog: Catalog) {
        self.catalog = catalog
    }

    /// The rows of an arrangement, or nil if it was cancelled.
    ///
    /// - Parameter ranks: Of photos whose state is not `new`: where the state stands in the order by state.
    func rows(
        of arrangement: PhotoArrangement, ranks: [Photo.ID: Int], isCancelled: () -> Bool
    ) -> RowOrder? {
        let words = arrangement.search.split(whereSeparator: \.isWhitespace).map { FoldedText.bytes(of: String($0)) }
        var matching: [UInt32]?
        if !words.isEmpty {
            guard let found = nameIndex(isCancelled)?.places(matching: words, isCancelled: isCancelled) else {
                return nil
            }
            matching = found
        }
        let sorted: SortedPlaces?
        switch arrangement.order {
        case .catalog where !arrangement.isReversed:
            return matching.map { .some($0) } ?? .all(count: catalog.count)
        case .catalog: sorted = SortedPlaces(matching ?? Array(0..<UInt32(catalog.count)))
        case .state: sorted = placesByState(matching ?? Array(0..<UInt32(catalog.count)), ranks)
        case .name, .modified, .size:
            let all = places(by: arrangement.order, isCancelled)
            sorted = matching.flatMap { all?.filtered(by: $0, of: catalog.count) } ?? all
        }
        return sorted.map { .some($0.rows(isReversed: arrangement.isReversed)) }
    }

    /// Whether some photos are files of this machine, so that orders by what is known of files mean something. False until it
    /// was asked for such an order.
    var hasFiles: Bool {
        sorted.withLock { sorted in [.modified, .size].contains { !(sorted[$0]?.known.isEmpty ?? true) } }
    }

    private func placesByState(_ places: [UInt32], _ ranks: [Photo.ID: Int]) -> SortedPlaces {
        var groups = [[UInt32]](repeating: [], count: Photo.State.rankCount)
        for place in places { groups[ranks[Photo.ID(Int(place))] ?? Photo.State.new.rank].append(place) }
        return SortedPlaces(Array(groups.joined()))
    }

    private func nameIndex(_ isCancelled: () -> Bool) -> NameIndex? {
        if let index = index.withLock({ $0 }) { return index }
        let made = NameIndex(count: catalog.count, name: { catalog[$0].caption }, isCancelled: isCancelled)
        index.withLock { $0 = made }
        return made
    }

    /// All places in an order that does not change while the catalog is open; nil if it was cancelled.
    private func places(by order: PhotoArrangement.Order, _ isCancelled: () -> Bool) -> SortedPlaces? {
        if let places = sorted.withLock({ $0[order] }) { return places }
        let made =
            switch order {
            case .modified:
                SortedPlaces(count: catalog.count, byDescending: { file($0)?.modified }, isCancelled: isCancelled)
            case .size:
                SortedPlaces(count: catalog.count, byDescending: { file($0)?.size }, isCancelled: isCancelled)
            case .catalog, .name, .state:
                NaturalSort.places(count: catalog.count, name: { catalog[$0].caption }, isCancelled: isCancelled)
                    .map { SortedPlaces($0) }
            }
        sorted.withLock { $0[order] = made }
        return made
    }

    /// What the system says of a photo's file; nil where it is none of this machine, or is not there.
    private func file(_ place: Int) -> FileStatus? {
        let row = catalog[place]
        // Most are from the web, which is told quickly.
        guard !catalog.origin.isRemote, !row.hasWebScheme,
            case .success(.file(let url)) = row.content
        else { return nil }
        return FileStatus(path: url.path(percentEncoded: false))
    }
}

extension Photo.State {
    static let rankCount = 4

    /// Where a state stands in the order by state: what needs a person first.
    var rank: Int {
        switch self {
        case .failed: 0
        case .waiting, .downloading, .decoding, .downloaded, .filtering: 1
        case .filtered: 2
        case .new: 3
        }
    }
}
