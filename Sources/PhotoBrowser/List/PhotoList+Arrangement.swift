import Dispatch
import Operations
public import PhotoPipeline

extension PhotoList {
    /// How many rows there are.
    public var count: Int { order.count }

    /// The photo in a row.
    ///
    /// - Precondition: `row` is at least 0 and below ``count``.
    public func photo(atRow row: Int) -> Photo.ID { order.photo(at: row) }

    /// The row of a photo; nil where the search leaves it out.
    public func row(of photo: Photo.ID) -> Int? { order.row(of: photo) }

    /// The rows of photos, without those that the search leaves out. It takes one pass over the rows however many photos they are.
    public func rows(of photos: [Photo.ID]) -> [Int] { order.rows(of: photos) }

    /// Whether the photos have files on this machine that an order by their sizes or dates can go by. Known once ``onArrange`` was
    /// called for such an order; false before.
    public var hasFilesToOrderBy: Bool { arranger.hasFiles }

    /// Takes over the rows of another list of the same catalog.
    ///
    /// - Precondition: both lists show the same catalog.
    public func arrange(like other: PhotoList) {
        precondition(other.catalog.count == catalog.count, "the lists show different catalogs")
        order = other.order
    }

    /// Has the order by state be that of this moment, as if it were chosen only now; nothing happens where there is another order.
    public func rankByState() {
        guard arrangement.order == .state else { return }
        stateRanks = nil
        rearrange()
    }

    /// Has the order by state be that of another list of the same catalog, which this one is shown in the place of; nothing happens where
    /// either has another order.
    public func rankByState(like other: PhotoList) {
        guard arrangement.order == .state, let ranks = other.stateRanks else { return }
        stateRanks = ranks
        rearrange()
    }

    /// Works the rows out on a thread of the engine; an earlier arrangement that is not ready yet is given up.
    func rearrange() {
        arranging?.cancel()
        guard !isClosed else { return }
        guard arrangement != PhotoArrangement() else { return adopt(.all(count: catalog.count)) }
        if arrangement.order == .state { stateRanks = stateRanks ?? state.records.mapValues(\.state.rank) }
        let operation = ArrangingOperation(arrangement, stateRanks ?? [:], arranger) { [weak self] rows, operation in
            // The main queue is the main actor's.
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.finish(operation, rows) } }
        }
        arranging = operation
        arrangingQueue.addOperation(operation)
    }

    private func finish(_ operation: Operation, _ rows: RowOrder) {
        if operation === arranging, !isClosed { adopt(rows) }
    }

    private func adopt(_ rows: RowOrder) {
        arranging = nil
        onRearranging?()
        order = rows
        onArrange?()
    }
}

/// One arrangement that is being worked out.
private final class ArrangingOperation: Operation, @unchecked Sendable {
    // Safe to share: nothing changes after init.
    private let arrangement: PhotoArrangement
    private let ranks: [Photo.ID: Int]
    private let arranger: RowArranger
    private let whenDone: @Sendable (RowOrder, Operation) -> Void

    init(
        _ arrangement: PhotoArrangement, _ ranks: [Photo.ID: Int], _ arranger: RowArranger,
        whenDone: @escaping @Sendable (RowOrder, Operation) -> Void
    ) {
        self.arrangement = arrangement
        self.ranks = ranks
        self.arranger = arranger
        self.whenDone = whenDone
        super.init()
        name = "Arrange rows"
    }

    override func main() {
        guard let rows = arranger.rows(of: arrangement, ranks: ranks, isCancelled: { isCancelled }) else { return }
        whenDone(rows, self)
    }
}
