import FoundationEssentials
import Transfers

extension Catalog {
    /// Reads a catalog whose rows go to a file where they are many.
    ///
    /// - Parameters:
    ///   - reader: What brings its bytes.
    ///   - origin: Where it came from.
    ///   - limits: What a piece of it may cost; and all of it where it is no list, table or JSON Lines.
    ///   - keys: What address and name are called in it.
    ///   - folder: Where the file is made.
    ///   - size: How many bytes a catalog has that stays in memory, about.
    static func stored(
        _ reader: UnpackingReader, origin: Origin, limits: CatalogLimits, keys: CatalogKeys,
        in folder: String = UnnamedFile.folder, above size: Int = 4 << 20
    ) throws(CatalogError) -> Catalog {
        var writer = RowWriter(in: folder)
        do {
            try readPieces(reader, origin: origin, limits: limits, keys: keys, pieceSize: size) { try writer.add($0) }
        } catch let error as CatalogError {
            throw error
        } catch {
            // Nothing else is thrown.
            throw .cannotRead(path: "the catalog", reason: String(describing: error))
        }
        return try writer.finish()
    }

    /// Reads a catalog that came over the network.
    ///
    /// - Parameters:
    ///   - body: Its bytes.
    ///   - address: Where it came from.
    ///   - keys: What address and name are called in it.
    ///   - storage: Where the rows are while the catalog is in use.
    static func load(
        _ body: Data, from address: URL, keys: CatalogKeys, keepingRowsIn storage: RowStorage
    ) throws(CatalogError) -> Catalog {
        guard case .temporaryFile = storage else {
            return try Catalog(parsing: body, origin: .remote(address), keys: keys)
        }
        var rest = body[...]
        let reader = try UnpackingReader { room in
            let piece = rest.prefix(room.count)
            piece.copyBytes(to: room)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
        do throws(CatalogError) {
            return try stored(reader, origin: .remote(address), limits: CatalogLimits(), keys: keys)
        } catch {
            guard case .notStored = error else { throw error }
            return try Catalog(parsing: body, origin: .remote(address), keys: keys)
        }
    }
}
