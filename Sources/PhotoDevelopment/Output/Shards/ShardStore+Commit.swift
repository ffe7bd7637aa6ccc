import FoundationEssentials
import PhotoPipeline
import Transfers

extension ShardStore {
    /// Where a sample's bytes come from.
    private enum Source {
        case result(FinishedResult)
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
                let shard = names.shard(ofRow: entry.number)
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
                throw folder.writeFailed(error, names.file(ofShard: shard))
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
        case .sample(let result): return .result(result)
        case .copy(let leader):
            if let sample = try journal.sample(of: leader) { return .earlier(sample) }
            throw SQLiteError(
                code: SQLiteError.noDatabase, text: "it does not know where the picture of row \(leader + 1) is",
                action: "find a sample")
        case .none, .unnamed, .named: return nil
        }
    }

    private func append(_ addition: Addition, to shard: Int, _ tar: TarFile) throws(FileError) -> Sample {
        let (bytes, facts): (Data, Sample.Facts)
        switch addition.source {
        case .result(let result): (bytes, facts) = (result.bytes, Sample.Facts(of: result))
        case .earlier(let sample):
            facts = sample.facts
            bytes = try TarFile.bytes(of: path(ofShard: sample.shard), from: sample.start, count: sample.count)
        }
        let key = names.key(ofRow: addition.number)
        let start = try tar.append("\(key).\(facts.ending)", bytes)
        let text = SampleText(
            key: key, row: addition.row, entry: self.entry(addition.number), facts: facts, count: bytes.count)
        _ = try tar.append("\(key).json", Data(text.json.utf8))
        return Sample(
            number: addition.number, shard: shard, start: start, count: bytes.count, end: tar.end, facts: facts)
    }
}
