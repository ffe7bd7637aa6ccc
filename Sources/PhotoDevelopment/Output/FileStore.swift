import Glibc
import PhotoPipeline
import Transfers

/// The layout of one file for each row, in one folder or in folders inside it.
struct FileStore: ResultStore {
    let folder: OutputFolder
    /// The rows whose results these are; nil for a store that results are only written to.
    var rows: CatalogRows?
    /// The rows whose results are called by their names; nil where none is.
    var plainNames: PlainNames?
    /// Whether results lie in folders by their rows' numbers.
    var usesShardFolders = false
    /// Whether files that are there already are results.
    var keepsFiles = false

    func stem(of row: Catalog.Row, at index: Int) -> String {
        let stem = plainNames?.stem(of: row.name, at: index) ?? OutputName.stem(name: row.name, address: row.address)
        return usesShardFolders ? ResultFolderNames.folder(ofRow: index) + "/" + stem : stem
    }

    func isResult(_ file: String) -> Bool {
        guard let ending = file.nameEnding?.lowercased(), ResultNames.endings.contains(ending)
        else { return false }
        let stem = String(file.dropLast(ending.utf8.count + 1))
        // Rows are only looked at for a name that may be one of theirs.
        guard plainNames != nil || OutputName.isDistinct(stem.lowercased()) else { return false }
        return firstResult(among: [PlainNames.key(stem): file]) != nil
    }

    /// The first of some files that a result would replace.
    ///
    /// - Parameter files: By the keys of their names without endings.
    private func firstResult(among files: [UInt64: String]) -> String? {
        guard !files.isEmpty, let rows else { return nil }
        for number in 0..<rows.count {
            if let file = files[PlainNames.key(stem(of: rows[number], at: number))] { return file }
        }
        return nil
    }

    /// Files stay until others replace them. A plain name may be that of somebody else's file.
    func begin(replacing replaces: Bool) throws(DevelopmentError) {
        guard plainNames != nil, !replaces, !keepsFiles else { return }
        var files: [UInt64: String] = [:]
        var places = folderNames(folder.path)
        if usesShardFolders {
            places = places.filter(ResultFolderNames.isOne).flatMap { inner in
                folderNames(folder.path + "/" + inner).map { inner + "/" + $0 }
            }
        }
        for file in places {
            guard let ending = file.nameEnding, ResultNames.endings.contains(ending.lowercased()) else { continue }
            files[PlainNames.key(String(file.dropLast(ending.utf8.count + 1)))] = file
        }
        guard let file = firstResult(among: files) else { return }
        throw .outputUnusable(
            path: folder.path,
            reason:
                "\(file) is there, and no journal that knows it; --fresh replaces such files, --skip-existing leaves them"
        )
    }

    func presence(by journal: Journal) -> (_ row: Int, _ name: String) -> Bool {
        { _, name in folder.hasBytes(name) }
    }

    /// A file that is not marked is replaced by the same one.
    func goOn(with journal: Journal) {}

    func stage(_ result: FinishedResult) throws(FileError) -> StagedResult {
        .unnamed(try folder.unnamed(result.bytes))
    }

    func copy(of leader: Int, named source: String, as name: String) throws(FileError) -> StagedResult {
        try folder.makeParent(of: name)
        try folder.link(source, as: name)
        return .named(name)
    }

    /// Files are synced and get their names, then the folders are synced.
    func commit(_ entries: [JournalWriter.Entry], _ journal: Journal) throws(PhotoError) -> CommittedSamples {
        var hasFiles = false
        var inner: Set<Substring> = []
        do throws(FileError) {
            for entry in entries {
                switch entry.result {
                case .unnamed(let file): try file.sync()
                case .named(let name): try folder.sync(name)
                case .none, .sample, .copy: continue
                }
                hasFiles = true
                if case .filtered(let name) = entry.row.outcome, let slash = name.lastIndex(of: "/") {
                    inner.insert(name[..<slash])
                }
            }
        } catch {
            throw folder.writeFailed(error)
        }
        for entry in entries {
            guard case .unnamed(let file) = entry.result, case .filtered(let name) = entry.row.outcome else { continue }
            do throws(FileError) {
                try folder.makeParent(of: name)
                try file.commit(to: folder.path + "/" + name)
            } catch {
                throw folder.writeFailed(error, name)
            }
        }
        do throws(FileError) {
            for name in inner { try OutputFolder(unprepared: folder.path + "/" + name).sync() }
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
