internal import Pixels

/// What is decoded of a picture of one size, and what becomes of that.
struct DecodePlan {
    /// What is decoded, upright.
    let layout: Resize.Layout
    /// The size of the result; not that of the layout where the part that stays is found in what was decoded.
    let result: PixelSize

    /// - Parameters:
    ///   - size: The picture's, upright.
    ///   - isMoving: Whether it is a frame of an animation. Those are cut at the same place, their middle.
    init(_ options: DecodeOptions, of size: PixelSize, isMoving: Bool = false) {
        let whole = options.resize?.layout(of: size) ?? Resize.Layout(whole: size)
        result = whole.size
        layout = isMoving ? whole : options.resize?.layoutBeforeCut(of: size) ?? whole
    }

    /// Bytes of all pictures that are in memory at a time, and of what scales one of this size.
    ///
    /// - Parameters:
    ///   - source: The size as stored.
    ///   - orientation: How it is turned once it is scaled.
    func bytes(from source: PixelSize, _ orientation: Orientation = .upright) -> Int {
        let decoded = saturatingProduct(layout.size.width, layout.size.height, 4)
            .saturatingSum(orientation.stored(layout).scratchBytes(from: source))
        return result == layout.size
            ? decoded : decoded.saturatingSum(saturatingProduct(result.width, result.height, 4))
    }
}
