import OperationsCore

/// The rows of a catalog in a file without a name, from which pieces of some hundred rows are read back.
///
/// Of the pieces that were used last some stay in memory: rows that wait for their turn in a run are looked at again. A row has the piece
/// that it is of as long as it lives. A piece that cannot be read back counts as rows that are broken.
final class StoredRows: Sendable {
    /// The most bytes that a piece of several rows has.
    static let pieceSize = 1 << 15
    /// How many pieces stay in memory at most, each in a place of its own.
    private static let places = 256

    private struct State {
        let file: RowFile
        /// The pieces in memory, each in its place.
        var kept = [(number: Int, storage: CatalogStorage)?](repeating: nil, count: places)
    }

    /// What holds for all rows; without rows of its own.
    private let catalog: CatalogStorage
    private let pieces: [StoredPiece]
    private let state: Lock<State>

    /// How many rows there are.
    let count: Int

    /// How many bytes the file has.
    var byteCount: Int { pieces.last?.end ?? 0 }

    /// - Parameters:
    ///   - pieces: Where the rows are in the file, in order.
    ///   - file: The file, which nobody else uses from here on.
    ///   - catalog: What holds for all of them.
    init(_ pieces: [StoredPiece], in file: RowFile, of catalog: CatalogStorage) {
        (self.pieces, self.catalog) = (pieces, catalog)
        state = Lock(State(file: file))
        count = pieces.last?.nextRow ?? 0
    }

    /// The piece that has a row.
    func piece(ofRow row: Int) -> CatalogStorage {
        let number = number(ofRow: row)
        let piece = pieces[number]
        let place = number % Self.places
        return state.withLock { state in
            if let known = state.kept[place], known.number == number { return known.storage }
            guard let storage = piece.read(from: state.file, as: catalog) else {
                return piece.unreadable(as: catalog)
            }
            // A larger one is a row alone: to read it costs what it has.
            if piece.byteCount <= Self.pieceSize { state.kept[place] = (number, storage) }
            return storage
        }
    }

    /// The last piece that begins at a row or before it.
    private func number(ofRow row: Int) -> Int {
        var (low, high) = (0, pieces.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].firstRow <= row { low = middle } else { high = middle }
        }
        return low
    }
}
