import Glibc

extension Catalog {
    /// Reads a catalog piece by piece: a list, a table or JSON Lines of any length in flat memory, and any other format at once.
    ///
    /// Blocks until all is read. The rows are those of ``load(contentsOf:limits:keys:includingSubfolders:keepingRowsIn:)``, and so are the places that
    /// rows and errors tell; only ``Row/index`` is counted in each piece from 0.
    ///
    /// - Parameters:
    ///   - path: The path of a file or a folder of pictures; nil for standard input.
    ///   - limits: What a piece may cost; and all of it where it is no list, table or JSON Lines.
    ///   - keys: What address and name are called in it.
    ///   - includesSubfolders: Whether the folders in a folder are looked through too.
    ///   - pieceSize: About how many bytes the first piece has, at least 1; later ones are smaller.
    ///   - body: Takes the pieces, in order; at least one, which is empty where the catalog is.
    package static func readPieces(
        of path: String?, limits: CatalogLimits = CatalogLimits(), keys: CatalogKeys = CatalogKeys(),
        includingSubfolders includesSubfolders: Bool = false, pieceSize: Int = 4 << 20,
        _ body: (Catalog) throws -> Void
    ) throws {
        guard let path else {
            return try readPieces(
                UnpackingReader(0, path: "standard input"), origin: .standardInput(), limits: limits, keys: keys,
                pieceSize: pieceSize, body)
        }
        guard let descriptor = try openFile(path) else {
            return try body(
                load(contentsOf: path, limits: limits, keys: keys, includingSubfolders: includesSubfolders))
        }
        defer { close(descriptor) }
        try readPieces(
            UnpackingReader(descriptor, path: path), origin: origin(of: descriptor, path), limits: limits, keys: keys,
            pieceSize: pieceSize, body)
    }

