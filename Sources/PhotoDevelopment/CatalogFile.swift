public import FoundationEssentials
import Operations
public import PhotoPipeline
import Transfers

/// Writes catalogs to files and elsewhere.
public enum CatalogFile {
    /// Writes a catalog, whole or not at all, on a thread of the engine.
    ///
    /// Rows whose entry is broken in itself are left out, as there is nothing to write; an address that is no address is
    /// written as it stands. Relative addresses become absolute where the file goes to another folder than the catalog
    /// came from.
    ///
    /// - Parameters:
    ///   - catalog: The catalog.
    ///   - path: The path of the file; one that is there is replaced.
    ///   - format: The format.
    /// - Returns: How many rows were left out.
    /// - Throws: `write-failed`.
    public static func write(
        _ catalog: Catalog, to path: String, format: CatalogText.Format
    ) async throws(PhotoError) -> Int {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Int, FileError>, Never>) in
            OperationQueue().addOperation {
                do throws(FileError) {
                    continuation.resume(returning: .success(try writeNow(catalog, to: path, format: format)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        do {
            return try result.get()
        } catch {
            throw PhotoError(.writeFailed, "Cannot write \(path): \(error.reason).")
        }
    }

    /// Hands a catalog on in pieces, as it is written to a file; relative addresses become absolute, as the reader may be
    /// anywhere. Blocks as long as `take` does.
    ///
    /// - Parameters:
    ///   - catalog: The catalog.
    ///   - format: The format.
    ///   - take: Takes the pieces, in order.
    /// - Returns: How many rows were left out.
    /// - Throws: What `take` throws, at once.
    public static func write<Failure: Error>(
        _ catalog: Catalog, format: CatalogText.Format, to take: (Data) throws(Failure) -> Void
    ) throws(Failure) -> Int {
        try text(of: catalog, format: format, keepsAddresses: false, to: take)
    }

    private static func writeNow(
        _ catalog: Catalog, to path: String, format: CatalogText.Format
    ) throws(FileError) -> Int {
        let file = try TemporaryFile(beside: path)
        let leftOut = try text(of: catalog, format: format, keepsAddresses: catalog.isInFolder(of: path)) {
            (piece: Data) throws(FileError) in try file.write(piece)
        }
        try file.commit()
        return leftOut
    }

    private static func text<Failure: Error>(
        of catalog: Catalog, format: CatalogText.Format, keepsAddresses: Bool,
        to take: (Data) throws(Failure) -> Void
    ) throws(Failure) -> Int {
        let text = CatalogText(format)
        var buffer = Data(text.beginning.utf8)
        var written = 0
        for row in catalog {
            let address: String
            switch row.content {
            case .failure(.invalidEntry): continue
            case .failure: address = row.address
            case .success(let absolute): address = keepsAddresses ? row.address : absolute.text
            }
            buffer.append(contentsOf: text.row(name: row.name, address: address, isFirst: written == 0).utf8)
            written += 1
            if buffer.count >= 1 << 16 {
                try take(buffer)
                buffer.removeAll(keepingCapacity: true)
            }
        }
        buffer.append(contentsOf: text.end.utf8)
        try take(buffer)
        return catalog.count - written
    }
}

extension Catalog {
    /// Whether relative addresses mean the same in a catalog at `path` as in this one.
    fileprivate func isInFolder(of path: String) -> Bool {
        guard case .file(let own) = origin else { return false }
        return URL(filePath: own).deletingLastPathComponent().standardized.path
            == URL(filePath: path).deletingLastPathComponent().standardized.path
    }
}
