/// A picture on its way from stage to stage, with its lease on memory.
struct LeasedImage: Sendable {
    var entry: ScaledImage
    /// Nil for one that comes from the cache, which has memory of its own.
    var lease: MemoryLease?
    /// Where it came from.
    let metrics: ImageMetrics
    /// What is wanted of it, and is on disk or goes there; nil where nobody looks there. If that is complete, this stands for
    /// a picture that was not decoded, and has no pixels.
    var finished: FinishedImages?
}
