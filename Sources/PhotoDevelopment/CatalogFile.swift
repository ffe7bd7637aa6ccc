public import FoundationEssentials
import Operations
public import PhotoPipeline
import Transfers

/// Writes catalogs to files and elsewhere.
public enum CatalogFile {
    /// What of a catalog was not written as it stands.
    public struct Outcome: Sendable {
        /// How many rows were left out.
        public let rowsLeftOut: Int
        /// Whether other columns than name and address were left out.
        public let leftColumnsOut: Bool
        /// Other columns that have another name in the result, as `name` and `url` are those of the photo, and no two have one name.
        public let renamedColumns: [(from: String, to: String)]
    }

    /// Writes a catalog, whole or not at all, on a thread of the engine; to a pipe or a character device as it comes.
    ///
    /// Rows whose entry is broken in itself are left out, as there is nothing to write, and so are local files in a catalog that came
    /// over the network; an address that is no address is written as it stands. Relative addresses become absolute where the file goes to another folder than the catalog
    /// came from. A row that the format cannot say, so that it would be read as another, keeps all from being written.
    ///
    /// The other columns of tables, JSON and JSON Lines are written, too, in the order in which they first appear, where the format says
    /// them and the catalog has them (``/Catalogs/CatalogKeys/keepsEntries``); more than 10,000 keep all from being written. In a table their
    /// values are texts: numbers and truth values as they stand, arrays and objects as JSON, and null as an empty field.
    ///
    /// - Parameters:
    ///   - catalog: The catalog.
    ///   - path: The path of the file; one that is there is replaced.
    ///   - format: The format.
    /// - Returns: What was left out.
    /// - Throws: `write-failed`.
    public static func write(
        _ catalog: Catalog, to path: String, format: CatalogText.Format
    ) async throws(PhotoError) -> Outcome {
        try await OperationQueue().outcome { () throws(PhotoError) in
            try writeNow(catalog, to: path, format: format)
        }.get()
    }

    /// Hands a catalog on in pieces, as it is written to a file; relative addresses become absolute, as the reader may be
    /// anywhere. Blocks as long as `take` does.
    ///
    /// - Parameters:
    ///   - catalog: The catalog.
    ///   - format: The format.
    ///   - take: Takes the pieces, in order, and says whether it wants more.
    /// - Returns: What was left out; nil where `take` wanted no more.
    /// - Throws: `write-failed` before the first piece, where the format cannot say a row.
    public static func write(
        _ catalog: Catalog, format: CatalogText.Format, to take: (Data) -> Bool
    ) throws(PhotoError) -> Outcome? {
        struct Stopped: Error {}
        var document = try CatalogDocument(of: catalog, as: format, keepsAddresses: false)
        do throws(Stopped) {
            return try document.write { (piece: Data) throws(Stopped) in if !take(piece) { throw Stopped() } }
        } catch {
            return nil
        }
    }

    private static func writeNow(
        _ catalog: Catalog, to path: String, format: CatalogText.Format
    ) throws(PhotoError) -> Outcome {
        var document = try CatalogDocument(of: catalog, as: format, keepsAddresses: catalog.isInFolder(of: path))
        do throws(FileError) {
            let file = try OutputFile(path)
            let outcome = try document.write { (piece: Data) throws(FileError) in try file.write(piece) }
            try file.commit()
            return outcome
        } catch {
            throw PhotoError(.writeFailed, "Cannot write \(path): \(error.reason).")
        }
    }
}

extension Catalog {
    /// Whether relative addresses mean the same in a catalog at `path` as in this one.
    fileprivate func isInFolder(of path: String) -> Bool {
        guard case .file(let own) = origin else { return false }
        return URL(localPath: own).deletingLastPathComponent().standardized.path
            == URL(localPath: path).deletingLastPathComponent().standardized.path
    }
}
