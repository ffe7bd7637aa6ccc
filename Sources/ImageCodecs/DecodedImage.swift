public import Pixels

/// A picture as it was decoded, and what its file says about it.
public struct DecodedImage: Sendable {
    /// The pixels, upright and in sRGB, no larger than was asked for.
    public var pixels: PixelBuffer
    /// The kind of file, its full size and its frames.
    public var info: ImageInfo

    /// EXIF and XMP, where they were asked for and there are any.
    public var metadata: ImageMetadata?
    /// What is wrong with the data of a picture that is shown in spite of that, without the format's name: parts of it are grey or
    /// of wrong colours. Nil for a sound one; see ``DecodeOptions/toleratesDamage``.
    public var damage: String?

    /// A picture of these parts.
    public init(pixels: PixelBuffer, info: ImageInfo, metadata: ImageMetadata? = nil, damage: String? = nil) {
        self.pixels = pixels
        self.info = info
        self.metadata = metadata
        self.damage = damage
    }
}
