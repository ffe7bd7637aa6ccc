import Glibc
import PhotoPipeline
import Transfers

/// The layout of one file for each row, in one folder.
struct FileStore: ResultStore {
    let folder: OutputFolder

    func stem(of row: Catalog.Row, at index: Int) -> String {
        OutputName.stem(name: row.name, address: row.address)
    }

    func isResult(_ file: String, of rows: CatalogRows) -> Bool {
        guard let ending = file.nameEnding?.lowercased(), ResultNames.endings.contains(ending)
        else { return false }
        let stem = file.dropLast(ending.count + 1).lowercased()
        // Rows are only looked at for a name that may be one of theirs.
        guard OutputName.isDistinct(stem) else { return false }
        return (0..<rows.count).contains { self.stem(of: rows[$0], at: $0).lowercased() == stem }
    }

    /// Files stay until others replace them.
    func begin(replacing replaces: Bool) {}

    func presence(by journal: Journal) -> (_ row: Int, _ name: String) -> Bool {
        { _, name in folder.hasBytes(name) }
    }

    /// A file that is not marked is replaced by the same one.
    func goOn(with journal: Journal) {}

    func stage(_ result: FinishedResult) throws(FileError) -> StagedResult {
        .unnamed(try folder.unnamed(result.bytes))
    }

    func copy(of leader: Int, named source: String, as name: String) throws(FileError) -> StagedResult {
        try folder.link(source, as: name)
        return .named(name)
    }

    /// Files are synced and get their names, then the folder is synced.
    func commit(_ entries: [JournalWriter.Entry], _ journal: Journal) throws(PhotoError) -> CommittedSamples {
        var hasFiles = false
        do throws(FileError) {
            for entry in entries {
                switch entry.result {
                case .unnamed(let file): try file.sync()
                case .named(let name): try folder.sync(name)
                case .none, .sample, .copy: continue
                }
                hasFiles = true
            }
        } catch {
            throw folder.writeFailed(error)
        }
        for entry in entries {
            guard case .unnamed(let file) = entry.result, case .filtered(let name) = entry.row.outcome else { continue }
            do throws(FileError) {
                try file.commit(to: folder.path + "/" + name)
            } catch {
                throw folder.writeFailed(error, name)
            }
        }
        do throws(FileError) {
            if hasFiles { try folder.sync() }
        } catch {
            throw folder.writeFailed(error)
        }
        return CommittedSamples()
    }

    func finish() {}
}

extension OutputFolder {
    /// Why a file of the folder cannot be written, or the folder itself.
    func writeFailed(_ error: FileError, _ name: String? = nil) -> PhotoError {
        let place = name.map { "\(path)/\($0)" } ?? "to the folder \(path)"
        return PhotoError(.writeFailed, "Cannot write \(place): \(error.reason).")
    }
}
