import FoundationEssentials
import Glibc
import ImageCodecs
import Operations
public import PhotoPipeline
package import Transfers

/// Develops a whole catalog: every photo downloaded, decoded, filtered and written.
///
/// It may be used from any thread and holds none while it waits. An address that several rows name is fetched, decoded and
/// filtered once; the files of those rows are links to one file, or copies where the file system has no links. Of a photo that
/// several ``DevelopmentOptions/variants`` are made of there is one transfer, and one decoding for each size.
///
/// A run has no more in memory the more rows its catalog has, but two bytes for each while it is prepared. A catalog of millions of rows is
/// best loaded with its rows in a temporary file, see `Catalog.RowStorage`.
///
/// ```swift
/// import PhotoDevelopment
/// import PhotoPipeline
///
/// let catalog = try await Catalog.load(from: Catalog.Source(argument: "photos.csv"))
/// let development = try Development(of: catalog, options: DevelopmentOptions(output: "pictures"))
/// let summary = await development.run()
/// print(summary.progress.filtered, "of", summary.progress.total)
/// ```
/// ```text
/// 2 of 3
/// ```
public final class Development: Sendable {
    let rows: CatalogRows
    let options: DevelopmentOptions
    let store: any ResultStore
    private let report: CatalogReport?
    private let lock: JournalLock?
    private let journal: JournalWriter
    /// Which rows this run takes.
    let plan: RowPlan
    let sheet: ContactSheet?
    let stages: RowStages
    private let trace: TraceFile?
    let metrics: MetricsFile?
    /// In seconds since 1970.
    let startTime = Date().timeIntervalSince1970
    let pipeline: PhotoPipeline
    let writeQueue = OperationQueue()
    /// Where the catalog is read on and rows are begun, one after the other.
    private let readQueue = OperationQueue()
    let hold: RunHold
    let state: Lock<DevelopmentState>

    /// Prepares the development of a catalog.
    ///
    /// Where the catalog is a folder that is also the output, what earlier runs made there is left out, and so is a contact
    /// sheet in that folder; see ``DevelopmentSummary/leftOut``.
    ///
    /// The output folder is made, and proven to be writable, so that this is known before anything is fetched; the same
    /// goes for the report, the contact sheet, the trace and the metrics. Where an earlier run has begun in that folder this one goes on,
    /// or does what ``DevelopmentOptions/resumption`` says. The folder belongs to this run until it is released.
    ///
    /// - Throws: Which of them cannot be written to, and why; or that the folder is that of another catalog, of pictures that
    ///   are made otherwise, or of a run that is under way.
    public convenience init(of catalog: Catalog, options: DevelopmentOptions) throws(DevelopmentError) {
        try options.checkPathsDiffer(from: catalog)
        try options.checkVariants()
        let folder = try OutputFolder(preparing: options.output)
        let rows = CatalogRows(of: catalog, options: options)
        try options.checkPathsDiffer(fromPicturesOf: rows)
        try options.checkSourcesAreElsewhere(rows)
        let store = options.store(in: folder, rows: rows)
        try options.checkPathsDiffer(fromResultsIn: store)
        var parts = Parts(rows: rows, store: store, origin: catalog)
        if let path = options.report { parts.report = try CatalogReport(path: path, variants: options.variantNames) }
        if let path = options.contactSheet { parts.sheet = try ContactSheet(path: path) }
        if let path = options.trace { try TraceFile.check(path: path) }
        if let path = options.metrics { parts.metrics = try MetricsFile(path: path) }
        // When all else can be written, as it may remove what was remembered; before threads are made.
        let opening = try JournalOpening(for: rows, into: store, options: options)
        (parts.lock, parts.reserve, parts.plan) = (opening.lock, opening.reserve, opening.plan)
        var options = options
        options.skipExisting = opening.leavesFiles
        if options.comparesContents {
            parts.contents = try opening.contents(keepsDamaged: options.keepsDamaged)
        }
        try self.init(
            parts, journal: opening.journal, pipeline: PhotoPipeline(configuration: options.pipelineConfiguration),
            options: options)
    }

