internal import Pixels

/// What the frames of a GIF cover, for a file in which no frame has a transparent colour.
///
/// libvips leaves transparency out of such a file: what no frame covers is black there, or of the background's colour. Browsers
/// show what is behind the picture.
struct GIFCover {
    private struct Frame {
        let columns: Range<Int>
        let rows: Range<Int>
        /// Whether its place is emptied before the next frame.
        let isEmptied: Bool
        /// Whether its place looks before the next frame as it did before this one.
        let isUndone: Bool

        /// The frame while it is shown.
        var drawn: Frame { Frame(columns: columns, rows: rows, isEmptied: false, isUndone: false) }

        func covers(_ size: PixelSize) -> Bool {
            columns.lowerBound == 0 && rows.lowerBound == 0 && columns.upperBound >= size.width
                && rows.upperBound >= size.height
        }
    }

    private var frames: [Frame] = []
    private var size = PixelSize(width: 0, height: 0)

    /// - Parameter control: The flags of the extension before it; 0 where there is none.
    mutating func add(left: Int, top: Int, width: Int, height: Int, control: Int) {
        let disposal = control >> 2 & 7
        frames.append(
            Frame(
                columns: left..<left + width, rows: top..<top + height, isEmptied: disposal == 2,
                // 4 is an old mistake for 3.
                isUndone: disposal == 3 || disposal == 4))
    }

    /// What is covered when a frame is shown; nil where that is all of the picture.
    func shown(at index: Int, of size: PixelSize) -> GIFCover? {
        var cover = GIFCover()
        cover.size = size
        // From the last to the first, which is how rows are looked at. What is below a frame of the whole size counts no more.
        for (number, frame) in frames.prefix(index + 1).enumerated().reversed() {
            if number < index, frame.isUndone { continue }
            cover.frames.append(number < index ? frame : frame.drawn)
            let isEmptied = number < index && frame.isEmptied
            if frame.covers(size) {
                if !isEmptied, !cover.frames.contains(where: \.isEmptied) { return nil }
                break
            }
        }
        return cover
    }

    /// Whether each pixel of a row is covered.
    func fill(_ isCovered: inout [Bool], row: Int) {
        var isKnown = [Bool](repeating: false, count: isCovered.count)
        var unknown = isCovered.count
        for column in isCovered.indices { isCovered[column] = false }
        for frame in frames where unknown > 0 && frame.rows.contains(row) {
            for column in frame.columns.clamped(to: isCovered.indices) where !isKnown[column] {
                isKnown[column] = true
                isCovered[column] = !frame.isEmptied
                unknown -= 1
            }
        }
    }
}
