import Glibc
import OperationsCore
import Transfers

/// The rows of a catalog in a file without a name, from which pieces of some hundred rows are read back.
///
/// Of the pieces that were used last, those of about a hundred thousand rows stay in memory: rows that wait for their turn in a run are
/// looked at again. A piece that cannot be read back counts as rows that are broken.
final class StoredRows: Sendable {
    /// How many bytes of a catalog go into a piece.
    static let pieceSize = 1 << 16
    /// How many pieces stay in memory at most, each in a place of its own.
    private static let places = 128
    /// A larger piece gives its place to the next one of its size, so that few long rows take no more memory than many short ones.
    private static let largestKept = 1 << 18

    private struct Kept {
        var pieces = [(number: Int, storage: CatalogStorage)?](repeating: nil, count: places)
        var large: (number: Int, storage: CatalogStorage)?
    }

    /// What holds for all rows; without rows of its own.
    private let catalog: CatalogStorage
    private let file: RowFile
    private let pieces: [StoredPiece]
    private let kept = Lock(Kept())

    /// How many rows there are.
    let count: Int

    /// - Parameters:
    ///   - pieces: Where the rows are in the file, in order.
    ///   - catalog: What holds for all of them.
    init(_ pieces: [StoredPiece], in file: RowFile, of catalog: CatalogStorage) {
        (self.pieces, self.file, self.catalog) = (pieces, file, catalog)
        count = pieces.last?.nextRow ?? 0
    }

    /// The piece that has a row.
    func piece(ofRow row: Int) -> CatalogStorage {
        let number = number(ofRow: row)
        let piece = pieces[number]
        let isLarge = piece.byteCount > Self.largestKept
        return kept.withLock { kept in
            let place = number % Self.places
            let known = isLarge ? kept.large : kept.pieces[place]
            if let known, known.number == number { return known.storage }
            guard let storage = piece.read(from: file.descriptor, as: catalog) else {
                return piece.unreadable(as: catalog)
            }
            if isLarge { kept.large = (number, storage) } else { kept.pieces[place] = (number, storage) }
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