    /// Reads what a reader brings, see ``readPieces(of:limits:keys:includingSubfolders:pieceSize:_:)``.
    static func readPieces(
        _ reader: UnpackingReader, origin: Origin, limits: CatalogLimits, keys: CatalogKeys, pieceSize: Int = 4 << 20,
        _ body: (Catalog) throws -> Void
    ) throws {
        var bytes = GrowingBytes(limit: limits.maximumBytes)
        // Later ones stay in the processor's caches. The first one has to show what format it is.
        let laterSize = Swift.min(pieceSize, 1 << 18)
        var isAtEnd = try bytes.fill(to: pieceSize, from: reader)
        while !isAtEnd, !CatalogDetection.canTell(from: bytes.bytes) {
            isAtEnd = try bytes.fill(to: 2 * bytes.count, from: reader)
        }
        if reader.isUnpacking, Compression(of: bytes.bytes) != nil { throw CatalogError.compressedTwice }
        guard let kind = try LineKind(of: bytes.bytes, keys, isWhole: isAtEnd) else {
            _ = try bytes.fill(to: .max, from: reader)
            return try body(read(bytes.source(), origin: origin, limits: limits, keys: keys))
        }
        // A table's header stays in front of each piece.
        var (header, wanted) = (kind.headerEnd, laterSize)
        var before: PieceStart?
        if header == 0, bytes.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.remove(0..<3) }
        // Fresh memory for each piece would cost as much as reading it.
        var arena = ByteArena(capacity: 3 * laterSize)
        while true {
            if isKnownUniquelyReferenced(&arena) {
                arena.truncate(to: 0)
            } else {
                arena = ByteArena(capacity: 3 * laterSize)
            }
            let piece = try kind.read(
                bytes.bytes, after: before, origin: origin, limits: limits, keys: keys, isLast: isAtEnd, arena: arena)
            if let piece {
                if before == nil || !piece.catalog.isEmpty { try body(piece.catalog) }
                before = piece.next
                if isAtEnd, !piece.isCut { return }
                wanted = laterSize
                bytes.remove(header..<piece.end)
                header = kind.headerEnd
                if piece.isCut { continue }
            } else {
                // Not even one whole record.
                wanted = 2 * bytes.count
            }
            isAtEnd = try bytes.fill(to: Swift.max(header + wanted, bytes.count + 1), from: reader)
            header = kind.headerEnd
        }
    }

    /// Reads JSON Lines, also where there is only one.
    package init(
        lines: [UInt8], origin: Origin, limits: CatalogLimits = CatalogLimits(), keys: CatalogKeys = CatalogKeys()
    ) throws(CatalogError) {
        let result = lines.withUnsafeBufferPointer { bytes -> Result<Catalog, CatalogError> in
            do throws(CatalogError) {
                let piece = try LineKind.jsonLines.read(
                    bytes, after: nil, origin: origin, limits: limits, keys: keys, isLast: true)
                guard let piece else { throw .notACatalog(reason: "it has no lines") }
                return .success(piece.catalog)
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }
}

/// A format in which a catalog can be cut between two lines.
private enum LineKind {
    case list
    case jsonLines
    case table(TableReader.Header)

    /// Nil for all other formats, and for texts that are not in UTF-8.
    init?(of bytes: UnsafeBufferPointer<UInt8>, _ keys: CatalogKeys, isWhole: Bool) throws(CatalogError) {
        try CatalogDetection.refuseOthers(bytes)
        if bytes.starts(with: BinaryPropertyListTrailer.magic.utf8) || Compression(of: bytes) != nil { return nil }
        let source = CatalogSource(borrowing: bytes)
        let text = try TextEncoding.text(of: source)
        guard text.source === source else { return nil }
        switch try CatalogDetection.kind(of: bytes, start: text.start, keys: keys, isWhole: isWhole) {
        case .list: self = .list
        case .jsonLines: self = .jsonLines
        case .table(let header): self = .table(header)
        case .xml, .openStep, .json: return nil
        }
    }

    var headerEnd: Int { if case .table(let header) = self { header.end } else { 0 } }

    /// Reads the whole records of a piece.
    ///
    /// - Parameter before: How much of the catalog comes before the piece, behind the header; nil for the first piece.
    /// - Returns: The rows, where the first record begins that was left out, how much comes before it, and whether that is whole; nil where
    ///   not even one is.
    func read(
        _ bytes: UnsafeBufferPointer<UInt8>, after before: PieceStart?, origin: Catalog.Origin, limits: CatalogLimits,
        keys: CatalogKeys, isLast: Bool, arena: ByteArena? = nil
    ) throws(CatalogError) -> (catalog: Catalog, end: Int, next: PieceStart, isCut: Bool)? {
        var end = bytes.count
        if !isLast, case .table = self {
        } else if !isLast {
            guard let lineFeed = bytes.lastIndex(of: Byte.lineFeed) else { return nil }
            end = lineFeed + 1
        }
        let whole = UnsafeBufferPointer(rebasing: bytes[..<end])
        let builder = CatalogBuilder(
            // The lines of a header were counted with the first piece.
            source: CatalogSource(borrowing: whole), start: before == nil ? 0 : headerEnd, hasLines: true,
            before: before ?? PieceStart(), limits: limits, keys: keys, arena: arena, isPiece: arena != nil)
        let catalog: Catalog
        var isCut = false
        switch self {
        case .list:
            catalog = try ListReader(builder: builder, start: 0, isLast: isLast).read(origin: origin)
        case .jsonLines:
            let tokenizer = JSONLinesTokenizer(whole, start: 0, maximumDepth: limits.maximumDepth)
            var reader = TreeReader(tokenizer, builder: builder)
            catalog = try reader.read(origin: origin)
        case .table(let header):
            let reader = TableReader(header: header, builder: builder, isPiece: !isLast)
            (catalog, end, isCut) = try reader.readPiece(origin: origin)
            if !isLast, end <= header.end { return nil }
        }
        return (catalog, end, builder.pieceStart(at: end), isCut)
    }
}
