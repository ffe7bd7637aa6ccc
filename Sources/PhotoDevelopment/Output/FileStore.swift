import Glibc
import PhotoPipeline
import Transfers

/// The layout of one file for each row, in one folder or in folders inside it; with variants, of one in the folder of each variant.
struct FileStore: ResultStore {
    let folder: OutputFolder
    /// The names of the run's variants.
    var variants: [String] = []
    /// The rows whose results these are; nil for a store that results are only written to.
    var rows: CatalogRows?
    /// The rows whose results are called by their names; nil where none is.
    var plainNames: PlainNames?
    /// Whether results lie in folders by their rows' numbers.
    var usesShardFolders = false
    /// Whether files that are there already are results.
    var keepsFiles = false
    /// What a row's picture is made of, which its file's name tells apart.
    var origin: @Sendable (Catalog.Row) -> String = { $0.address }

    func stem(of row: Catalog.Row, at index: Int) -> String {
        let stem = plainNames?.stem(of: row.name, at: index) ?? OutputName.stem(name: row.name, address: origin(row))
        return usesShardFolders ? ResultFolderNames.folder(ofRow: index) + "/" + stem : stem
    }

    func file(_ stem: String, _ variant: String?, ending: String) -> String {
        "\(variant.map { $0 + "/" } ?? "")\(stem).\(ending)"
    }

    func isResult(_ path: String) -> Bool {
        var file = path
        if !variants.isEmpty {
            guard let slash = path.firstSlash, variants.contains(String(path[..<slash])) else { return false }
            file = String(path[path.utf8.index(after: slash)...])
        }
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
        try checkNames(replacing: replaces)
        try prepareFolders()
    }

    private func checkNames(replacing replaces: Bool) throws(DevelopmentError) {
        guard plainNames != nil, !replaces, !keepsFiles else { return }
        var files: [UInt64: String] = [:]
        for start in variants.isEmpty ? [""] : variants.map({ $0 + "/" }) {
            var places = folderNames(folder.path + "/" + start)
            if usesShardFolders {
                places = places.filter(ResultFolderNames.isOne).flatMap { inner in
                    folderNames(folder.path + "/" + start + inner).map { inner + "/" + $0 }
                }
            }
            for file in places {
                guard let ending = file.nameEnding, ResultNames.endings.contains(ending.lowercased()) else { continue }
                files[PlainNames.key(String(file.dropLast(ending.utf8.count + 1)))] = start + file
            }
        }
        guard let file = firstResult(among: files) else { return }
        throw .outputHoldsOther(path: folder.path, file: file)
    }

    func presence(by journal: Journal) throws(DevelopmentError) -> (_ row: Int, _ names: [String]) -> Bool {
        var lost: Set<Int> = []
        var failure: DevelopmentError?
        do throws(SQLiteError) {
            try journal.readFiles { row, names in
                for name in names where failure == nil {
                    do throws(FileError) {
                        if try !folder.hasBytes(name) { lost.insert(row) }
                    } catch {
                        failure = .outputUnusable(path: folder.path + "/" + name, reason: error.reason)
                    }
                }
            }
        } catch {
            throw JournalFolder(in: folder.path).unusable(error)
        }
        if let failure { throw failure }
        return { [lost] row, _ in !lost.contains(row) }
    }

    /// A file that is not marked is replaced by the same one.
    func goOn(with journal: Journal) throws(DevelopmentError) { try prepareFolders() }

    private func prepareFolders() throws(DevelopmentError) {
        for name in variants { _ = try OutputFolder(preparing: folder.path + "/" + name) }
    }

    func stage(_ result: FinishedResult) throws(FileError) -> StagedPicture {
        .file(try place(of: result.variant).unnamed(result.bytes))
    }

    /// Where the results of a variant are: a folder that was made ready, as some of the folders inside it may not be there yet.
    private func place(of variant: String?) -> OutputFolder {
        variant.map { OutputFolder(unprepared: folder.path + "/" + $0) } ?? folder
    }

    func copy(
        of leader: Int, named sources: [String], as names: [String], from address: String?
    ) throws(FileError) -> StagedResult {
        guard try folder.haveBytes(sources) else { throw FileError(code: ENOENT) }
        try folder.eachOrNone(of: names) { (place, name) throws(FileError) in
            try folder.makeParent(of: name)
            // The first component is the variant.
            let variant = place < variants.count ? variants[place] : nil
            let start = variant.map { $0.utf8.count + 1 } ?? 0
            try self.place(of: variant).link(
                String(Substring(sources[place].utf8.dropFirst(start))),
                as: String(Substring(name.utf8.dropFirst(start))))
        }
        return .named
    }

    /// Files are synced and get their names, then the folders are synced that have them.
    func commit(_ entries: [JournalWriter.Entry], _ journal: Journal) throws(PhotoError) -> CommittedSamples {
        // By their paths in the output folder.
        var folders: Set<Substring> = []
        var bytes = FileSync()
        do throws(FileError) {
            for entry in entries {
                guard case .filtered(let names, _) = entry.row.outcome else { continue }
                switch entry.result {
                case .pictures(let pictures):
                    for case .file(let file) in pictures { bytes.add(file) }
                case .named:
                    for name in names { bytes.add(path: folder.path + "/" + name) }
                case .none, .copy: continue
                }
                for name in names { folders.formUnion(Self.folders(of: name)) }
            }
            try bytes.wait()
        } catch {
            throw folder.writeFailed(error)
        }
        for entry in entries {
            guard case .pictures(let pictures) = entry.result, case .filtered(let names, _) = entry.row.outcome else {
                continue
            }
            try name(pictures, names)
        }
        do throws(FileError) {
            for name in folders { try OutputFolder(unprepared: folder.path + "/" + name).sync() }
        } catch {
            throw folder.writeFailed(error)
        }
        return CommittedSamples()
    }

    /// The folders that a file is in, from the innermost one to the output folder, which is an empty path.
    private static func folders(of name: String) -> [Substring] {
        var (folders, rest): ([Substring], Substring) = ([], name[...])
        while let slash = rest.lastSlash {
            rest = rest[..<slash]
            folders.append(rest)
        }
        return folders + [""]
    }

    /// The files of a row get their names: all of them or none.
    private func name(_ pictures: [StagedPicture], _ names: [String]) throws(PhotoError) {
        var failed: String?
        do throws(FileError) {
            try folder.eachOrNone(of: names) { (place, name) throws(FileError) in
                guard place < pictures.count, case .file(let file) = pictures[place] else { return }
                failed = name
                try folder.makeParent(of: name)
                try file.commit(to: folder.path + "/" + name)
            }
        } catch {
            throw folder.writeFailed(error, failed)
        }
    }

    func finish() {}
}

extension OutputFolder {
    /// Why a file of the folder cannot be written, or the folder itself.
    func writeFailed(_ error: FileError, _ name: String? = nil) -> PhotoError {
        let place = name.map { "\(path)/\($0)" } ?? "to the folder \(path)"
        return PhotoError(.writeFailed, "Cannot write \(place): \(error.reason).\(hint)")
    }
}
