/// Distances in pixels beyond the four borders of a picture.
struct Margins: Equatable {
    var left = 0
    var top = 0
    var right = 0
    var bottom = 0

    var isEmpty: Bool { self == Margins() }

    /// Grows by what a stage paints beyond what it is given.
    mutating func grow(through stage: FilterPlan.Stage) {
        switch stage {
        case .pointwise, .layers: break
        case .blur(let blur): self = moved(x: 0, y: 0, reach: blur.reach)
        case .shadow(let shadow): self = union(moved(x: shadow.x, y: shadow.y, reach: shadow.reach))
        }
    }

    /// Grows by what a stage looks at beyond what it must paint.
    mutating func grow(backThrough stage: FilterPlan.Stage) {
        switch stage {
        case .pointwise, .layers: break
        case .blur(let blur): self = moved(x: 0, y: 0, reach: blur.reach)
        case .shadow(let shadow): self = union(moved(x: -shadow.x, y: -shadow.y, reach: shadow.reach))
        }
    }

    private func moved(x: Int, y: Int, reach: Int) -> Margins {
        Margins(left: left - x + reach, top: top - y + reach, right: right + x + reach, bottom: bottom + y + reach)
    }

    func union(_ other: Margins) -> Margins {
        Margins(
            left: max(left, other.left), top: max(top, other.top), right: max(right, other.right),
            bottom: max(bottom, other.bottom))
    }

    func intersection(_ other: Margins) -> Margins {
        Margins(
            left: min(left, other.left), top: min(top, other.top), right: min(right, other.right),
            bottom: min(bottom, other.bottom))
    }

    /// At most the picture's own width on either side and its own height above and below; 512 pixels are always allowed. So a
    /// picture that is not smaller has at most nine times its pixels with them, and a narrow one up to 1,025 times: those are
    /// filtered in parts, see ``FilterLayout``.
    func limited(to size: PixelSize) -> Margins {
        let (width, height) = (max(512, size.width), max(512, size.height))
        return intersection(Margins(left: width, top: height, right: width, bottom: height))
    }
}
