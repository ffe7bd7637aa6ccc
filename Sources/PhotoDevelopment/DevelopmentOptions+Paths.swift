import Catalogs
import FoundationEssentials
import PhotoPipeline
import Transfers

extension DevelopmentOptions {
    /// Where results go.
    ///
    /// - Parameters:
    ///   - folder: The output folder.
    ///   - rows: The catalog's rows.
    func store(in folder: OutputFolder, rows: CatalogRows) -> any ResultStore {
        switch layout {
        case .files:
            FileStore(
                folder: folder, variants: variantNames, rows: rows,
                plainNames: names == .plain ? PlainNames(count: rows.count) { rows[$0].name } : nil,
                usesShardFolders: usesShardFolders, keepsFiles: skipExisting, origin: origin)
        case .webDataset(let rowsPerShard):
            ShardStore(
                folder: folder, names: ShardNames(rows: rows.count, rowsPerShard: max(rowsPerShard, 1)),
                variants: variantNames, entry: { (0..<rows.count).contains($0) ? rows[$0].entry : nil },
                hasEXIF: exif != nil)
        }
    }

    /// Results with plain names would take the place of pictures of the catalog that are in the output folder.
    func checkSourcesAreElsewhere(_ rows: CatalogRows) throws(DevelopmentError) {
        guard names == .plain, layout == .files, FileIdentity(path: output) != nil else { return }
        // Of few folders, as rows of one come one after the other.
        var known: [Substring: Bool] = [:]
        func isInOutput(_ path: String) -> Bool {
            let folder = path[..<(path.lastSlash ?? path.startIndex)]
            if let isInside = known[folder] { return isInside }
            if known.count > 10_000 { known = [:] }
            let isInside = FileIdentity.way(to: path, from: output) != nil
            known[folder] = isInside
            return isInside
        }
        for number in 0..<rows.count {
            let row = rows[number]
            // Most are from the web, which is told quickly.
            if row.hasWebScheme { continue }
            guard case .success(.file(let file)) = row.content else { continue }
            var place = file.path
            if FileStatus(path: place, followsLinks: false)?.kind == .link, !isInOutput(place) {
                place = TemporaryFile.resolved(place)
            }
            guard isInOutput(place) else { continue }
            throw .outputHoldsSource(path: output, file: file.lastPathComponent)
        }
    }

    /// What is written beside the pictures, with what it is called and how one says that it cannot be written.
    private var filesBeside: [(path: String?, meaning: String, error: (String, String) -> DevelopmentError)] {
        [
            (report, "the report", DevelopmentError.reportUnusable),
            (contactSheet, "the contact sheet", DevelopmentError.contactSheetUnusable),
            (trace, "the trace", DevelopmentError.traceUnusable),
            (metrics, "the metrics", DevelopmentError.metricsUnusable),
        ]
    }

    /// What is written beside the pictures must replace none of those that the catalog names.
    func checkPathsDiffer(fromPicturesOf rows: CatalogRows) throws(DevelopmentError) {
        var there: [FileIdentity: DevelopmentError] = [:]
        for (path, _, error) in filesBeside {
            guard let path, let file = FileIdentity(path: path) else { continue }
            there[file] = error(path, "it is one of the catalog's pictures")
        }
        // What is not there yet replaces nothing.
        guard !there.isEmpty else { return }
        for number in 0..<rows.count {
            let row = rows[number]
            // Most are from the web, which is told quickly.
            if row.hasWebScheme { continue }
            guard case .success(.file(let file)) = row.content, let picture = FileIdentity(path: file.path),
                let error = there[picture]
            else { continue }
            throw error
        }
    }

    /// What is written beside the pictures must be none of the results.
    func checkPathsDiffer(fromResultsIn store: any ResultStore) throws(DevelopmentError) {
        for (path, _, error) in filesBeside {
            guard let path, let file = FileIdentity.way(to: path, from: output), store.isResult(file) else {
                continue
            }
            throw error(path, "it is the name of a result of the run")
        }
    }

    /// What is written beside the pictures must replace neither the catalog, nor each other, nor what the run itself keeps.
    func checkPathsDiffer(from catalog: Catalog) throws(DevelopmentError) {
        var taken: [(path: String, meaning: String)] = []
        if case .file(let own) = catalog.origin {
            if RunFiles.contain(own, of: output, hasShards: layout != .files) {
                throw .outputUnusable(path: output, reason: "the run would write its own in the place of the catalog")
            }
            taken.append((own, "the catalog"))
        }
        for (path, meaning, error) in filesBeside {
            guard let path else { continue }
            if let other = taken.first(where: { FileIdentity.isSame(path, $0.path) }) {
                throw error(path, "it is \(other.meaning)")
            }
            if RunFiles.contain(path, of: output, hasShards: layout != .files) { throw error(path, RunFiles.reason) }
            taken.append((path, meaning))
        }
    }
}
