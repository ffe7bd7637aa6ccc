package import FoundationEssentials
package import ImageCodecs
package import Pixels

/// A picture at the size that somebody wanted, and how that compares to the published one.
package struct ScaledImage: Sendable {
    /// The pixels.
    package var pixels: PixelBuffer
    /// How large it is beside the published picture, above 0: a filter's lengths shrink and grow with it.
    package let scale: Double

    /// EXIF and XMP of its file, where the pipeline keeps them.
    package var metadata: ImageMetadata?

    /// How large the published picture is, where the decoder was asked for this one.
    package var publishedSize: PixelSize?

    /// What is wrong with its data, where the pipeline tolerates that; nil for a sound picture.
    package var damage: String?

    /// Where it came from.
    var metrics = ImageMetrics.memory

    /// The number of the body that it was made of; 0 for none.
    var bodyNumber = 0

    /// On its memory while it is on its way; nil for one that has memory of its own.
    var lease: MemoryLease?

    /// What it was decoded from, with the lease on its memory, where the pipeline keeps that.
    var source: FetchedBody?

    /// The bytes of its pixels and its metadata.
    package var byteCount: Int { pixels.byteCount + (metadata?.byteCount ?? 0) }

    /// The bytes that it was decoded from, where the pipeline keeps them.
    package var body: Data? { source?.bytes }

    /// - Parameter scale: How large it is beside the published picture; 1 for a picture as it was published.
    package init(
        pixels: PixelBuffer, scale: Double, metadata: ImageMetadata? = nil, publishedSize: PixelSize? = nil,
        damage: String? = nil
    ) {
        self.pixels = pixels
        self.scale = scale
        self.metadata = metadata
        self.publishedSize = publishedSize
        self.damage = damage
    }

    /// How large the published picture is; by the scale where the decoder did not say it, which may be a pixel more or less.
    package var sizeAsPublished: PixelSize {
        func published(_ side: Int) -> Int { Int((Double(side) / scale).rounded()) }
        return publishedSize ?? PixelSize(width: published(pixels.size.width), height: published(pixels.size.height))
    }

    /// The picture for those who keep it when it is not on its way any more.
    var withoutLease: ScaledImage {
        var image = self
        image.lease = nil
        return image
    }

    /// No picture.
    static let none = ScaledImage(pixels: PixelBuffer(size: PixelSize(width: 0, height: 0)), scale: 1)

    /// Takes the pixels out, so that the taker has them alone.
    mutating func takePixels() -> PixelBuffer {
        var taken = PixelBuffer(size: PixelSize(width: 0, height: 0))
        swap(&taken, &pixels)
        return taken
    }
}