    /// What a run works with.
    struct Parts {
        let rows: CatalogRows
        let store: any ResultStore
        /// Where the rows are from, which decides where they may lead.
        let origin: Catalog
        /// Which rows the run takes; nil for all of them.
        var plan: RowPlan?
        var contents: RepeatedContents?
        var lock: JournalLock?
        var reserve: JournalReserve?
        var report: CatalogReport?
        var sheet: ContactSheet?
        var metrics: MetricsFile?
    }

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - parts: What it works with.
    ///   - journal: What it writes rows down in that came to their end.
    ///   - pipeline: What it fetches, decodes and filters by; several runs may share one.
    ///   - options: How photos are developed.
    init(
        _ parts: Parts, journal: Journal, pipeline: PhotoPipeline, options: DevelopmentOptions
    ) throws(DevelopmentError) {
        self.options = options
        (rows, store, report, sheet, metrics) = (parts.rows, parts.store, parts.report, parts.sheet, parts.metrics)
        (lock, self.pipeline) = (parts.lock, pipeline)
        let rows = parts.rows
        plan = parts.plan ?? RowPlan(count: rows.count, of: options.renditions)
        let journal = JournalWriter(journal, store: store, reserve: parts.reserve)
        self.journal = journal
        writeQueue.name = "Write queue"
        writeQueue.maxConcurrentOperationCount = options.jobs
        readQueue.name = "Read queue"
        readQueue.maxConcurrentOperationCount = 1
        hold = RunHold(of: pipeline.pending, and: [readQueue, writeQueue])
        var addressGuard = parts.origin.addressGuard
        if options.allowsPrivateAddresses { addressGuard.opensSpecialRanges = true }
        stages = RowStages(
            options: options, renditions: options.renditions, pipeline: pipeline, store: store,
            writeQueue: writeQueue, meter: options.metrics == nil ? nil : StageMeter(), sheet: sheet,
            images: ReportImages { number, pair in journal.add(pair, of: number) },
            allowsLocalFiles: !parts.origin.origin.isRemote, addressGuard: addressGuard)
        let queues = pipeline.pending.queues + [writeQueue]
        trace = if let path = options.trace { try TraceFile(path: path, of: queues) } else { nil }
        var summary = DevelopmentSummary(
            progress: DevelopmentProgress(total: rows.count), leftOut: rows.leftOut)
        summary.progress.filteredEarlier = plan.filtered
        summary.progress.failedEarlier = plan.failed
        (summary.failures, summary.examples) = (plan.failures, plan.examples)
        state = Lock(
            DevelopmentState(
                window: AdmissionWindow(count: rows.count, mostSetAside: options.mostSetAside),
                lines: HostLines(connectionsPerHost: options.connectionsPerHost),
                repeated: RepeatedAddresses(count: rows.count) { options.origin(of: rows[$0]) },
                contents: parts.contents, summary: summary))
    }

    /// The files of the catalog's folder that are no photos of the run.
    public var leftOut: [LeftOutFile] { rows.leftOut }

    /// How many rows are operations at present.
    var atWork: Int { state.withLock { $0.tasks.count } }

    /// How far the run has come, and what it waits for.
    public var progress: DevelopmentProgress {
        var (progress, keptBack) = state.withLock { ($0.summary.progress, $0.window.keptBack) }
        let activity = pipeline.transferActivity
        progress.waiting = activity.waiting + keptBack
        progress.restingHosts = activity.restingHosts
        progress.isWaitingForConnectivity = activity.isWaitingForConnectivity
        return progress
    }

    /// Develops all photos and writes the report, the contact sheet, the trace and the metrics, also when it is cancelled. Only once.
    ///
    /// - Returns: What became of the photos, and what could not be written beside them.
    public func run() async -> DevelopmentSummary {
        listenToJournal()
        beginMetrics()
        var summary = await handedOver { handOver in
            state.withLock { $0.whenOver = handOver }
            readOn()
        }
        // What stopped it came too late to keep a row from its end, as a disk that is full behind the last picture.
        if summary.cancelled == 0, state.withLock({ $0.unwritten.isEmpty }) { summary.stop = nil }
        // The program may end before whoever has the journal has closed it.
        let isThere = await journal.gather()
        do throws(DevelopmentError) {
            if !isThere { throw JournalFolder(in: store.folder.path).unusableAsGone }
            try report?.write(rows, from: JournalFolder(in: store.folder.path), and: state.withLock { $0.unwritten })
        } catch {
            summary.unwritten.append(error)
        }
        do throws(DevelopmentError) { try store.finish() } catch { summary.unwritten.append(error) }
        // Also after a cancel: what has arrived need not be fetched by the next run.
        await options.diskCache?.flush()
        do throws(DevelopmentError) { try sheet?.finish(with: JournalFolder(in: store.folder.path)) } catch {
            summary.unwritten.append(error)
        }
        do throws(DevelopmentError) { try trace?.finish() } catch { summary.unwritten.append(error) }
        await endMetrics()
        return summary
    }

    // MARK: - Entries

    /// How many rows are looked at, or ended, in one go.
    private static let rowsAtATime = 256

    /// Reads on, so that there is somebody for the room that transfers have.
    private func readOn() {
        let isFirst = state.withLock { state in
            state.window.want(options.connections)
            return state.beginReading()
        }
        if isFirst { readQueue.addOperation { [self] in readSome() } }
    }

