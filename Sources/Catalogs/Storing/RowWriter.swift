/// Brings the rows of a catalog into a file while it is read, in pieces of a size of their own.
///
/// A catalog that is read in one piece stays in memory.
struct RowWriter {
    private let folder: String
    /// What was read first, until more comes.
    private var first: Catalog?
    /// What holds for all rows; nil while all of them are in memory.
    private var catalog: CatalogStorage?
    private var file: RowFile?
    private var pieces: [StoredPiece] = []
    /// The rows that are still to be written.
    private var next = PieceBuilder()
    private var hasOtherFields = false
    private var undecodedText: Catalog.UndecodedText?

    /// - Parameter folder: Where the file is made.
    init(in folder: String) {
        self.folder = folder
    }

    /// Adds what was read next.
    mutating func add(_ piece: Catalog) throws(CatalogError) {
        hasOtherFields = hasOtherFields || piece.hasOtherFields
        undecodedText = .sum(undecodedText, piece.undecodedText)
        if catalog == nil {
            guard let first = first.take() else {
                first = piece
                return
            }
            catalog = first.storage.withoutRows(hasOtherFields: false)
            try addRows(of: first.storage)
        }
        try addRows(of: piece.storage)
    }

    private mutating func addRows(of storage: CatalogStorage) throws(CatalogError) {
        for row in 0..<storage.rows.count {
            if !next.isEmpty, next.byteCount + PieceBuilder.byteCount(of: row, in: storage) > StoredRows.pieceSize {
                try write()
            }
            next.add(row, of: storage)
        }
        if next.isExhausted { throw .outOfMemory }
    }

    private mutating func write() throws(CatalogError) {
        let file = try openFile()
        switch next.write(to: file, after: pieces.last) {
        case .success(let written): pieces.append(written)
        case .failure(let failure): throw .notStored(folder: folder, reason: SystemError.text(failure.code))
        }
        next.removeAll()
    }

    private mutating func openFile() throws(CatalogError) -> RowFile {
        if let file { return file }
        let made = try RowFile(in: folder)
        file = made
        return made
    }

    /// Makes the catalog of all that was added, which is something at least.
    consuming func finish() throws(CatalogError) -> Catalog {
        if let first { return first }
        if !next.isEmpty { try write() }
        guard let catalog else { preconditionFailure("a catalog without a piece") }
        let all = catalog.withoutRows(hasOtherFields: hasOtherFields, undecodedText: undecodedText)
        return Catalog(storage: all, stored: try StoredRows(pieces, in: openFile(), of: all))
    }
}
