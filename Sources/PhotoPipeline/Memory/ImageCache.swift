import ImageCodecs
import Operations
import Pixels

/// Pictures in memory, by the bytes that they take: their pixels, EXIF and XMP where the pipeline keeps that, and what each takes
/// besides, which is 2 kB and its address.
///
/// They stay as they are until they go, whatever becomes of their files, see ``PhotoPipeline/Configuration/cacheLimit``.
///
/// The limit is never exceeded. It may be used from any thread, the main one too: what happens under its lock takes
/// constant time, and the memory of pictures that go is given back outside it.
public final class ImageCache: Sendable {
    private let entries: Lock<ClockCache<ImageKey, ScaledImage>>

    /// An empty cache.
    /// - Parameter limit: The most bytes of pictures with what they take besides, not below 0. Default: ``defaultLimit``.
    public init(limit: Int = ImageCache.defaultLimit) {
        entries = Lock(ClockCache(limit: limit))
    }

    /// An eighth of the memory that this process may use, and at most 512 MB.
    public static let defaultLimit = min(MachineMemory.available() / 8, 512_000_000)

    /// The bytes of all pictures in it, with what they take besides.
    public var byteCount: Int { entries.withLock { $0.cost } }

    /// How many pictures are in it.
    public var count: Int { entries.withLock { $0.count } }

    /// The most bytes of pictures with what they take besides. Lowering it lets pictures go at once.
    public var limit: Int {
        get { entries.withLock { $0.limit } }
        set { change { $0.setLimit(newValue, evicted: &$1) } }
    }

    /// Lets all pictures go.
    public func removeAll() {
        change { entries, evicted in
            let limit = entries.limit
            entries.setLimit(0, evicted: &evicted)
            entries.setLimit(limit, evicted: &evicted)
        }
    }

    /// Lets pictures go, those first that were not asked for lately, until the rest takes no more than so many bytes.
    public func trim(to byteCount: Int) {
        change { entries, evicted in
            let limit = entries.limit
            entries.setLimit(min(limit, byteCount), evicted: &evicted)
            entries.setLimit(limit, evicted: &evicted)
        }
    }

    /// Lets all pictures go whose pixels take more than so many bytes each. It takes time in proportion to ``count``.
    public func removeImages(largerThan byteCount: Int) {
        change { $0.removeAll(where: { $0.pixels.byteCount > byteCount }, evicted: &$1) }
    }

    func entry(for key: ImageKey) -> ScaledImage? {
        entries.withLock { $0.value(for: key) }
    }

    /// Puts a picture in, in place of one that was made of an older body, or of the same.
    func insert(_ entry: ScaledImage, for key: ImageKey) {
        var entry = entry.withoutLease
        entry.metrics = .memory
        let cost = Self.cost(of: entry, for: key)
        change { entries, evicted in
            if let present = entries.value(for: key), present.bodyNumber > entry.bodyNumber { return }
            entries.insert(entry, for: key, cost: cost, evicted: &evicted)
        }
    }

    /// What a picture counts for.
    static func cost(of entry: ScaledImage, for key: ImageKey) -> Int {
        entry.byteCount + bytesBesides + key.textByteCount
    }

    /// What an entry takes besides the picture and the texts of its key: the key as it was read, a slot, places in two tables that
    /// may be half empty, and the allocator's share. An entry of a picture of one pixel takes this much by the system's count.
    private static let bytesBesides = 2_000

    private func change(_ body: (inout ClockCache<ImageKey, ScaledImage>, inout [ScaledImage]) -> Void) {
        var evicted: [ScaledImage] = []
        entries.withLock { body(&$0, &evicted) }
        withExtendedLifetime(evicted) {}
    }
}
