import FoundationEssentials
import Glibc
public import PhotoPipeline
import Transfers

/// What the development of a catalog would do, without fetching or writing anything.
///
/// ```swift
/// import PhotoDevelopment
/// import PhotoPipeline
///
/// let catalog = try await Catalog.load(from: Catalog.Source(argument: "photos.csv"))
/// let preview = try DevelopmentPreview(of: catalog, options: DevelopmentOptions(output: "pictures"))
/// for entry in preview {
///     if case .written(let files) = entry.outcome { print(entry.name, "->", files[0]) }
/// }
/// ```
/// ```text
/// Dune -> Dune-….jpg
/// Waves -> Waves-….jpg
/// Nobody -> Nobody-….jpg
/// ```
public struct DevelopmentPreview: Sendable {
    /// One photo of the run.
    public struct Entry: Sendable {
        /// What would become of a photo if nothing goes wrong on the way.
        public enum Outcome: Sendable {
            /// It would be written to a file of the output folder; with ``DevelopmentOptions/variants``, to one for each, in their order.
            case written(files: [String])
            /// Its files are there and would be left alone, or an earlier run has brought it to its end.
            case skipped(files: [String])
            /// It failed in an earlier run, or is not among those that are to be taken.
            case left
            /// The entry names no photo, or a local file that is not there.
            case failed(PhotoError)
        }

        /// The photo's name, as the catalog has it.
        public let name: String
        /// Its address, as the catalog has it.
        public let address: String
        /// What would become of it.
        public let outcome: Outcome
    }

    /// The files of the catalog's folder that would be no photos of the run.
    public var leftOut: [LeftOutFile] { rows.leftOut }

    private let rows: CatalogRows
    private let store: any ResultStore
    private var options: DevelopmentOptions
    private let plan: RowPlan

    /// Looks at what a run of the same catalog with the same options would begin with.
    ///
    /// - Throws: What would be written in the place of the catalog or of one of its pictures. Whether the output folder can
    ///   be written to is not tried.
    public init(of catalog: Catalog, options: DevelopmentOptions) throws(DevelopmentError) {
        try options.checkVariants()
        try options.checkPathsDiffer(from: catalog)
        rows = CatalogRows(of: catalog, options: options)
        try options.checkPathsDiffer(fromPicturesOf: rows)
        try options.checkSourcesAreElsewhere(rows)
        let folder = OutputFolder(unprepared: options.output)
        try folder.checkIsNoPlans()
        store = options.store(in: folder, rows: rows)
        let begun = try JournalOpening.preview(for: rows, into: store, options: options)
        plan = begun.plan
        self.options = options
        self.options.skipExisting = begun.leavesFiles
    }
}

extension DevelopmentPreview: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { rows.count }

    /// The entry of a row, worked out each time that it is asked for; looks at the disk for local files.
    public subscript(position: Int) -> Entry {
        let row = rows[position]
        let outcome: Entry.Outcome =
            switch RowDecision(rows, at: position, into: store, plan: plan, options: options) {
            case .develop(_, let stem) where plan.isWritten(position):
                .skipped(files: store.files(stem, options.renditions, endings: plan.endings[position]))
            case _ where !plan.takes(position): .left
            case .fail(let error): .failed(error)
            case .skip(_, let files): .skipped(files: files)
            case .develop(let address, let stem):
                if case .file(let file) = address, access(file.path, F_OK) != 0 {
                    .failed(PhotoError(.notFound, "There is no file \(file.path)."))
                } else {
                    // What a photo is, nobody knows before it comes.
                    .written(files: store.files(stem, options.renditions, endings: options.keepsOriginals ? ["*"] : []))
                }
            }
        return Entry(name: row.name, address: row.address, outcome: outcome)
    }
}
