package import PhotoPipeline

extension ScaledImage {
    /// A smaller copy of the picture; its scale is smaller as well, so that filters look on it as they do on the published one.
    /// - Parameter longestSide: The longest side in pixels, at least 1. A picture that is not longer stays as it is.
    package func reduced(to longestSide: Int) -> ScaledImage {
        let small = pixels.scaled(longestSide: longestSide)
        let share =
            Double(max(small.size.width, small.size.height)) / Double(max(1, pixels.size.width, pixels.size.height))
        return ScaledImage(pixels: small, scale: scale * share)
    }
}
