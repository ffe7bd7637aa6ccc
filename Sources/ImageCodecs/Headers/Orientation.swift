internal import Pixels

/// How a stored picture is turned to be seen upright: EXIF's tag 274, values 1...8.
struct Orientation: Equatable {
    let value: Int

    static let upright = Orientation(value: 1)

    /// Other values than 1...8 happen in files and mean nothing.
    init?(known tag: Int) {
        guard (1...8).contains(tag) else { return nil }
        value = tag
    }

    init(tag: Int?) {
        self = tag.flatMap(Orientation.init(known:)) ?? .upright
    }

    private init(value: Int) {
        self.value = value
    }

    /// Whether rows become columns.
    var swapsSides: Bool { value >= 5 }

    func applied(to size: PixelSize) -> PixelSize {
        swapsSides ? PixelSize(width: size.height, height: size.width) : size
    }

    /// What is made of the stored picture so that the upright one becomes what a layout says.
    func stored(_ layout: Resize.Layout) -> Resize.Layout {
        let right = layout.whole.width - layout.left - layout.size.width
        let bottom = layout.whole.height - layout.top - layout.size.height
        var stored = Resize.Layout(whole: applied(to: layout.whole))
        stored.size = applied(to: layout.size)
        (stored.left, stored.top) =
            switch value {
            case 2: (right, layout.top)
            case 3: (right, bottom)
            case 4: (layout.left, bottom)
            case 5: (layout.top, layout.left)
            case 6: (layout.top, right)
            case 7: (bottom, right)
            case 8: (bottom, layout.left)
            default: (layout.left, layout.top)
            }
        return stored
    }

    /// Where the stored picture's first pixel lies in the upright one, and the way to its next column and next row, in
    /// pixels of the upright one, whose size is given.
    func layout(in upright: PixelSize) -> (first: Int, column: Int, row: Int) {
        let width = upright.width
        let right = width - 1
        let bottom = width * (upright.height - 1)
        return switch value {
        case 2: (right, -1, width)
        case 3: (bottom + right, -1, -width)
        case 4: (bottom, 1, -width)
        case 5: (0, width, 1)
        case 6: (right, width, -1)
        case 7: (bottom + right, -width, -1)
        case 8: (bottom, -width, 1)
        default: (0, 1, width)
        }
    }
}
