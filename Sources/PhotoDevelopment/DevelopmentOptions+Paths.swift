import ImageCodecs
import PhotoPipeline

extension DevelopmentOptions {
    /// The ending of results' names, without the dot: of all, or where photos are written as they came, of most.
    var usualEnding: String { keepsOriginals ? ImageFormat.jpeg.fileExtension : encoder.format.fileExtension }

    /// How a photo is looked at that is written as it came: decoding reads all of it, and makes as much of it as small pictures
    /// for the report and the contact sheet need.
    static let proof = Resize.longestSide(256)

    /// Where results go.
    ///
    /// - Parameters:
    ///   - folder: The output folder.
    ///   - rows: The catalog's rows.
    func store(in folder: OutputFolder, rows: CatalogRows) -> any ResultStore {
        switch layout {
        case .files: FileStore(folder: folder)
        case .webDataset(let rowsPerShard):
            ShardStore(
                folder: folder, names: ShardNames(rows: rows.count, rowsPerShard: max(rowsPerShard, 1))
            ) { (0..<rows.count).contains($0) ? rows[$0].entry : nil }
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

    /// What is written beside the pictures must be none of the results.
    func checkPathsDiffer(fromResultsOf rows: CatalogRows, in store: any ResultStore) throws(DevelopmentError) {
        for (path, _, error) in filesBeside {
            guard let path, let file = FileIdentity.way(to: path, from: output), store.isResult(file, of: rows) else {
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
