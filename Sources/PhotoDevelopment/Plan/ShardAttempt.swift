import Catalogs
import FoundationEssentials
import PhotoPipeline
import Transfers

/// A shard that a worker is at, until it is committed or given up.
struct ShardAttempt {
    /// The shard's number.
    let number: Int
    /// What tells it from other attempts at the shard.
    let name: String
    /// How many rows it holds.
    let rowCount: Int
    /// The names of its files.
    let names: (tar: String, index: String, table: String)
    /// Where they are written.
    let work: WorkFolder
    let store: ShardStore
    let journal: Journal
    let development: Development

    private func path(_ name: String) -> String { work.path + "/" + name }

    /// Begins with the rows of a shard.
    ///
    /// - Returns: The attempt, or that it cannot be written.
    static func begin(
        _ number: Int, _ catalog: Catalog, _ parts: [TaskLine.Parts], in work: WorkFolder, of output: PlanOutput,
        _ pipeline: PhotoPipeline, _ options: DevelopmentOptions
    ) throws(DevelopmentError) -> Result<ShardAttempt, PhotoError> {
        let name = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let names = (
            tar: output.tarName(ofShard: number, name), index: output.indexName(ofShard: number, name),
            table: output.tableName(ofShard: number, name)
        )
        var store = ShardStore(
            folder: OutputFolder(unprepared: work.path, isTemporary: work.staging != nil), names: output.plan.names,
            variants: options.variantNames)
        store.planned = PlannedShard(number: number, file: names.tar, rows: parts.map(\.number))
        store.hasEXIF = options.exif != nil
        store.entry = { parts.indices.contains($0) ? parts[$0].entry : nil }
        let journal: Journal
        do throws(SQLiteError) {
            // In memory: what is not committed is done again, and databases do not live on shared file systems.
            journal = try Journal(
                creating: ":memory:", digest: CatalogDigest(text: ""), count: catalog.count, recipe: Recipe([]))
        } catch {
            throw .journalUnusable(path: ":memory:", reason: error.sentence)
        }
        let tar = work.path + "/" + names.tar
        do throws(FileError) {
            // Also where none of the rows has a picture.
            _ = try TarFile(path: tar, at: 0).appending()
        } catch {
            work.discard([names.tar])
            return .failure(store.folder.writeFailed(error))
        }
        var rows = CatalogRows(of: catalog, options: options)
        for (place, part) in parts.enumerated() where part.flaw != nil { rows.flaws[place] = part.flaw }
        do throws(DevelopmentError) {
            let development = try Development(
                Development.Parts(rows: rows, store: AttemptStore(shard: store), origin: catalog),
                journal: journal, pipeline: pipeline, options: options)
            return .success(
                ShardAttempt(
                    number: number, name: name, rowCount: catalog.count, names: names, work: work, store: store,
                    journal: journal, development: development))
        } catch {
            work.discard([names.tar])
            throw error
        }
    }

    /// Writes what stands beside the photos when these have come to their ends.
    ///
    /// - Returns: The marker that commits it.
    /// - Throws: `writeFailed`.
    func finish(_ summary: DevelopmentSummary, plan: String, task: Int) throws(PhotoError) -> ShardMarker {
        var table = ShardTable(of: store)
        do throws(DevelopmentError) {
            try ShardIndex(store: store, path: path(names.index)).write(journal) { table.add($0, $1) }
        } catch {
            throw PhotoError(.writeFailed, "\(error).\(store.folder.hint)")
        }
        do throws(FileError) { try table.write(to: path(names.table)) } catch {
            throw store.folder.writeFailed(error)
        }
        let progress = summary.progress
        do throws(FileError) {
            return ShardMarker(
                plan: plan, shard: number, task: task, attempt: name, rows: rowCount, written: progress.filtered,
                failures: Dictionary(uniqueKeysWithValues: summary.failures.map { ($0.key.rawValue, $0.value) }),
                bytes: progress.bytes, tar: try ShardMarker.File(at: path(names.tar)),
                index: try ShardMarker.File(at: path(names.index)), table: try ShardMarker.File(at: path(names.table)))
        } catch {
            throw store.folder.writeFailed(error)
        }
    }

    /// Removes what is not to be kept.
    func discard() { work.discard([names.tar, names.index, names.table]) }
}
