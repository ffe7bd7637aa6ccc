import PhotoPipeline

@testable import PhotoDevelopment

/// A store with somebody who looks on, and may change something.
struct WatchedStore: ResultStore {
    let store: any ResultStore
    var whenGoingOn: @Sendable () -> Void = {}
    var whenCommitting: @Sendable () -> Void = {}

    var folder: OutputFolder { store.folder }

    func stem(of row: Catalog.Row, at index: Int) -> String { store.stem(of: row, at: index) }
    func isResult(_ file: String) -> Bool { store.isResult(file) }
    func file(_ stem: String, _ variant: String?, ending: String) -> String {
        store.file(stem, variant, ending: ending)
    }
    func begin(replacing replaces: Bool) throws(DevelopmentError) { try store.begin(replacing: replaces) }
    func presence(by journal: Journal) throws(DevelopmentError) -> (_ row: Int, _ names: [String]) -> Bool {
        try store.presence(by: journal)
    }
    func goOn(with journal: Journal) throws(DevelopmentError) {
        whenGoingOn()
        try store.goOn(with: journal)
    }
    func stage(_ result: FinishedResult) throws(FileError) -> StagedPicture { try store.stage(result) }
    func copy(
        of leader: Int, named sources: [String], as names: [String], from address: String?
    ) throws(FileError) -> StagedResult {
        try store.copy(of: leader, named: sources, as: names, from: address)
    }
    func commit(_ entries: [JournalWriter.Entry], _ journal: Journal) throws(PhotoError) -> CommittedSamples {
        whenCommitting()
        return try store.commit(entries, journal)
    }
    func finish() throws(DevelopmentError) { try store.finish() }
}
