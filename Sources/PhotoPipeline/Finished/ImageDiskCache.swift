import FoundationEssentials
import ImageCodecs
import Operations
import Pixels
public import Transfers

/// Finished pictures on disk: decoded at a size, and with all steps of a request done.
///
/// A pipeline that has one (``PhotoPipeline/Configuration/imageDiskCache``) brings a file as ever, from the network, from the
/// disk cache of HTTP or from its folder, and then neither decodes nor filters it where the picture that is wanted of just these bytes
/// is on disk. So a picture from here is never older than HTTP's rules, or the file, let it be. Pictures in memory, which come first,
/// are not compared with anything, see ``PhotoPipeline/Configuration/cacheLimit``.
///
/// ```swift
/// import Foundation
/// import PhotoPipeline
///
/// var configuration = PhotoPipeline.Configuration()
/// let cache = ImageDiskCache(folder: "thumbnails", limit: 100_000_000)
/// configuration.imageDiskCache = cache
/// let pipeline = PhotoPipeline(configuration: configuration)
/// let address = URL(string: "https://example.org/dune.jpg")!
/// print(try await pipeline.image(for: ImageRequest(address: address, longestSide: 256, filter: .classic)).size)
/// await cache.flush()
/// ```
/// ```text
/// 256 x 171
/// ```
/// A picture is packed and stored after whoever asked for it has it: a program that ends before ``flush()`` has returned may have to
/// make it anew in its next run.
///
/// Kept is what photos end with, pixel by pixel. Not kept are pictures of answers that HTTP forbids to store, or that are for one
/// person (`no-store`, user and password); damaged ones; what decoders of one's own have made, as nothing tells one version of them
/// from the next; and what is made of a picture in memory, as while somebody tries filters. Processors of one's own are told from
/// each other by their type's name, with its module's, and their key: where the code of one changes, its key has to.
///
/// The limit holds at every moment, for all of its files together and with several processes. What was not used for longest makes
/// room, and a picture of more than a sixteenth of the limit, as it is packed, is not kept. Files can be read by their owner only, and
/// addresses are not in them. Pictures that are changed on disk are found by a checksum, and made anew. Where the disk is full or
/// cannot be written the pipeline goes on without, and says so to ``PhotoPipeline/Configuration/log`` once. Nothing
/// happens on the caller's thread.
public final class ImageDiskCache: Sendable {
    /// What a cache did since it was made.
    public struct Statistics: Hashable, Sendable {
        /// How many pictures were looked for.
        public var lookups = 0
        /// How many of them were there.
        public var found = 0
        /// How many were stored.
        public var stored = 0
        /// How many were found to be changed on disk.
        public var damaged = 0
    }

    /// To be raised whenever the same file and the same steps make other pixels, by the decoders or by the filters, and whenever the
    /// form changes in which they are kept.
    static let version = 2

    private let files: DiskStore<StoredImage>
    /// Where pictures are packed, which nobody waits for but ``flush()``. Their memory counts as in use until then.
    let packQueue = OperationQueue()
    private let maxAge: Int
    private let found = Lock(0)
    private let unreadable = Lock(0)
    /// Those who are told that it cannot work.
    private let logs: Lock<[@Sendable () -> PhotoLog?]>

    /// A cache in a folder.
    /// - Parameters:
    ///   - folder: The path of the folder; made when it is first needed. Other files in it are left alone, so that it can be the one
    ///     of a `DiskCache`, too, such as its `standardFolder`.
    ///   - limit: The most bytes that all files take together, at least 4 MiB. Default: 256 MB.
    ///   - maxAge: How long a picture is kept after it was made, at least a second. Default: 30 days.
    ///   - clock: Tells the time of day. Default: the machine's.
    public init(
        folder: String, limit: Int = 256_000_000, maxAge: Duration = .seconds(30 * 86_400), clock: WallClock = .system
    ) {
        let logs = Lock<[@Sendable () -> PhotoLog?]>([])
        self.logs = logs
        packQueue.name = "Pack queue"
        packQueue.maxConcurrentOperationCount = MachineProcessors.count
        self.maxAge = Int(min(max(maxAge.components.seconds, 1), 1 << 40))
        files = DiskStore(
            folder: folder, limit: limit, longestUnused: self.maxAge, clock: clock,
            onCondition: { condition in
                guard let text = condition.fault else { return }
                for log in logs.withLock({ $0 }) { log()?.add(PhotoLogEntry(.imageDiskCacheFailed(text))) }
            })
    }

