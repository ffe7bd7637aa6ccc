import PhotoPipeline
import Transfers

/// The journal of a run that begins or goes on.
struct JournalOpening {
    /// Keeps others out as long as it lives.
    let lock: JournalLock
    let journal: Journal
    let reserve: JournalReserve
    let plan: RowPlan
    /// Whether the files of rows that are not marked are left alone, as ``DevelopmentOptions/skipExisting`` said when the run
    /// began.
    let leavesFiles: Bool
    private let output: String

    /// Goes on with the journal of an output folder, or begins one.
    ///
    /// - Throws: That the journal is of another catalog or recipe, that another run is under way, or that it cannot be used.
    init(
        for rows: CatalogRows, into store: any ResultStore, options: DevelopmentOptions
    ) throws(DevelopmentError) {
        output = store.folder.path
        let place = JournalFolder(in: output)
        try Self.checkIsMeant(options, in: place)
        try place.make()
        lock = try JournalLock(of: place)
        if options.resumption == .fresh {
            // What cannot be removed is known before anything is forgotten.
            try store.begin(replacing: true)
            try place.removeJournal()
        }
        if let (earlier, leavesFiles) = try Self.earlier(in: place, rows, options) {
            self.leavesFiles = leavesFiles
            try store.goOn(with: earlier)
            // From what the journal has then, so that the rows whose results are gone for the one are so for the other.
            plan = try Self.plan(after: earlier, rows, store, options)
            do throws(SQLiteError) { try earlier.upgrade() } catch { throw place.unusable(error) }
            journal = earlier
            reserve = JournalReserve(in: place, of: lock)
            return
        }
        if options.resumption != .fresh { try store.begin(replacing: false) }
        leavesFiles = options.skipExisting
        do throws(SQLiteError) {
            journal = try Journal(
                creating: place.database, digest: CatalogDigest(of: rows), count: rows.count,
                recipe: Recipe(of: options), source: rows.source, leavesFiles: leavesFiles)
        } catch {
            throw .journalUnusable(path: place.database, reason: error.sentence)
        }
        reserve = JournalReserve(in: place, of: lock)
        plan = RowPlan(count: rows.count, of: options.renditions)
        do throws(FileError) {
            // SQLite syncs its files; these are the names.
            for path in [place.path, store.folder.path] { try OutputFolder(unprepared: path).sync() }
        } catch {
            throw .journalUnusable(path: place.path, reason: error.reason)
        }
    }

    /// Which of the photos that are there brought their bytes first, and makes ready to remember others.
    ///
    /// - Parameter keepsDamaged: Whether the run keeps damaged photos.
    func contents(keepsDamaged: Bool) throws(DevelopmentError) -> RepeatedContents {
        var contents = RepeatedContents(shown: ReportImages.mostRows, endings: plan.endings)
        do throws(SQLiteError) {
            try journal.prepareForContents()
            try journal.readContents { row, digest in
                if plan.isShared(row, keepsDamaged: keepsDamaged) {
                    contents.pass(row, digest, damage: plan.damages[row])
                }
            }
        } catch {
            throw .journalUnusable(path: JournalFolder(in: output).database, reason: error.sentence)
        }
        return contents
    }

    /// What a run would take, where nothing is to be written, and whether it would leave files alone.
    static func preview(
        for rows: CatalogRows, into store: any ResultStore, options: DevelopmentOptions
    ) throws(DevelopmentError) -> (plan: RowPlan, leavesFiles: Bool) {
        let place = JournalFolder(in: store.folder.path)
        try checkIsMeant(options, in: place)
        guard options.resumption != .fresh,
            let (journal, leavesFiles) = try earlier(in: place, rows, options)
        else { return (RowPlan(count: rows.count, of: options.renditions), options.skipExisting) }
        return (try plan(after: journal, rows, store, options), leavesFiles)
    }

    private static func checkIsMeant(
        _ options: DevelopmentOptions, in place: JournalFolder
    ) throws(DevelopmentError) {
        if options.resumption.retried != nil, !place.hasJournal { throw .noJournal(output: place.output) }
    }

    /// The journal that is there, if it is of this catalog and recipe, and whether its run leaves files alone; nil where there is
    /// none.
    private static func earlier(
        in place: JournalFolder, _ rows: CatalogRows, _ options: DevelopmentOptions
    ) throws(DevelopmentError) -> (journal: Journal, leavesFiles: Bool)? {
        guard place.hasJournal else { return nil }
        let (journal, before): (Journal, (digest: CatalogDigest, recipe: Recipe, leavesFiles: Bool))
        do throws(SQLiteError) {
            journal = try Journal(opening: place.database)
            if journal.isBlank { return nil }
            before = (try journal.digest(), try journal.recipe(), try journal.leavesFiles())
        } catch {
            throw .journalUnusable(path: place.database, reason: error.sentence)
        }
        if let (option, old, new) = Recipe(of: options).difference(from: before.recipe) {
            throw .recipeDiffers(output: place.output, option: option, before: old, now: new)
        }
        // Behind the recipe, as the layout decides what of the catalog counts.
        guard before.digest == CatalogDigest(of: rows) else {
            throw .catalogChanged(output: place.output, canKeepFiles: options.layout == .files)
        }
        // Last, as it says that the same command goes on without the option.
        if options.skipExisting, !before.leavesFiles { throw .journalBesideSkipExisting(output: place.output) }
        return (journal, before.leavesFiles)
    }

    private static func plan(
        after journal: Journal, _ rows: CatalogRows, _ store: any ResultStore, _ options: DevelopmentOptions
    ) throws(DevelopmentError) -> RowPlan {
        try RowPlan(
            after: journal, count: rows.count, in: store, renditions: options.renditions,
            retrying: options.resumption.retried)
    }
}
