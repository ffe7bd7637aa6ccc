public import FoundationEssentials
import Operations
public import PhotoPipeline
import Transfers

/// Writes catalogs to files and elsewhere.
public enum CatalogFile {
    /// Writes a catalog, whole or not at all, on a thread of the engine.
    ///
    /// Rows whose entry is broken in itself are left out, as there is nothing to write, and so are local files in a catalog that came
    /// over the network; an address that is no address is written as it stands. Relative addresses become absolute where the file goes to another folder than the catalog
    /// came from. A row that the format cannot say, so that it would be read as another, keeps all from being written.
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
            (continuation: CheckedContinuation<Result<Int, PhotoError>, Never>) in
            OperationQueue().addOperation {
                do throws(PhotoError) {
                    continuation.resume(returning: .success(try writeNow(catalog, to: path, format: format)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// Hands a catalog on in pieces, as it is written to a file; relative addresses become absolute, as the reader may be
    /// anywhere. Blocks as long as `take` does.
    ///
    /// - Parameters:
    ///   - catalog: The catalog.
    ///   - format: The format.
    ///   - take: Takes the pieces, in order, and says whether it wants more.
    /// - Returns: How many rows were left out; 0 where `take` wanted no more.
    /// - Throws: `write-failed` before the first piece, where the format cannot say a row.
    public static func write(
        _ catalog: Catalog, format: CatalogText.Format, to take: (Data) -> Bool
    ) throws(PhotoError) -> Int {
        struct Stopped: Error {}
        let document = Document(catalog: catalog, text: CatalogText(format), keepsAddresses: false)
        try document.check()
        do throws(Stopped) {
            return try document.write { (piece: Data) throws(Stopped) in if !take(piece) { throw Stopped() } }
        } catch {
            return 0
        }
    }

    private static func writeNow(
        _ catalog: Catalog, to path: String, format: CatalogText.Format
    ) throws(PhotoError) -> Int {
        let document = Document(
            catalog: catalog, text: CatalogText(format), keepsAddresses: catalog.isInFolder(of: path))
        try document.check()
        do throws(FileError) {
            let file = try TemporaryFile(beside: path)
            let leftOut = try document.write { (piece: Data) throws(FileError) in try file.write(piece) }
            try file.commit()
            return leftOut
        } catch {
            throw PhotoError(.writeFailed, "Cannot write \(path): \(error.reason).")
        }
    }
}

/// A catalog on its way into a format.
private struct Document {
    let catalog: Catalog
    let text: CatalogText
    /// Whether relative addresses stay as they are.
    let keepsAddresses: Bool

    /// Checks that the format can say all rows, before anything is written.
    func check() throws(PhotoError) {
        var isFirst = true
        var isKnown = false
        for row in catalog {
            guard let address = address(of: row) else { continue }
            do throws(CatalogTextError) {
                try text.check(name: row.name, address: address, isFirst: isFirst)
            } catch {
                let place = row.place.description.isEmpty ? "Entry \(row.index + 1)" : "\(row.place)"
                throw PhotoError(.writeFailed, "\(place.prefix(1).uppercased() + place.dropFirst()): \(error).")
            }
            isFirst = false
            isKnown = isKnown || text.isKnown(by: address)
        }
        guard isFirst || isKnown else {
            throw PhotoError(.writeFailed, "None of the addresses would make known that this is a list of addresses.")
        }
    }

    /// Hands the text on, which was checked.
    /// - Returns: How many rows were left out.
    func write<Failure: Error>(to take: (Data) throws(Failure) -> Void) throws(Failure) -> Int {
        var buffer = Data(text.beginning.utf8)
        var written = 0
        for row in catalog {
            guard let address = address(of: row) else { continue }
            buffer.append(contentsOf: text.uncheckedRow(name: row.name, address: address, isFirst: written == 0).utf8)
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

    /// What is written for a row's address; nil for a row that is left out.
    private func address(of row: Catalog.Row) -> String? {
        switch row.content {
        case .failure(.invalidEntry): nil
        // A catalog from the network may name no local file, and what is written here may.
        case .failure(.forbiddenAddress(scheme: "file")): nil
        case .failure: row.address
        case .success(let absolute): keepsAddresses ? row.address : absolute.text
        }
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
