import ImageCodecs
import Operations
@_exported public import Pixels
import Transfers

/// Downloads, decodes and filters photos, in bounded memory.
///
/// A pipeline may be used from any thread.
///
/// ```swift
/// let pipeline = PhotoPipeline()
/// let request = ImageRequest(address: address, longestSide: 1024, filter: .classic)
/// pipeline.task(for: request, of: photo.id) { update in print(update.state) }.start()
/// ```
public final class PhotoPipeline: Sendable {
    /// The queues, and what is on its way.
    public let pending: PendingOperations

    private let configuration: Configuration
    private let client: TransferClient
    private let gate: MemoryGate
    private let decoding: PictureDecoding

    /// A pipeline with queues and connections of its own.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        client = TransferClient()
        gate = MemoryGate(limit: configuration.memoryLimit)
        pending = PendingOperations(
            downloadWidth: configuration.downloadWidth, decodeWidth: configuration.decodeWidth,
            filtrationWidth: configuration.filtrationWidth)
        decoding = configuration.decoding ?? Self.decoder(limits: configuration.decodeLimits)
    }

    /// The bytes of pictures on their way that are held at present, undecoded and decoded.
    public var memoryInUse: Int { gate.held }

    /// Prepares a photo's way through the stages; nothing happens before its start.
    ///
    /// - Parameters:
    ///   - request: What is wanted.
    ///   - id: The photo that it is wanted for.
    ///   - onUpdate: Called for each change of state, in order, on a thread of the engine; the next stage waits
    ///     until it returns. The picture it is given shares its bytes with that stage unless it is let go.
    public func task(
        for request: ImageRequest, of id: Photo.ID, onUpdate: @escaping @Sendable (Photo.Update) -> Void
    ) -> PhotoTask {
        let memory = PhotoMemory(gate: gate)
        let reporter = PhotoReporter(state: .new, onUpdate: onUpdate)
        var wanted = DownloadRequest(url: request.address)
        wanted.limits = configuration.transferLimits
        wanted.allowsLocalFiles = request.allowsLocalFiles
        wanted.addressGuard = request.addressGuard
        wanted.flow = memory
        let download = CachedDownloadOperation(
            wanted, client: client, cache: configuration.diskCache, policy: request.cachePolicy)
        let reservation = ReservationOperation(
            download: download, longestSide: request.longestSide, limits: configuration.decodeLimits, memory: memory)
        let decode = DecodeOperation(
            download: download, longestSide: request.longestSide, decode: decoding, memory: memory,
            reporter: reporter)
        let filtration = FiltrationOperation(decode: decode, filter: request.filter, reporter: reporter)
        return PhotoTask(
            id: id, download: download, reservation: reservation, decode: decode, filtration: filtration,
            pending: pending, memory: memory, reporter: reporter)
    }

    private static func decoder(limits: DecodeLimits) -> PictureDecoding {
        { (bytes, longestSide, isCancelled) throws(ImageCodecError) in
            try ImageDecoder.decode(bytes, longestSide: longestSide, limits: limits, isCancelled: isCancelled)
        }
    }
}
