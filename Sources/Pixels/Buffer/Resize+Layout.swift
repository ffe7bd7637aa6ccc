internal import CPixelKernels

extension Resize {
    /// What a resize makes of a picture of one size.
    package struct Layout: Hashable, Sendable {
        /// The size that all of the picture has after scaling. It may be more than anybody could hold where little of it stays.
        package var whole: PixelSize
        /// The column and the row in that where the part that stays begins.
        package var left = 0, top = 0
        /// The size of the part that stays.
        package var size: PixelSize

        /// All of a picture, at a size.
        package init(whole: PixelSize) {
            self.whole = whole
            size = whole
        }

        package var isCut: Bool { size != whole }

        /// Bytes that scaling a picture of a size takes besides the result: the rows under the filter, across which they are filtered
        /// already unless they are few as they came.
        package func scratchBytes(from source: PixelSize) -> Int {
            guard source != whole, !source.isEmpty, !whole.isEmpty else { return 0 }
            let rows = min(Double(source.height), 6 * max(1, Double(source.height) / Double(whole.height)) + 4)
            let asTheyCame = isCut ? 0 : min(16 * rows * Double(source.width), Double(CPK_RING_BYTES))
            let bytes = max(16 * rows * Double(size.width), asTheyCame) + 32 * Double(source.width)
            return bytes < 0x1p62 ? Int(bytes) : .max
        }
    }

    /// What becomes of a picture of a size, the middle of which stays if it is cut.
    package func layout(of image: PixelSize) -> Layout {
        guard !image.isEmpty else { return Layout(whole: image) }
        switch mode {
        case .exact:
            return Layout(
                whole: PixelSize(
                    width: enlarges ? box.width : min(box.width, image.width),
                    height: enlarges ? box.height : min(box.height, image.height)))
        case .fit: return Layout(whole: whole(of: image, isWidthGiven: isWider(image)))
        case .fill: return Layout(whole: whole(of: image, isWidthGiven: !isWider(image)))
        case .crop:
            var layout = Layout(whole: whole(of: image, isWidthGiven: !isWider(image)))
            layout.size = PixelSize(
                width: min(box.width, layout.whole.width), height: min(box.height, layout.whole.height))
            layout.left = (layout.whole.width - layout.size.width) / 2
            layout.top = (layout.whole.height - layout.size.height) / 2
            return layout
        }
    }

    /// What has to be decoded of a picture before it is known which part of it stays; nil where that is known by its size.
    package func layoutBeforeCut(of image: PixelSize) -> Layout? {
        let layout = layout(of: image)
        guard gravity == .attention, layout.isCut else { return nil }
        return Layout(
            whole: PixelSize(
                width: min(layout.whole.width, image.width), height: min(layout.whole.height, image.height)))
    }

    /// Whether the picture's sides have a larger ratio of width to height than the box's, or the same.
    private func isWider(_ image: PixelSize) -> Bool {
        let (one, other) = (
            image.width.multipliedFullWidth(by: box.height), image.height.multipliedFullWidth(by: box.width)
        )
        return (one.high, one.low) >= (other.high, other.low)
    }

    /// The picture's size when one of its sides is as long as the box's.
    private func whole(of image: PixelSize, isWidthGiven: Bool) -> PixelSize {
        let (own, given) = isWidthGiven ? (image.width, box.width) : (image.height, box.height)
        guard given < own || (enlarges && given > own) else { return image }
        return isWidthGiven
            ? PixelSize(width: given, height: image.height.scaled(by: given, over: own))
            : PixelSize(width: image.width.scaled(by: given, over: own), height: given)
    }
}

extension Int {
    /// A side at a ratio, rounded to nearest, from 1 to what can be reckoned with.
    fileprivate func scaled(by numerator: Int, over denominator: Int) -> Int {
        // Full width: a side times another can be more than an Int holds, and so can the quotient where it grows.
        let product = multipliedFullWidth(by: numerator)
        guard product.high <= (denominator - 1 - Int(product.low >> 62)) >> 2 else { return .max / 2 }
        let (quotient, remainder) = denominator.dividingFullWidth(product)
        return Swift.max(1, remainder >= denominator - remainder ? quotient + 1 : quotient)
    }
}