    /// The most bytes that all of the files take together.
    public var limit: Int { files.limit }

    /// Whether it works.
    public var condition: DiskCache.Condition { files.condition }

    /// What it did so far.
    public var statistics: Statistics {
        let files = files.statistics
        return Statistics(
            lookups: files.lookups, found: found.withLock { $0 }, stored: files.stored,
            damaged: files.damagedBodies + unreadable.withLock { $0 })
    }

    /// Waits until every picture that a pipeline has given to anybody is on disk, or cannot be written now.
    public func flush() async {
        await withCheckedContinuation { continuation in
            packQueue.addBarrierBlock { continuation.resume() }
        }
        await files.flush()
    }

    /// Tells a pipeline's log, as long as there is one, when it cannot work.
    func report(to log: PhotoLog) {
        logs.withLock { logs in
            logs = logs.filter { $0() != nil } + [{ [weak log] in log }]
        }
    }

    // MARK: For stages

    /// The most bytes that a packed picture may have.
    var mostPackedBytes: Int { files.mostBodyBytes }

    /// Whether so much waits to be stored that more is left out.
    var isBehind: Bool { files.isBehind }

    /// A picture as it is on disk, with the key that it has there.
    struct Packed: Sendable {
        let key: String
        let record: StoredImage
        let body: Data
    }

    /// Looks for pictures; `then` is called with those that are there, on the cache's own queue, unless the operation is cancelled
    /// before it began.
    /// - Parameter limits: A record of a larger picture is none, as its memory would be taken before anything is unpacked.
    func find(
        _ keys: [String], within limits: DecodeLimits, then: @escaping @Sendable ([String: Packed]) -> Void
    ) -> Operation {
        let oldest = files.clock.now - maxAge
        let isWanted: @Sendable (StoredImage) -> Bool = {
            $0.madeAt > oldest && $0.size.imageBytes(within: limits) != nil
        }
        return files.read(keys, isWanted: isWanted) { [found] entries in
            found.withLock { $0 += entries.count }
            then(
                entries.reduce(into: [:]) { packed, entry in
                    packed[entry.key] = Packed(key: entry.key, record: entry.value.record, body: entry.value.body)
                })
        }
    }

    /// The picture that was found; nil for bytes that make none, which go.
    func unpacked(_ packed: Packed) -> ScaledImage? {
        if let image = packed.record.image(packed.body) { return image }
        unreadable.withLock { $0 += 1 }
        files.remove(packed.key)
        return nil
    }

    /// Packs a picture and stores it, later.
    func store(_ image: ScaledImage, for key: String) {
        packQueue.addOperation { [self] in pack(image, for: key) }
    }

    private func pack(_ image: ScaledImage, for key: String) {
        // Not even a plain area is worth a look at more.
        guard !isBehind, image.pixels.byteCount / 16 <= mostPackedBytes,
            let packed = PackedPixels.pack(image.pixels, limit: mostPackedBytes)
        else { return }
        files.store(StoredImage(image, packed: packed, madeAt: files.clock.now), packed, for: key)
    }
}

extension DiskCache.Condition {
    /// Why it does not work, as a sentence; nil if it does.
    fileprivate var fault: String? {
        switch self {
        case .ready: nil
        case .diskFull: "The disk is full."
        case .readOnly(let text), .unavailable(let text): text
        }
    }
}
