/// Brings the pieces of a catalog into a file, one after the other, while it is read.
///
/// A catalog that has only one piece stays in memory.
struct RowWriter {
    private let folder: String
    /// What the catalog is: the first piece.
    private var first: Catalog?
    private var file: RowFile?
    private var pieces: [StoredPiece] = []
    private var hasOtherFields = false

    /// - Parameter folder: Where the file is made.
    init(in folder: String) {
        self.folder = folder
    }

    /// Adds the next piece.
    mutating func add(_ piece: Catalog) throws(CatalogError) {
        hasOtherFields = hasOtherFields || piece.hasOtherFields
        guard let first else {
            first = piece
            return
        }
        if pieces.isEmpty { try write(first) }
        try write(piece)
    }

    private mutating func write(_ piece: Catalog) throws(CatalogError) {
        let file = try openFile()
        let written = StoredPiece.write(
            piece.storage, firstRow: pieces.last?.nextRow ?? 0, to: file.descriptor, at: pieces.last?.end ?? 0)
        switch written {
        case .success(let written): pieces.append(written)
        case .failure(let failure): throw .notStored(folder: folder, reason: SystemError.text(failure.code))
        }
    }

    private mutating func openFile() throws(CatalogError) -> RowFile {
        if let file { return file }
        let made = try RowFile(in: folder)
        file = made
        return made
    }

    /// Makes the catalog of all pieces, of which there is at least one.
    consuming func finish() -> Catalog {
        guard let first else { preconditionFailure("a catalog without a piece") }
        guard let file else { return first }
        let catalog = first.storage.withoutRows(hasOtherFields: hasOtherFields)
        return Catalog(storage: catalog, stored: StoredRows(pieces, in: file, of: catalog))
    }
}
