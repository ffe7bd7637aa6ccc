import FoundationEssentials
import Transfers

/// What a journal knows of the shards, beside what they are.
extension ShardStore {
    /// A shard that a journal knows.
    private struct Known {
        let number: Int
        /// How many bytes it has; 0 where it is not there.
        let length: Int
        /// Up to where it is to be kept: where the journal knows it to be whole, or the last sample ends that is there.
        let end: Int
        /// Whether somebody has taken samples away.
        let isShort: Bool
    }

    func presence(by journal: Journal) throws(DevelopmentError) -> (_ row: Int, _ names: [String]) -> Bool {
        let shards = try known(by: journal)
        var lost: Set<Int> = []
        do throws(SQLiteError) {
            for shard in shards where shard.isShort {
                lost.formUnion(try journal.rows(ofShard: shard.number, beyond: shard.end))
            }
        } catch {
            throw JournalFolder(in: folder.path).unusable(error)
        }
        return { [lost] row, _ in !lost.contains(row) }
    }

    func goOn(with journal: Journal) throws(DevelopmentError) {
        try cutBack(to: journal, forgetsLost: true)
    }

    /// Brings the shards back to what a journal knows of them.
    ///
    /// - Parameter forgetsLost: Whether the journal forgets the rows whose samples are gone, as they are to be done again.
    /// - Throws: Also where samples are gone that are not to be forgotten.
    func cutBack(to journal: Journal, forgetsLost: Bool) throws(DevelopmentError) {
        // All are measured before one is changed.
        let shards = try known(by: journal)
        if !forgetsLost, let short = shards.first(where: \.isShort) { throw unusable(short.number, .cutShort) }
        for shard in shards { try cutBack(shard, journal) }
        // A run was killed before anything in these was marked. Other tar files are somebody else's.
        let files = Set(shards.map { names.file(ofShard: $0.number) })
        for name in folderNames(folder.path) where names.isOwn(name) && !files.contains(name) { try remove(name) }
    }

    private func cutBack(_ shard: Known, _ journal: Journal) throws(DevelopmentError) {
        do throws(FileError) {
            if try !isWhole(shard) { _ = try TarFile(path: path(ofShard: shard.number), at: shard.end).appending() }
        } catch {
            throw unusable(shard.number, error)
        }
        guard shard.isShort else { return }
        // Last, as what cannot be opened may have all its samples. The end of an archive is shorter than any of them.
        do throws(SQLiteError) {
            try journal.forgetRows(ofShard: shard.number, beyond: shard.end)
        } catch {
            throw JournalFolder(in: folder.path).unusable(error)
        }
    }

    private func known(by journal: Journal) throws(DevelopmentError) -> [Known] {
        let place = JournalFolder(in: folder.path)
        let shards: [(number: Int, end: Int)]
        do throws(SQLiteError) { shards = try journal.shards() } catch { throw place.unusable(error) }
        var known: [Known] = []
        for (number, end) in shards {
            let length: Int
            do throws(FileError) {
                length = try FileStatus.ofFile(at: path(ofShard: number))?.size ?? 0
            } catch {
                throw unusable(number, error)
            }
            do throws(SQLiteError) {
                let kept = length < end ? try journal.end(ofShard: number, within: length) : end
                known.append(Known(number: number, length: length, end: kept, isShort: length < end))
            } catch {
                throw place.unusable(error)
            }
        }
        return known
    }

    /// Whether a shard's members end where it is to be kept, and nothing but the end of the archive follows.
    private func isWhole(_ shard: Known) throws(FileError) -> Bool {
        guard shard.length == shard.end + TarFile.endLength else { return false }
        return try TarFile.bytes(of: path(ofShard: shard.number), from: shard.end, count: TarFile.endLength)
            .allSatisfy { $0 == 0 }
    }

    private func unusable(_ shard: Int, _ error: FileError) -> DevelopmentError {
        .outputUnusable(path: path(ofShard: shard), reason: error.reason)
    }
}
