extension PixelBuffer {
    /// Copies another picture into this one, pixel by pixel, alpha included; nothing is blended.
    ///
    /// What falls outside is left out; a place wholly outside changes nothing.
    ///
    /// - Parameters:
    ///   - other: The picture to copy.
    ///   - origin: Where its top left pixel goes: column and row, counted from the top left; may be negative.
    public mutating func draw(_ other: PixelBuffer, at origin: (x: Int, y: Int)) {
        draw(PixelArea(of: other.size), of: other, at: origin)
    }

    /// Copies a part of another picture, which lies inside it.
    mutating func draw(_ area: PixelArea, of other: PixelBuffer, at origin: (x: Int, y: Int)) {
        let (x, y) = (origin.x - area.columns.lowerBound, origin.y - area.rows.lowerBound)
        let columns = Self.overlap(of: area.columns, at: x, within: size.width)
        let rows = Self.overlap(of: area.rows, at: y, within: size.height)
        guard !columns.isEmpty, !rows.isEmpty else { return }

        let coversAll = columns.count == size.width && rows.count == size.height
        let opaqueAfter = other.isOpaque && (isOpaque || coversAll)
        let stride = bytesPerRow
        let otherStride = other.bytesPerRow
        other.withUnsafeBytes { source in
            withUnsafeMutableBytes { target in
                for row in rows {
                    let from = row * otherStride + columns.lowerBound * 4
                    let to = (row + y) * stride + (columns.lowerBound + x) * 4
                    let bytes = UnsafeRawBufferPointer(rebasing: source[from..<from + columns.count * 4])
                    UnsafeMutableRawBufferPointer(rebasing: target[to..<to + bytes.count]).copyMemory(from: bytes)
                }
            }
        }
        isOpaque = opaqueAfter
    }

    /// The part of a range that lies within `0..<limit` once it is moved by `offset`.
    private static func overlap(of range: Range<Int>, at offset: Int, within limit: Int) -> Range<Int> {
        guard offset < limit - range.lowerBound, offset > -range.upperBound else { return 0..<0 }
        return max(range.lowerBound, -offset)..<min(range.upperBound, limit - offset)
    }
}
