public import PhotoPipeline

/// What is done to the pictures of a list: a filter, and how strongly.
public struct PhotoLook: Hashable, Sendable {
    /// The filter at full strength.
    public let filter: FilterChain
    /// How much of it shows, from 0 (the picture as it was published) to 1.
    public let intensity: Double

    /// A look; an intensity out of bounds is brought into them. Default: full strength.
    public init(_ filter: FilterChain, intensity: Double = 1) {
        self.filter = filter
        self.intensity = intensity.isNaN ? 1 : min(max(0, intensity), 1)
    }

    /// The sepia tone of the classic photo apps.
    public static let classic = PhotoLook(.classic)
    /// The picture as it was published.
    public static let none = PhotoLook(.none)

    /// The picture with this look, or nil if it was cancelled or there was no memory for it. Takes time; any thread will do.
    ///
    /// Below full strength every byte is mixed with that of the picture as it was.
    ///
    /// - Parameters:
    ///   - image: The picture without the look; it stays as it is.
    ///   - scale: How large the picture is beside the published one, above 0; the filter's lengths, such as that of a
    ///     blur, are multiplied by it, so that a small picture looks as the large one does. Default: 1.
    ///   - isCancelled: Asked now and then on the calling thread.
    public func applied(
        to image: PixelBuffer, scale: Double = 1, isCancelled: () -> Bool = { false }
    ) -> PixelBuffer? {
        filter.applied(to: image, intensity: intensity, scale: scale, isCancelled: isCancelled)
    }

    /// The same, for a picture that knows how large it is beside the published one.
    package func applied(to image: ScaledImage, isCancelled: () -> Bool = { false }) -> PixelBuffer? {
        applied(to: image.pixels, scale: image.scale, isCancelled: isCancelled)
    }

    /// The picture with this look, or nil if it was cancelled.
    ///
    /// - Throws: `memoryLimit` where there is no memory for it.
    func picture(of image: ScaledImage, isCancelled: () -> Bool) throws(PhotoError) -> PixelBuffer? {
        do throws(FilterStop) {
            return try filter.filtered(
                image.pixels, intensity: intensity, scale: image.scale, isCancelled: isCancelled)
        } catch {
            if let error = PhotoError(error, filter, of: image.pixels.size) { throw error }
            return nil
        }
    }
}
