/// A width and a height in whole pixels.
public struct PixelSize: Hashable, Sendable {
    /// Pixels in a row; never negative.
    public let width: Int
    /// Rows; never negative.
    public let height: Int

    /// Makes a size; a negative side counts as 0.
    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// Whether a picture of this size has no pixels.
    public var isEmpty: Bool { width == 0 || height == 0 }

    /// The size of a picture of this size when its longest side may be `longestSide` pixels at most.
    ///
    /// Never enlarges. Keeps the aspect ratio, rounds the shorter side to nearest, and is never smaller than
    /// 1 x 1, except that an empty size stays as it is.
    public func fitting(longestSide: Int) -> PixelSize {
        let longest = max(width, height)
        guard !isEmpty, longest > longestSide else { return self }
        let limit = max(1, longestSide)
        // Full width: a side times a limit can be more than an Int holds.
        func scaled(_ side: Int) -> Int {
            let product = side.multipliedFullWidth(by: limit)
            let (quotient, remainder) = longest.dividingFullWidth(product)
            return max(1, remainder >= longest - remainder ? quotient + 1 : quotient)
        }
        return PixelSize(width: scaled(width), height: scaled(height))
    }
}

extension PixelSize: CustomStringConvertible {
    /// The size as a person writes it: `640 x 480`.
    public var description: String { "\(width) x \(height)" }
}
