public import Pixels

/// One frame of an animation, complete: what it keeps of those before it is in the picture.
public struct AnimationFrame: Sendable {
    /// The pixels, as they are shown.
    public var image: PixelBuffer
    /// For how long it is shown; zero where the file does not say. Browsers take 100 ms for what is below 20 ms.
    public var duration: Duration

    /// A frame of these parts.
    public init(image: PixelBuffer, duration: Duration) {
        self.image = image
        self.duration = duration
    }
}
