import FoundationEssentials
import PhotoPipeline
import Transfers

extension ShardStore {
    /// Where a sample's bytes come from.
    private enum Source {
        case results([FinishedResult])
        case earlier(Sample)
    }

    /// A sample on its way into a shard.
    private struct Addition {
        let number: Int
        let row: ReportRow
        let source: Source
    }

    /// Samples are appended to their shards, and each shard is synced.
    func commit(_ entries: [JournalWriter.Entry], _ journal: Journal) throws(PhotoError) -> CommittedSamples {
        var additions: [Int: [Addition]] = [:]
        var ends: [Int: Int] = [:]
        do throws(SQLiteError) {
            for entry in entries {
                guard let source = try source(of: entry, journal) else { continue }
                let shard = shard(ofRow: entry.number)
                additions[shard, default: []].append(
                    Addition(number: entry.number, row: entry.row, source: source))
                if ends[shard] == nil { ends[shard] = try journal.end(ofShard: shard) }
            }
        } catch {
            throw JournalFolder(in: folder.path).writeFailed(error)
        }
        var committed = CommittedSamples()
        for (shard, end) in ends.sorted(by: { $0.key < $1.key }) {
            do throws(FileError) {
                let tar = try TarFile(path: path(ofShard: shard), at: end)
                committed.ends[shard] = try tar.appending { () throws(FileError) in
                    for addition in additions[shard] ?? [] {
                        committed.samples.append(try append(addition, to: shard, tar))
                    }
                }
            } catch {
                throw folder.writeFailed(error, planned?.file ?? names.file(ofShard: shard))
            }
        }
        do throws(FileError) {
            if !ends.isEmpty { try folder.sync() }
        } catch {
            throw folder.writeFailed(error)
        }
        return committed
    }

    private func source(of entry: JournalWriter.Entry, _ journal: Journal) throws(SQLiteError) -> Source? {
        switch entry.result {
        case .pictures(let pictures):
            return .results(pictures.compactMap { if case .bytes(let result) = $0 { result } else { nil } })
        case .copy(let leader, let address):
            if var sample = try journal.sample(of: leader) {
                if let address {
                    for place in sample.pictures.indices { sample.pictures[place].facts.address = address }
                }
                return .earlier(sample)
            }
            throw SQLiteError(
                code: SQLiteError.noDatabase, text: "it does not know where the picture of row \(leader + 1) is",
                action: "find a sample")
        case .none, .named: return nil
        }
    }

    private func append(_ addition: Addition, to shard: Int, _ tar: TarFile) throws(FileError) -> Sample {
        let key = key(ofRow: addition.number)
        var pictures: [Sample.Picture] = []
        func append(_ bytes: Data, _ facts: Sample.Facts) throws(FileError) {
            let start = try tar.append("\(key).\(facts.memberEnding)", bytes)
            pictures.append(Sample.Picture(start: start, count: bytes.count, facts: facts))
        }
        switch addition.source {
        case .results(let results):
            for result in results { try append(result.bytes, Sample.Facts(of: result)) }
        case .earlier(let sample):
            for picture in sample.pictures {
                let path = path(ofShard: sample.shard)
                try append(TarFile.bytes(of: path, from: picture.start, count: picture.count), picture.facts)
            }
        }
        let text = SampleText(
            key: key, row: addition.row, entry: self.entry(addition.number), variants: variants, pictures: pictures)
        _ = try tar.append("\(key).json", Data(text.json.utf8))
        return Sample(number: addition.number, shard: shard, end: tar.end, pictures: pictures)
    }
}
