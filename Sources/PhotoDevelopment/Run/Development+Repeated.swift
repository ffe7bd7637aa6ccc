import Glibc
import Operations
import PhotoPipeline
import Transfers

/// Rows that name the address of another one, or bring its bytes, and take over what became of it.
extension Development {
    /// What a row's photo is told to when it has arrived; nil where photos are not compared.
    func claim(for index: Int) -> ContentClaim? {
        guard options.comparesContents, options.ownFilter(of: rows[index]) == nil else { return nil }
        return ContentClaim { [weak self] digest in
            self?.state.withLock { $0.contents?.arrive(index, digest) }
        }
    }

    /// A row has brought the photo of another one, and takes over what has come of that, or will.
    func join(_ index: Int, _ arrival: RepeatedArrival) {
        if case .takeOver(let outcome) = state.withLock({ $0.join(index, arrival) }) {
            writeQueue.addOperation { [self] in
                takeOver(outcome ?? results(of: arrival.leader), from: arrival.leader, by: index)
                endIfOver()
            }
        } else {
            endIfOver()
        }
    }

    /// What became of a row that was the first with its bytes, and has results.
    private func results(of index: Int) -> ReportRow.Outcome {
        let (endings, damage) = state.withLock { state in
            (state.contents?.endings(of: index) ?? [], state.contents?.damage(of: index))
        }
        let stem = store.stem(of: rows[index], at: index)
        return .filtered(files: store.files(stem, stages.renditions, endings: endings), damage: damage)
    }

    /// A row is left as earlier runs left it.
    func pass(_ index: Int, _ row: Catalog.Row) {
        var files: [String]?
        if plan.isShared(index, keepsDamaged: options.keepsDamaged),
            case .develop(_, let stem) = RowDecision(rows, at: index, into: store, plan: plan, options: options)
        {
            files = store.files(stem, stages.renditions, endings: plan.endings[index])
        }
        state.withLock { state in
            if let files { state.repeated.pass(index, files: files, damage: plan.damages[index]) }
            state.window.leave()
        }
    }

    /// Ends a row as the first one with its address, or with its bytes, ended.
    func takeOver(_ outcome: ReportRow.Outcome, from leader: Int, by index: Int) {
        let row = rows[index]
        let (arrival, isStopped) = state.withLock { state in
            (state.arrivals.removeValue(forKey: index), state.window.isStopped)
        }
        func finish(_ outcome: ReportRow.Outcome, _ result: StagedResult = .none, isSkipped: Bool = false) {
            self.finish(
                index, row, outcome, result, isSkipped: isSkipped, bytes: arrival?.received.bytes ?? 0,
                milliseconds: arrival?.received.milliseconds ?? 0, sharing: arrival?.leader)
        }
        // What has stopped the run may be how the first one ended.
        if isStopped { return finish(.cancelled) }
        guard case .filtered(let sources, let damage) = outcome else { return finish(outcome) }
        let (address, stem): (ResourceAddress, String)
        switch RowDecision(rows, at: index, into: store, plan: plan, options: options) {
        case .fail(let error): return finish(.failed(error))
        case .skip(_, let files): return finish(.filtered(files: files), .named, isSkipped: true)
        case .develop(let own, let name): (address, stem) = (own, name)
        }
        if let arrival { sheet?.share(of: arrival.leader, with: index) }
        let files = store.files(stem, stages.renditions, endings: sources.map(\.nameEnding))
        // Rows that are equal in name and address share their files.
        if files == sources { return finish(outcome) }
        do throws(FileError) {
            let result = try store.copy(of: leader, named: sources, as: files, from: arrival?.address)
            finish(.filtered(files: files, damage: damage), result)
        } catch {
            // Somebody has taken a file of the first one away.
            if error.code == ENOENT {
                state.withLock { $0.attempts[index] = arrival?.received }
                return start(index, row, address, stem, comparesContents: false)
            }
            let error = store.folder.writeFailed(error, files.first)
            stop(.outputFailed(error))
            settle(index, ReportRow(name: row.name, address: row.address, outcome: .failed(error)), isInJournal: false)
        }
    }

}