    private func readSome() {
        for _ in 0..<Self.rowsAtATime {
            if readQueue.isSuspended { break }
            guard let index = state.withLock({ $0.nextRow() }) else { return endIfOver() }
            begin(index)
        }
        // Behind the rows that have got their turn meanwhile, or when the queue goes on.
        let next = BlockOperation { [self] in readSome() }
        next.queuePriority = .low
        readQueue.addOperation(next)
    }

    func endIfOver() {
        let (over, summary, waitsForJournal, waiting) = state.withLock { state in
            (state.takeWhenOver(), state.summary, state.window.waitsForJournal, state.waitingToTell)
        }
        if waitsForJournal { journal.flush() }
        if let waiting { pipeline.client.tellWhenTurnsOnlyWait(self, count: waiting) }
        guard let over else { return }
        // The client may live on for other runs, and keeps who waits for something.
        pipeline.client.withdrawTurns(of: self)
        over(summary)
    }

    private func begin(_ index: Int) {
        let row = rows[index]
        guard plan.takes(index) else { return pass(index, row) }
        let decision = RowDecision(rows, at: index, into: store, plan: plan, options: options)
        switch decision {
        case .fail(let error): finish(index, row, .failed(error))
        case .skip(_, let files):
            state.withLock { $0.repeated.pass(index, files: files) }
            finish(index, row, .filtered(files: files), .named, isSkipped: true)
        case .develop(let address, let stem):
            switch state.withLock({ $0.begin(index, of: decision.host) }) {
            case .develop:
                if lineUp(index, address) { return }
                takeBack(of: decision.host)
                start(index, row, address, stem)
            case .wait: break
            case .takeOver(let outcome, let leader):
                writeQueue.addOperation { [self] in
                    takeOver(outcome, from: leader, by: index)
                    endIfOver()
                }
            }
        }
    }

    /// A row that was set aside has its turn, or need not wait for one.
    private func begin(_ index: Int, with turn: TransferTurn?) {
        let row = rows[index]
        if state.withLock({ $0.window.isStopped }) {
            takeBack(of: nil)
            finish(index, row, .cancelled)
        } else {
            let decision = RowDecision(rows, at: index, into: store, plan: plan, options: options)
            takeBack(of: decision.host)
            switch decision {
            case .fail(let error): finish(index, row, .failed(error))
            case .skip(_, let files): finish(index, row, .filtered(files: files), .named, isSkipped: true)
            case .develop(let address, let stem): start(index, row, address, stem, with: turn)
            }
        }
        // There is room for one more to be set aside.
        if state.withLock({ $0.beginReading() }) { readSome() } else { endIfOver() }
    }

    /// A row waits for its host no more: the next one that was kept back does.
    private func takeBack(of host: WebAddress.Origin?) {
        guard let next = state.withLock({ $0.takeBack(of: host) }) else { return }
        if case .success(let address) = rows.address(of: next), lineUp(next, address) { return }
        readQueue.addOperation { [self] in begin(next, with: nil) }
    }

    func start(
        _ index: Int, _ row: Catalog.Row, _ address: ResourceAddress, _ stem: String, with turn: TransferTurn? = nil,
        comparesContents: Bool = true
    ) {
        let earlier = state.withLock { $0.attempts.removeValue(forKey: index) } ?? EarlierAttempts()
        let shown = [index] + state.withLock { $0.repeated.others(behind: index, below: ReportImages.mostRows) }
        let claim = comparesContents ? claim(for: index) : nil
        let work = stages.task(
            for: row, at: shown, from: address, as: stem, caching: plan.cachePolicy(of: index), with: turn,
            toldTo: claim, after: earlier)
        let isStopped = state.withLock { state in
            state.tasks[index] = work
            return state.window.isStopped
        }
        if isStopped { work.cancel() }
        work.start { [self] in
            // Another photo's transfer may have brought it.
            turn?.giveBack()
            if let meter = stages.meter { for timings in work.timings { meter.add(timings) } }
            let end = work.takeEnd()
            if let arrival = work.repeated { return join(index, arrival) }
            let (bytes, milliseconds) = (work.receivedByteCount, work.milliseconds)
            if let (attempts, delay) = work.nextAttempt { return tryAgain(index, address, attempts, after: delay) }
            func finish(_ outcome: ReportRow.Outcome, _ result: StagedResult = .none) {
                self.finish(index, row, outcome, result, bytes: bytes, milliseconds: milliseconds)
            }
            switch end {
            case .written(let result, let files, let damage): finish(.filtered(files: files, damage: damage), result)
            case .failed(let error): finish(.failed(error))
            case .outputFailed(let error):
                stop(.outputFailed(error))
                let row = ReportRow(
                    name: row.name, address: row.address, outcome: .failed(error), bytes: bytes,
                    milliseconds: milliseconds)
                settle(index, row, isInJournal: false)
            case .cancelled: finish(.cancelled)
            }
            endIfOver()
        }
    }

