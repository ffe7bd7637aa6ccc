import ImageCodecs
import Operations
import PhotoPipeline
import Transfers

/// What a row's photo goes through: it is fetched, decoded, filtered and written, for each variant as far as they have nothing in
/// common.
struct RowStages: Sendable {
    let options: DevelopmentOptions
    /// What is made of each photo.
    let renditions: [Rendition]
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
    ///   - stem: What its results are called, without what says which one it is.
    ///   - policy: How the cache on disk is used.
    ///   - turn: A place among the transfers that was kept for it.
    ///   - claim: Told of the photo when it has arrived; nil where nobody asks.
    ///   - earlier: What was tried before.
    func task(
        for row: Catalog.Row, at rows: [Int], from address: ResourceAddress, as stem: String,
        caching policy: CachePolicy, with turn: TransferTurn?, toldTo claim: ContentClaim?,
        after earlier: EarlierAttempts
    ) -> RowTask {
        let failure = RowFailure()
        let observer = claim.map { claim in
            FetchObserver { bytes, metrics in claim.check(bytes, from: metrics.address?.text(answering: address)) }
        }
        let own = options.ownFilter(of: row)
        let parts = renditions.enumerated().map { place, usual in
            let rendition = own.map(usual.with) ?? usual
            var request = ImageRequest(
                address: address, resize: rendition.resize, processing: rendition.processing,
                allowsLocalFiles: allowsLocalFiles, addressGuard: addressGuard, cachePolicy: policy)
            request.turn = turn
            request.earlierAttempts = earlier.count
            request.fetchObserver = observer
            let label =
                options.trace == nil ? nil : [row.name, rendition.variant].compactMap(\.self).joined(separator: " ")
            let task = pipeline.task(for: request, of: Photo.ID(rows[0]), label: label) { update in
                if case .failed(let error) = update.state { failure.report(error, by: place) }
                // One of the pictures is enough to show what becomes of a photo.
                if place == 0 { show(update, at: rows) }
            }
            let write = WriteOperation(
                encoder: rendition.encoder, keepsMetadata: options.keepsMetadata,
                // It is told once of a photo.
                exif: place == 0 ? options.exif : nil, store: store, stem: stem, variant: rendition.variant,
                meter: meter, whenFailed: { failure.giveUpOthers(than: place) }
            ) { [weak task] in
                guard let task, let image = task.takeScaledResult() else { return nil }
                return WriteOperation.Taken(image: image, address: task.metrics?.address?.text(answering: address))
            }
            task.append(write, to: writeQueue)
            if let label { write.name = "Write \(label)" }
            return RowTask.Part(task: task, write: write)
        }
        return RowTask(parts: parts, failure: failure, claim: claim, earlier: earlier)
    }

    private func show(_ update: Photo.Update, at rows: [Int]) {
        guard let image = update.image else { return }
        switch update.state {
        case .downloaded:
            sheet?.add(original: image, at: rows)
            images.add(original: image, at: rows)
        case .filtered:
            sheet?.add(result: image, at: rows)
            images.add(result: image, at: rows)
        case .new, .waiting, .downloading, .decoding, .filtering, .failed: break
        }
    }
}
