import Catalogs
import Operations
import PhotoPipeline

/// Works out arrangements of a catalog, and keeps what the next ones need too.
///
/// Its calls take time in proportion to the catalog, so they belong off the main actor; any thread will do.
final class RowArranger: Sendable {
    private let catalog: Catalog
    private let index = Lock<NameIndex?>(nil)
    private let byName = Lock<[UInt32]?>(nil)

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
        switch arrangement.order {
        case .catalog:
            return matching.map { .some($0) } ?? .all(count: catalog.count)
        case .name:
            guard let sorted = placesByName(isCancelled) else { return nil }
            guard let matching else { return .some(sorted) }
            var isMatching = [Bool](repeating: false, count: catalog.count)
            for place in matching { isMatching[Int(place)] = true }
            return .some(sorted.filter { isMatching[Int($0)] })
        case .state:
            let places = matching ?? Array(0..<UInt32(catalog.count))
            var groups = [[UInt32]](repeating: [], count: Photo.State.rankCount)
            for place in places { groups[ranks[Photo.ID(Int(place))] ?? Photo.State.new.rank].append(place) }
            return .some(Array(groups.joined()))
        }
    }

    private func nameIndex(_ isCancelled: () -> Bool) -> NameIndex? {
        if let index = index.withLock({ $0 }) { return index }
        let made = NameIndex(count: catalog.count, name: { catalog[$0].name }, isCancelled: isCancelled)
        index.withLock { $0 = made }
        return made
    }

    private func placesByName(_ isCancelled: () -> Bool) -> [UInt32]? {
        if let places = byName.withLock({ $0 }) { return places }
        let made = NaturalSort.places(count: catalog.count, name: { catalog[$0].name }, isCancelled: isCancelled)
        byName.withLock { $0 = made }
        return made
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
