public import Pixels

/// What a picture's header says.
public struct ImageInfo: Hashable, Sendable {
    /// The kind of picture, told by its first bytes.
    public var format: ImageFormat
    /// The full size as a person sees it, after the orientation was applied.
    public var size: PixelSize
    /// Frames of an animation or pages of a TIFF, 1 for everything else.
    public var frames: Int

    /// What a header says, of these parts.
    public init(format: ImageFormat, size: PixelSize, frames: Int = 1) {
        self.format = format
        self.size = size
        self.frames = frames
    }
}
