import FoundationEssentials
import Operations
public import PhotoPipeline

/// Writes catalogs to files.
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

    private static func writeNow(
        _ catalog: Catalog, to path: String, format: CatalogText.Format
    ) throws(FileError) -> Int {
        let text = CatalogText(format)
        let keepsAddresses = catalog.isInFolder(of: path)
        let file = try TemporaryFile(beside: path)
        var buffer = Data(text.beginning.utf8)
        var written = 0
        for row in catalog {
            let address: String
            switch row.content {
            case .failure(.invalidEntry): continue
            case .failure: address = row.address
            case .success(let url): address = keepsAddresses ? row.address : url.absoluteString
            }
            buffer.append(contentsOf: text.row(name: row.name, address: address, isFirst: written == 0).utf8)
            written += 1
            if buffer.count >= 1 << 16 {
                try file.write(buffer)
                buffer.removeAll(keepingCapacity: true)
            }
        }
        buffer.append(contentsOf: text.end.utf8)
        try file.write(buffer)
        try file.commit(to: path)
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
