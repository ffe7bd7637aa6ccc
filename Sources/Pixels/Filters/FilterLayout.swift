/// In which parts a picture is filtered, so that the memory for it stays in proportion to the picture.
///
/// A canvas with margins has up to nine times the pixels of a large picture, and a thousand times those of one that is a few
/// pixels wide. Where that is too much, parts of the longer side are filtered one after the other. The canvas of a part reaches as
/// far around it as all passes together look, but not beyond the margins. What is missing at its borders spoils less than that, so
/// that the part is, byte for byte, the same as in one canvas.
struct FilterLayout {
    /// The picture with what passes keep around it.
    let canvas: PixelArea
    /// Bytes at a time, besides the picture.
    let byteCount: Int

    private let size: PixelSize
    private let reach: Margins
    /// Whether parts stand side by side, rather than one above the other.
    private let isWide: Bool
    /// How long a part is at most; nil where there are none.
    private let length: Int?

    /// Less than this is not worth any parts.
    static let usualBytes = 32 << 20
    /// Shorter parts would be hardly smaller, with what is around them.
    static let shortestPart = 256

    /// - Parameters:
    ///   - threads: How many may work at the same time.
    ///   - usualBytes: Up to so many, or twice the picture's, there are no parts.
    init(
        _ plan: FilterPlan, of size: PixelSize, threads: Int, usualBytes: Int = Self.usualBytes,
        shortestPart: Int = Self.shortestPart
    ) {
        let margins = plan.margins.limited(to: size)
        let canvas = PixelArea(of: size).expanded(by: margins)
        let reach = plan.reach
        func bytes(of area: PixelArea, inPlace: Bool) -> Int {
            let pixels = area.size.width * area.size.height
            let threads = pixels < RowParallelism.smallestImage ? 1 : threads
            return plan.scratchBytes(on: area.size, threads: threads) + (inPlace ? 0 : 4 * pixels)
        }
        (self.size, self.canvas, self.reach) = (size, canvas, reach)
        let isWide = canvas.size.width > canvas.size.height
        self.isWide = isWide
        let whole = bytes(of: canvas, inPlace: margins.isEmpty)
        let copy = 4 * size.width * size.height
        let most = max(usualBytes, 2 * copy)
        guard whole > most, !size.isEmpty else {
            (byteCount, length) = (whole, nil)
            return
        }
        func bytes(ofParts length: Int) -> Int {
            let part = PixelArea(
                columns: 0..<(isWide ? length : size.width), rows: 0..<(isWide ? size.height : length))
            // Somewhere in the middle, where it has most around it.
            var around = part.expanded(by: reach)
            around.columns = 0..<min(around.columns.count, canvas.columns.count)
            around.rows = 0..<min(around.rows.count, canvas.rows.count)
            return copy + bytes(of: around, inPlace: false)
        }
        var length = isWide ? size.width : size.height
        // What is around a part is filtered with it: of shorter ones that would be more than the part.
        let around = isWide ? reach.left + reach.right : reach.top + reach.bottom
        let shortest = max(shortestPart, around)
        while length > shortest, bytes(ofParts: length) > most { length = max(shortest, (length + 1) / 2) }
        let divided = bytes(ofParts: length)
        (byteCount, self.length) = divided < whole ? (divided, length) : (whole, nil)
    }

    /// Whether nothing is needed but the picture itself.
    var isInPlace: Bool { length == nil && canvas == PixelArea(of: size) }

    /// All of the picture.
    var parts: [PixelArea] {
        let whole = PixelArea(of: size)
        guard let length else { return [whole] }
        let side = isWide ? size.width : size.height
        return stride(from: 0, to: side, by: length).map { start in
            let range = start..<min(side, start + length)
            return isWide
                ? PixelArea(columns: range, rows: whole.rows) : PixelArea(columns: whole.columns, rows: range)
        }
    }

    /// What the canvas of a part covers.
    func area(around part: PixelArea) -> PixelArea {
        length == nil ? canvas : part.expanded(by: reach).clamped(to: canvas)
    }
}
