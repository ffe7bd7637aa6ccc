package import Pixels

/// A picture at the size that somebody wanted, and how that compares to the published one.
package struct ScaledPicture: Sendable {
    /// The pixels.
    package var picture: PixelBuffer
    /// How large it is beside the published picture, above 0: a filter's lengths shrink and grow with it.
    package let scale: Double

    /// - Parameter scale: How large it is beside the published picture; 1 for a picture as it was published.
    package init(picture: PixelBuffer, scale: Double) {
        self.picture = picture
        self.scale = scale
    }
}
