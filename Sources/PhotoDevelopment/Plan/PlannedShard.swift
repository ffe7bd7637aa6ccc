import PhotoPipeline

/// A shard of a plan, as one worker writes it: under a name of its own, as another one may do the same at the same time.
struct PlannedShard: Sendable {
    /// The shard's number among those of the plan.
    let number: Int
    /// The name of the tar file in the folder of data.
    let file: String
    /// The numbers of its rows in the catalog.
    let rows: [Int]
}

/// Where a worker puts the results of a shard, which nobody sees before the shard is committed.
struct AttemptStore: ResultStore {
    let shard: ShardStore

    var folder: OutputFolder { shard.folder }

    func stem(of row: Catalog.Row, at index: Int) -> String { shard.stem(of: row, at: index) }
    func isResult(_ file: String) -> Bool { shard.isResult(file) }
    func file(_ stem: String, _ variant: String?, ending: String) -> String {
        shard.file(stem, variant, ending: ending)
    }
    func stage(_ result: FinishedResult) -> StagedPicture { shard.stage(result) }
    func copy(of leader: Int, named sources: [String], as names: [String], from address: String?) -> StagedResult {
        shard.copy(of: leader, named: sources, as: names, from: address)
    }
    func commit(_ entries: [JournalWriter.Entry], _ journal: Journal) throws(PhotoError) -> CommittedSamples {
        try shard.commit(entries, journal)
    }

    // An attempt begins with nothing, never goes on, and is finished by whoever commits the shard.
    func begin(replacing replaces: Bool) {}
    func presence(by journal: Journal) -> (_ row: Int, _ names: [String]) -> Bool { { _, _ in false } }
    func goOn(with journal: Journal) {}
    func finish() {}
}
