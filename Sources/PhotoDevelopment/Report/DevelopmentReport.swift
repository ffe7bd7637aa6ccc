public import FoundationEssentials
import Transfers

/// What a run has made of its catalog so far, from the journal in its output folder.
///
/// It can be had at any time: while the run goes on, after its end, and after it was killed. Rows are in the catalog's order;
/// those that have not come to their end are not among them. Memory stays the same however many rows there are.
/// For one thread at a time.
///
/// ```swift
/// import PhotoDevelopment
/// import PhotoPipeline
///
/// let catalog = try await Catalog.load(from: Catalog.Source(argument: "photos.csv"))
/// _ = await (try Development(of: catalog, options: DevelopmentOptions(output: "pictures"))).run()
///
/// let report = try DevelopmentReport(of: "pictures")
/// print(report.totals.filtered, "of", report.totals.rows)
/// try report.write(.json, to: "report.jsonl")
/// ```
/// ```text
/// 2 of 3
/// ```
public struct DevelopmentReport {
    /// The forms of a report.
    public enum Format: String, CaseIterable, Hashable, Sendable {
        /// Comma-separated values as RFC 4180 has them, with a line of names. What a spreadsheet would take for a formula
        /// has an apostrophe in front. A run with variants has a column more for the file of each, `file_NAME`; the column `file` is that of
        /// the first.
        case csv
        /// JSON Lines: an object a line, with the names of the columns as keys, and null where a row has no such value. A run with
        /// variants has one key more: `files`, an object with the file of each variant by its name.
        case json
        /// A page that opens in a browser without a server: totals, failures by reason, hosts, a list of at most 100,000 photos that
        /// can be searched, small pictures of the first ones before and after, and links to the results.
        case html
    }

    /// How many photos came to which end, when the report was opened.
    public let totals: ReportTotals

    let output: String
    let journal: Journal

    /// Opens the journal of an output folder.
    ///
    /// - Parameter output: The folder's path.
    /// - Throws: `noJournal` where no run has begun there, `planInsteadOfRun` where it is a plan's, or why the journal cannot be read.
    public init(of output: String) throws(DevelopmentError) {
        self.output = output
        let place = JournalFolder(in: output)
        guard place.hasJournal else {
            throw RunPlan.isThere(in: output) ? .planInsteadOfRun(path: output) : .noJournal(output: output)
        }
        let isBlank: Bool
        do throws(SQLiteError) {
            journal = try Journal(opening: place.database)
            isBlank = journal.isBlank
            totals = isBlank ? ReportTotals(rows: 0) : try journal.totals()
        } catch {
            throw .journalUnusable(path: place.database, reason: error.sentence)
        }
        // A run was killed before it could write down what it is about.
        if isBlank { throw .noJournal(output: output) }
    }

    /// Writes a file, whole or not at all, or to a pipe or a device.
    ///
    /// - Parameters:
    ///   - format: The form.
    ///   - path: The file's path; one that is there is replaced. Links of a page to the results lead there from its folder.
    /// - Throws: Why it cannot be written, or the journal not be read.
    public func write(_ format: Format, to path: String) throws(DevelopmentError) {
        if RunFiles.contain(path, of: output, hasShards: hasShards) {
            throw .reportUnusable(path: path, reason: RunFiles.reason)
        }
        try checkReplacesNoPicture(path)
        let rows = JournalRows(of: journal)
        do throws(FileError) {
            let file = try OutputFile(path)
            try journal.withSnapshot { () throws(FileError) in
                // Who reads a pipe may be in any folder.
                try write(rows, as: format, at: OutputFile.isStream(path) ? nil : path) {
                    (piece: Data) throws(FileError) in try file.write(piece)
                }
            }
            if rows.failure == nil { try file.commit() }
        } catch {
            throw .reportUnusable(path: path, reason: error.reason)
        }
        try check(rows)
    }

    /// A report must be none of the results, nor the catalog, and none of the photos that they were made of.
    private func checkReplacesNoPicture(_ path: String) throws(DevelopmentError) {
        // What is not there yet replaces nothing.
        guard let file = FileIdentity(path: path) else { return }
        let result = FileIdentity.way(to: path, from: output)
        let source: String
        do throws(SQLiteError) { source = try journal.source() } catch {
            throw JournalFolder(in: output).unusable(error)
        }
        if FileIdentity(path: source) == file { throw .reportUnusable(path: path, reason: "it is the catalog") }
        let rows = JournalRows(of: journal)
        for row in rows {
            if case .filtered(let files, _) = row.outcome, let result, files.contains(result) {
                throw .reportUnusable(path: path, reason: "it is a result of the run")
            }
            if Self.localPaths(of: row.address, in: source).contains(where: { FileIdentity(path: $0) == file }) {
                throw .reportUnusable(path: path, reason: "it is one of the catalog's pictures")
            }
        }
        try check(rows)
    }

    /// Where the file of an address may be, if it is one: in the folder that was the catalog, or from the folder of the catalog's file.
    private static func localPaths(of address: String, in source: String) -> [String] {
        if address.hasPrefix("file:") { return URL(string: address).map { [$0.path] } ?? [] }
        if address.hasPrefix("/") { return [address] }
        if address.contains("://") || source.isEmpty { return [] }
        let folder = source[..<(source.lastSlash ?? source.startIndex)]
        return ["\(source)/\(address)", "\(folder)/\(address)"]
    }

    /// Hands the report on in pieces; blocks as long as `take` does.
    ///
    /// - Parameters:
    ///   - format: The form. Links of a page to the results are absolute.
    ///   - take: Takes the pieces, in order, and says whether it wants more.
    /// - Throws: That the journal cannot be read.
    public func write(_ format: Format, to take: (Data) -> Bool) throws(DevelopmentError) {
        struct Stopped: Error {}
        let rows = JournalRows(of: journal)
        do throws(Stopped) {
            try journal.withSnapshot { () throws(Stopped) in
                try write(rows, as: format, at: nil) { (piece: Data) throws(Stopped) in
                    if !take(piece) { throw Stopped() }
                }
            }
        } catch {
            return
        }
        try check(rows)
    }

    private func write<Failure: Error>(
        _ rows: JournalRows, as format: Format, at path: String?, to take: (Data) throws(Failure) -> Void
    ) throws(Failure) {
        switch format {
        case .csv: try ReportText.csv(variants: variants).write(rows, to: take)
        case .json: try ReportText.json(variants: variants).write(rows, to: take)
        case .html:
            // A page does without a picture that cannot be read.
            try page(at: path).write(rows.numbered, images: { try? journal.images(of: $0) }, to: take)
        }
    }

    /// The names of the run's variants.
    var variants: [String] { (try? journal.recipe())?.variants ?? [] }

    private var hasShards: Bool {
        let layout = (try? journal.recipe())?.items.first { $0.option == "--layout" }
        return layout.map { $0.value != DevelopmentOptions.Layout.files.name } ?? false
    }

    private func check(_ rows: JournalRows) throws(DevelopmentError) {
        if let failure = rows.failure { throw JournalFolder(in: output).unusable(failure) }
    }
}
