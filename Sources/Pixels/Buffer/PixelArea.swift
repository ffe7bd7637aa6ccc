/// A rectangle of pixels. Columns and rows count from a picture's top left corner, and are negative beyond its left and upper
/// borders.
struct PixelArea: Equatable {
    var columns: Range<Int>
    var rows: Range<Int>

    init(columns: Range<Int>, rows: Range<Int>) {
        (self.columns, self.rows) = (columns, rows)
    }

    /// All of a picture.
    init(of size: PixelSize) {
        self.init(columns: 0..<size.width, rows: 0..<size.height)
    }

    var size: PixelSize { PixelSize(width: columns.count, height: rows.count) }

    func expanded(by margins: Margins) -> PixelArea {
        PixelArea(
            columns: columns.lowerBound - margins.left..<columns.upperBound + margins.right,
            rows: rows.lowerBound - margins.top..<rows.upperBound + margins.bottom)
    }

    /// The same, counted from the top left corner of another one.
    func moved(from other: PixelArea) -> PixelArea {
        let (x, y) = (other.columns.lowerBound, other.rows.lowerBound)
        return PixelArea(
            columns: columns.lowerBound - x..<columns.upperBound - x, rows: rows.lowerBound - y..<rows.upperBound - y)
    }

    func clamped(to other: PixelArea) -> PixelArea {
        PixelArea(columns: columns.clamped(to: other.columns), rows: rows.clamped(to: other.rows))
    }
}
