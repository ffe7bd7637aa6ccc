import Catalogs
package import ImageCodecs
import Operations
import Pixels
public import Transfers

/// Downloads, decodes and filters photos, in bounded memory.
///
/// Whatever is wanted twice at the same time is done once: one transfer for an address, one decoding for a size, one
/// run for each beginning of a filter. What was done is kept in memory, see ``cache``. A pipeline may be used from any
/// thread.
///
/// ```swift
/// import Foundation
/// import PhotoPipeline
///
/// let pipeline = PhotoPipeline()
/// let request = ImageRequest(
///     address: URL(filePath: "dune.jpg"), longestSide: 1024, filter: .classic, allowsLocalFiles: true)
/// pipeline.task(for: request, of: Photo.ID(0)) { update in print(update.state) }.start()
/// ```
/// <!-- then
/// while pipeline.pending.count > 0 { usleep(1000) }
/// -->
/// <!-- prints
/// waiting
/// downloading
/// …
/// decoding
/// downloaded
/// …
/// filtered
/// -->
public final class PhotoPipeline: Sendable {
    /// The queues, and what is on its way.
    public let pending: PendingOperations
    /// Pictures that were decoded or filtered, in memory.
    public let cache: ImageCache

    /// Carries the transfers out.
    package let client: TransferClient
    let configuration: Configuration
    let gate: MemoryGate
    let decoder: DecoderSelection
    let log: PhotoLog?

    let group = SharedGroup()
    let fetches: Shared<ImageKey, Result<FetchedBody, PhotoError>>
    let decodes: Shared<ImageKey, Result<ScaledImage, PhotoError>>
    let filters: Shared<ImageKey, Result<ScaledImage, PhotoError>>
    let animations: Shared<ImageKey, Result<FrameSource, PhotoError>>

    /// A pipeline with queues and connections of its own.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        log = configuration.log.map { PhotoLog(configuration.logLevel, $0) }
        decoder = DecoderSelection(configuration.decoders, limits: configuration.decodeLimits)
        fetches = Shared(in: group)
        decodes = Shared(in: group)
        filters = Shared(in: group)
        animations = Shared(in: group)
        var clientConfiguration = configuration.transfers
        if let log {
            clientConfiguration.whenHostRests = { host, rest, error in
                log.add(PhotoLogEntry(.hostResting(host, for: rest, after: error)))
            }
        }
        client = TransferClient(clientConfiguration)
        if let log { configuration.imageDiskCache?.report(to: log) }
        let transfers = TransferQueue(
            client, width: configuration.downloadWidth, loadWidth: configuration.downloadWidthPerHost,
            limit: configuration.imagesInWork ?? 4 * min(configuration.decodeWidth, .max / 4))
        gate = MemoryGate(limit: configuration.memoryLimit, transfers: transfers)
        cache = ImageCache(limit: configuration.cacheLimit)
        pending = PendingOperations(
            transfers, decodeWidth: configuration.decodeWidth, filtrationWidth: configuration.filtrationWidth,
            hasLoaders: !configuration.loaders.isEmpty)
        pending.executionOrder = configuration.executionOrder
        pending.qualityOfService = configuration.qualityOfService
    }

    /// What the transfers are about at present.
    public var transferActivity: TransferActivity { client.activity }

    /// What a picture's decoding may cost, and where it happens.
    package var decodeLimits: DecodeLimits { configuration.decodeLimits }

    /// The bytes of pictures on their way that are held at present, undecoded and decoded.
    public var memoryInUse: Int { gate.held }

    /// The pictures that have arrived and are not done with.
    package var imagesInWork: Int { gate.transfers?.inWork ?? 0 }

    /// Prepares a photo's way through the stages; nothing happens before its start.
    ///
    /// - Parameters:
    ///   - request: What is wanted.
    ///   - id: The photo that it is wanted for.
    ///   - label: What its operations are called in traces, behind their stage's name. Those that it shares are called by
    ///     the label of the photo that wanted them first. Default: nothing.
    ///   - onUpdate: Called for each change of state, in order: on a thread of the engine, or on the caller's during the start
    ///     for what is at hand. The next stage waits until it returns, unless another thread is calling it. Of a download it is called on
    ///     the thread on which all transfers of the pipeline wait meanwhile: decide, do not block, and wait for no other picture. The
    ///     picture it is given shares its bytes with that stage unless it is let go.
    public func task(
        for request: ImageRequest, of id: Photo.ID, label: String? = nil,
        onUpdate: @escaping @Sendable (Photo.Update) -> Void
    ) -> PhotoTask {
        task(for: request, of: id, logged: id, label: label, onUpdate: onUpdate)
    }

    /// - Parameter photo: What it is called in the log; nil for a picture that is no photo of a list.
    func task(
        for request: ImageRequest, of id: Photo.ID, logged photo: Photo.ID?, label: String? = nil,
        onUpdate: @escaping @Sendable (Photo.Update) -> Void
    ) -> PhotoTask {
        let logger = PhotoLogger(log, photo: photo, label: label, request.address)
        let reporter = PhotoReporter(self, logger, onUpdate: onUpdate)
        return PhotoTask(
            id: id, label: label, request: request, pipeline: self, reporter: reporter)
    }
}
