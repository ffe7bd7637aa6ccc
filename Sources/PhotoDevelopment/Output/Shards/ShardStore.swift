import FoundationEssentials
import Glibc
import PhotoPipeline
import Transfers

/// The layout of WebDataset: tar files, in which each row has a picture, or one for each variant, and a JSON object of the same name.
///
/// A row's sample is appended to the shard that its place belongs to, in the order in which rows come to their end. The journal
/// knows up to which offset each shard is whole; what lies behind, as of a run that was killed, is cut off before anything is
/// appended. So nothing that is marked is missing, cut off or there twice.
struct ShardStore: ResultStore {
    /// The index's name in the output folder.
    static let index = "index.jsonl"

    let folder: OutputFolder
    let names: ShardNames
    /// The names of the run's variants.
    var variants: [String] = []
    /// The entry of a row as it stands in the catalog, an object of JSON; nil where that is not known.
    var entry: @Sendable (_ row: Int) -> String? = { _ in nil }
    /// Whether fields of EXIF are told.
    var hasEXIF = false
    /// The shard of a plan that all rows belong to; nil where the rows' places decide.
    var planned: PlannedShard?

    /// Whether no other run writes to the folder: the tasks of a plan share theirs, and a file's lock may hold on its own machine only.
    var ownsFolder: Bool { planned == nil }

    func stem(of row: Catalog.Row, at index: Int) -> String {
        names.file(ofShard: shard(ofRow: index)) + "/" + key(ofRow: index)
    }

    /// The shard of a row.
    func shard(ofRow index: Int) -> Int { planned?.number ?? names.shard(ofRow: index) }

    /// What the members of a row's sample are called, in front of the dot.
    func key(ofRow index: Int) -> String { names.key(ofRow: planned?.rows[index] ?? index) }

    /// A result is no file of its own.
    func isResult(_ file: String) -> Bool { false }

    /// What follows the first dot is what readers tell the members of a sample by.
    func file(_ stem: String, _ variant: String?, ending: String) -> String {
        "\(stem).\(Sample.Facts.memberEnding(variant, ending))"
    }

    func path(ofShard shard: Int) -> String { folder.path + "/" + (planned?.file ?? names.file(ofShard: shard)) }

    // MARK: Beginning and going on

    func begin(replacing replaces: Bool) throws(DevelopmentError) {
        let present = folderNames(folder.path)
        let tars = present.filter(ShardNames.isShard)
        let stems = Set(tars.map { $0.prefix { $0 != "." } })
        // Other tables may be anybody's. Where all photos of a shard failed, it had a table and no tar file.
        let known = [names, earlierNames].compactMap(\.self)
        let tables = present.filter { name in
            known.contains { $0.shard(ofTable: name) != nil }
                || ShardNames.isTable(name) && stems.contains(name.prefix { $0 != "." })
        }
        let earlier = tars + tables + present.filter { $0 == Self.index }
        if let first = earlier.first, !replaces {
            throw .outputUnusable(
                path: folder.path,
                reason: "\(first) is there, and no journal that knows it; --fresh replaces such files")
        }
        // All or none of them.
        for name in earlier {
            guard FileStatus(path: folder.path + "/" + name, followsLinks: false)?.kind != .folder else {
                throw .outputUnusable(path: folder.path + "/" + name, reason: FileError(code: EISDIR).reason)
            }
        }
        for name in earlier { try remove(name) }
    }

    /// What the shards are called of the run whose journal is in the folder; nil where there is none, or it made no shards.
    private var earlierNames: ShardNames? {
        let place = JournalFolder(in: folder.path)
        guard place.hasJournal, let journal = try? Journal(opening: place.database), !journal.isBlank,
            let rows = try? journal.count(), let recipe = try? journal.recipe(),
            let rowsPerShard = recipe.items.first(where: { $0.option == Recipe.rowsPerShard }).flatMap({ Int($0.value) }
            ),
            rowsPerShard > 0
        else { return nil }
        return ShardNames(rows: rows, rowsPerShard: rowsPerShard)
    }

    func remove(_ name: String) throws(DevelopmentError) {
        let path = folder.path + "/" + name
        guard unlink(path) == 0 || errno == ENOENT else {
            throw .outputUnusable(path: path, reason: FileError.last.reason)
        }
    }

    // MARK: Results

    func stage(_ result: FinishedResult) -> StagedPicture { .bytes(result) }

    func copy(of leader: Int, named sources: [String], as names: [String], from address: String?) -> StagedResult {
        .copy(of: leader, from: address)
    }

    func finish() throws(DevelopmentError) {
        let place = JournalFolder(in: folder.path)
        let journal: Journal
        do throws(SQLiteError) { journal = try Journal(opening: place.database) } catch { throw place.unusable(error) }
        // A batch that failed half way, as on a full disk, has left samples that are not marked, and would not be in the index.
        try cutBack(to: journal, forgetsLost: false)
        var tables = ShardTables(store: self)
        try ShardIndex(store: self, path: folder.path + "/" + Self.index).write(journal) {
            tables.add($0, $1)
        }
        try tables.finish()
        // Of shards whose rows are all to be done again.
        for name in folderNames(folder.path) {
            if let shard = names.shard(ofTable: name), !tables.written.contains(shard) { try remove(name) }
        }
    }
}
