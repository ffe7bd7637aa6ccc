/// How large a picture becomes: a box in pixels, and how the picture goes into it.
///
/// | | the result | the picture's sides |
/// | --- | --- | --- |
/// | ``fit(width:height:enlarges:)`` | lies inside the box | keep their ratio |
/// | ``fill(width:height:enlarges:)`` | covers the box, and is not cut | keep their ratio |
/// | ``crop(width:height:gravity:enlarges:)`` | is the box | keep their ratio, and what is over is cut |
/// | ``exact(width:height:enlarges:)`` | is the box | are stretched |
///
/// A picture is not enlarged unless that is asked for. Then `fit` and `fill` leave a smaller picture as it is, `crop` cuts no more
/// than it has, and `exact` leaves a side as long as it is that is shorter than the box's. The box counts for the picture as
/// a person sees it: the orientation that a file names was applied before.
///
/// ```swift
/// import Pixels
///
/// let photograph = PixelSize(width: 4000, height: 3000)
/// print(Resize.fit(width: 600, height: 600).size(of: photograph))
/// print(Resize.fill(width: 600, height: 600).size(of: photograph))
/// print(Resize.crop(width: 600, height: 600).size(of: photograph))
/// ```
/// ```text
/// 600 x 450
/// 800 x 600
/// 600 x 600
/// ```
public struct Resize: Hashable, Sendable {
    /// How a picture goes into a box.
    public enum Mode: String, CaseIterable, Hashable, Sendable {
        /// All of it lies inside.
        case fit
        /// All of it is there, and covers the box.
        case fill
        /// It covers the box, and what is over is cut off.
        case crop
        /// It is stretched to the box.
        case exact
    }

    /// Which part stays where a picture is cut.
    public enum Gravity: String, CaseIterable, Hashable, Sendable {
        /// The middle.
        case centre
        /// What a person would look at first, by libvips' measure: strong edges, colours, and skin.
        case attention
    }

    /// How the picture goes into the box.
    public let mode: Mode
    /// The box in pixels; each side is at least 1.
    public let box: PixelSize
    /// Which part stays; `centre` for every mode but `crop`.
    public let gravity: Gravity
    /// Whether a picture that is smaller is enlarged.
    public let enlarges: Bool

    /// A box, and how a picture goes into it.
    ///
    /// - Parameters:
    ///   - mode: How the picture goes into the box.
    ///   - width: The box's width in pixels; below 1 it counts as 1.
    ///   - height: The box's height in pixels; below 1 it counts as 1.
    ///   - gravity: Which part stays; without effect where nothing is cut. Default: the middle.
    ///   - enlarges: Whether a smaller picture is enlarged. Default: it is not.
    public init(_ mode: Mode, width: Int, height: Int, gravity: Gravity = .centre, enlarges: Bool = false) {
        self.mode = mode
        box = PixelSize(width: max(1, width), height: max(1, height))
        // Two that make the same picture are equal.
        self.gravity = mode == .crop ? gravity : .centre
        self.enlarges = enlarges
    }

    /// All of the picture inside a box, as large as it fits.
    public static func fit(width: Int, height: Int, enlarges: Bool = false) -> Resize {
        Resize(.fit, width: width, height: height, enlarges: enlarges)
    }

    /// All of the picture, just as large that it covers a box.
    public static func fill(width: Int, height: Int, enlarges: Bool = false) -> Resize {
        Resize(.fill, width: width, height: height, enlarges: enlarges)
    }

    /// The picture just as large that it covers a box, and cut to it.
    public static func crop(
        width: Int, height: Int, gravity: Gravity = .centre, enlarges: Bool = false
    ) -> Resize {
        Resize(.crop, width: width, height: height, gravity: gravity, enlarges: enlarges)
    }

    /// The picture stretched to a box.
    public static func exact(width: Int, height: Int, enlarges: Bool = false) -> Resize {
        Resize(.exact, width: width, height: height, enlarges: enlarges)
    }

    /// All of the picture, its longest side of at most so many pixels; never enlarged.
    public static func longestSide(_ side: Int) -> Resize { fit(width: side, height: side) }

    /// The longest side, if this is ``longestSide(_:)``; nil for all others.
    public var longestSide: Int? { self == .longestSide(box.width) ? box.width : nil }

    /// The size of the result for a picture of a size; an empty one stays empty.
    public func size(of image: PixelSize) -> PixelSize { layout(of: image).size }

    /// How large a picture of a size becomes beside what it was: the factor of its lengths, and for `exact`, where two sides have
    /// two, their geometric mean. Lengths of filters grow and shrink with it.
    public func scale(of image: PixelSize) -> Double {
        guard !image.isEmpty else { return 1 }
        let whole = layout(of: image).whole
        // The longer side, as the shorter one may be rounded by much.
        if mode != .exact {
            return image.width >= image.height
                ? Double(whole.width) / Double(image.width) : Double(whole.height) / Double(image.height)
        }
        let across = Double(whole.width) / Double(image.width)
        let down = Double(whole.height) / Double(image.height)
        return (across * down).squareRoot()
    }
}