    /// A row waits for another try: as a row, and not as operations.
    private func tryAgain(_ index: Int, _ address: ResourceAddress, _ attempts: EarlierAttempts, after delay: Duration)
    {
        state.withLock { $0.putAsideAgain(index, of: address.turnOrigin, attempts) }
        if lineUp(index, address, after: delay) { endIfOver() } else { begin(index, with: nil) }
    }

    /// Puts a row that was set aside into the line of its host.
    ///
    /// - Returns: Whether it has to wait; not where its address has no host.
    private func lineUp(_ index: Int, _ address: ResourceAddress, after delay: Duration = .zero) -> Bool {
        let request = pipeline.client.requestTurn(
            for: address, of: self, key: index, patience: options.hostPatience, after: delay)
        // Whoever has stopped the run meanwhile may have withdrawn its turns before this one was there.
        if state.withLock({ $0.window.isStopped }) { pipeline.client.withdrawTurns(of: self) }
        return request != nil
    }

    // MARK: - Ends

    /// A row has come to its end, which counts when the journal has it.
    func finish(
        _ index: Int, _ row: Catalog.Row, _ outcome: ReportRow.Outcome, _ result: StagedResult = .none,
        isSkipped: Bool = false, bytes: Int = 0, milliseconds: Int64 = 0, sharing leader: Int? = nil
    ) {
        let row = ReportRow(
            name: row.name, address: row.address, outcome: outcome, bytes: bytes, milliseconds: milliseconds)
        // The next run takes it.
        if case .cancelled = outcome { return settle(index, row) }
        let digest = state.withLock { state in
            state.tasks[index] = nil
            state.window.beginEnding()
            return state.contents?.digest(of: index)
        }
        journal.add(
            JournalWriter.Entry(
                number: index, row: row, result: result, isSkipped: isSkipped, digest: digest, leader: leader))
    }

    private func listenToJournal() {
        journal.listen(
            JournalWriter.Listener(
                whenEnded: { [weak self] entries, areDurable in
                    // The last one may end the run, which is released then.
                    guard let self else { return }
                    for entry in entries {
                        let row = areDurable ? entry.row : entry.row.cancelled
                        settle(entry.number, row, isSkipped: entry.isSkipped, isEnding: true)
                    }
                    endIfOver()
                },
                whenFailed: { [weak self] in self?.stop(.outputFailed($0)) },
                holdBack: { [hold] in hold.holdBack($0) }))
    }

    /// A row's end counts.
    ///
    /// - Parameters:
    ///   - isInJournal: Whether the journal has it, if it has come to an end.
    ///   - isEnding: Whether it has waited for the journal.
    func settle(
        _ index: Int, _ row: ReportRow, isSkipped: Bool = false, isInJournal: Bool = true, isEnding: Bool = false
    ) {
        let waiting = state.withLock { state in
            if !isInJournal { state.unwritten[index] = row }
            return state.settle(index, row, isSkipped: isSkipped, isEnding: isEnding)
        }
        if !waiting.isEmpty { takeOver(row.outcome, from: index, by: waiting[...]) }
    }

    /// Ends rows that have waited for another one. Some at a time: the rest waits where the journal holds the run back.
    private func takeOver(_ outcome: ReportRow.Outcome, from leader: Int, by waiting: ArraySlice<Int>) {
        writeQueue.addOperation { [self] in
            for other in waiting.prefix(Self.rowsAtATime) {
                state.withLock { $0.window.unpark() }
                takeOver(outcome, from: leader, by: other)
            }
            let rest = waiting.dropFirst(Self.rowsAtATime)
            if !rest.isEmpty { takeOver(outcome, from: leader, by: rest) }
            endIfOver()
        }
    }

    func stop(_ reason: DevelopmentSummary.Stop) {
        let running = state.withLock { $0.stop(reason) }
        for task in running { task.cancel() }
        pipeline.client.withdrawTurns(of: self)
        // What is cancelled ends where its queue goes on.
        hold.endPause()
        // Where nothing was running, nobody else would notice that the run is over.
        endIfOver()
    }
}

extension Development: TurnTaker {
    package func take(_ turn: TransferTurn?, for key: Int) {
        readQueue.addOperation { [self] in begin(key, with: turn) }
    }

    package func transfersHaveRoom() { readOn() }

    package func turnsOnlyWait() { state.withLock { $0.whenOnlyWaiting.take() }?() }
}
