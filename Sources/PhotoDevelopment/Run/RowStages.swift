import ImageCodecs
import Operations
import PhotoPipeline
import Transfers

/// What a row's photo goes through: it is fetched, decoded, filtered and written.
struct RowStages: Sendable {
    let options: DevelopmentOptions
    let pipeline: PhotoPipeline
    let store: any ResultStore
    let writeQueue: OperationQueue
    /// Adds up what the stages take; nil where nobody asks.
    let meter: StageMeter?
    let sheet: ContactSheet?
    let images: ReportImages
    /// Whether addresses of the catalog may name local files.
    let allowsLocalFiles: Bool
    /// Where addresses of the catalog may lead.
    let addressGuard: AddressGuard

    /// Prepares a photo's way; nothing happens before its start.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - rows: Its place in the catalog, and those of others that get the same picture.
    ///   - address: Where the photo is.
    ///   - stem: What its result is called, without the ending.
    ///   - turn: A place among the transfers that was kept for it.
    ///   - earlier: What was tried before.
    func task(
        for row: Catalog.Row, at rows: [Int], from address: ResourceAddress, as stem: String, with turn: TransferTurn?,
        after earlier: EarlierAttempts
    ) -> RowTask {
        var request = ImageRequest(
            address: address, resize: options.keepsOriginals ? DevelopmentOptions.proof : options.resize,
            filter: options.keepsOriginals ? .none : options.filter, allowsLocalFiles: allowsLocalFiles,
            addressGuard: addressGuard)
        request.turn = turn
        request.earlierAttempts = earlier.count
        let failure = Lock<PhotoError?>(nil)
        let label = options.trace == nil ? nil : row.name
        let task = pipeline.task(for: request, of: Photo.ID(rows[0]), label: label) { [sheet, images] update in
            switch update.state {
            case .failed(let error): failure.withLock { $0 = error }
            case .downloaded:
                guard let image = update.image else { break }
                sheet?.add(original: image, at: rows)
                images.add(original: image, at: rows)
            case .filtered:
                guard let image = update.image else { break }
                sheet?.add(result: image, at: rows)
                images.add(result: image, at: rows)
            case .new, .waiting, .downloading, .decoding, .filtering: break
            }
        }
        let write = WriteOperation(
            encoder: options.keepsOriginals ? nil : options.encoder, keepsMetadata: options.keepsMetadata,
            exif: options.exif, store: store, stem: stem, meter: meter
        ) { [weak task] in
            guard let task, let image = task.takeScaledResult() else { return nil }
            return WriteOperation.Taken(image: image, metrics: task.metrics)
        }
        task.append(write, to: writeQueue)
        if let label { write.name = "Write \(label)" }
        return RowTask(task: task, write: write, failure: failure, earlier: earlier)
    }
}

/// A row's photo on its way.
struct RowTask: Sendable {
    /// What has come of it.
    enum End {
        /// Its result waits for its batch.
        case written(StagedResult, file: String)
        case failed(PhotoError)
        /// The result could not be written, so that others could not be either.
        case outputFailed(PhotoError)
        case cancelled
    }

    let task: PhotoTask
    fileprivate let write: WriteOperation
    fileprivate let failure: Lock<PhotoError?>
    fileprivate let earlier: EarlierAttempts

    /// What has come of it, when the task has finished.
    var end: End {
        switch (write.result, failure.withLock { $0 }) {
        case (.written(let result, let file), _): .written(result, file: file)
        case (.failed(let error), _), (nil, let error?): .failed(error)
        case (.outputFailed(let error), _): .outputFailed(error)
        case (nil, nil): .cancelled
        }
    }

    /// What has been tried with this attempt, and how long to wait for the next one; nil where there is none.
    var nextAttempt: (EarlierAttempts, after: Duration)? {
        guard let delay = task.retryDelay, failure.withLock({ $0 != nil }) else { return nil }
        return (EarlierAttempts(count: earlier.count + 1, bytes: receivedByteCount, began: earlier.began), delay)
    }

    /// The bytes that were received in all attempts.
    var receivedByteCount: Int { earlier.bytes + task.receivedByteCount }

    /// How long it has taken so far.
    var milliseconds: Int64 {
        let elapsed = (ContinuousClock.now - earlier.began).components
        return elapsed.seconds * 1_000 + elapsed.attoseconds / 1_000_000_000_000_000
    }
}
