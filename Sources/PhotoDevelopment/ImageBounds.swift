public import PhotoPipeline

/// Which pictures are wanted, by their size as they were published; the others fail, each for a reason of its own.
public struct ImageBounds: Hashable, Sendable {
    /// The least width in pixels, at least 1. Default: 1.
    public var minWidth = 1
    /// The least height in pixels, at least 1. Default: 1.
    public var minHeight = 1
    /// The most that the longer side may be of the shorter one, at least 1; nil, the default, for any.
    public var maxAspect: Double?

    /// All pictures.
    public init() {}

    /// Why a picture of a size is not wanted: `too-small` or `aspect`; nil for one that is.
    public func refusal(of size: PixelSize) -> PhotoError? {
        if size.width < minWidth || size.height < minHeight {
            return PhotoError(
                .tooSmall, "It has \(size.width)x\(size.height) pixels, and \(minWidth)x\(minHeight) are the least.")
        }
        guard let maxAspect else { return nil }
        let (longer, shorter) = (max(size.width, size.height), min(size.width, size.height))
        guard Double(longer) > maxAspect * Double(shorter) else { return nil }
        return PhotoError(
            .aspect, "It has \(size.width)x\(size.height) pixels: its sides are further apart than \(maxAspect) to 1.")
    }
}
