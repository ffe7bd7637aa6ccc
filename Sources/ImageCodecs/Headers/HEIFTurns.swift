internal import Pixels

/// A part of a stored picture.
struct StoredPart: Equatable {
    var left = 0
    var top = 0
    var size: PixelSize
}

/// What a HEIF's properties do to a stored picture before it is seen: cuts, quarter turns and mirrors, in any order
/// (ISO/IEC 23008-12, 6.5.9, 6.5.10 and 6.5.12).
struct HEIFTurns {
    static let types: Set = ["irot", "imir", "clap"]

    /// What is seen, as a part of the stored picture.
    private(set) var part: StoredPart
    /// From the middle of what is seen to the middle of what is stored: x and y of the first, then of the second.
    private var way = (xx: 1, xy: 0, yx: 0, yy: 1)

    init(of size: PixelSize) {
        part = StoredPart(size: size)
    }

    /// How the part is turned to be seen upright.
    var orientation: Orientation {
        let tags = [
            [1, 0, 0, 1], [-1, 0, 0, 1], [-1, 0, 0, -1], [1, 0, 0, -1], [0, 1, 1, 0], [0, 1, -1, 0], [0, -1, -1, 0],
            [0, -1, 1, 0],
        ]
        return Orientation(tag: tags.firstIndex(of: [way.xx, way.xy, way.yx, way.yy]).map { $0 + 1 })
    }

    /// Applies one property.
    ///
    /// - Throws: `damaged` for a cut that leaves nothing.
    mutating func apply(_ type: String, _ body: ByteReader) throws(ImageCodecError) {
        switch type {
        case "irot":
            for _ in 0..<(body.u8(0) ?? 0) & 3 { way = (way.xy, -way.xx, way.yy, -way.yx) }
        case "imir":
            if (body.u8(0) ?? 0) & 1 == 1 {
                (way.xx, way.yx) = (-way.xx, -way.yx)
            } else {
                (way.xy, way.yy) = (-way.xy, -way.yy)
            }
        case "clap": try cut(body)
        default: break
        }
    }

    private mutating func cut(_ body: ByteReader) throws(ImageCodecError) {
        let numbers = (0..<8).compactMap { body.be32(4 * $0) }.map { Double(Int32(truncatingIfNeeded: $0)) }
        let seen = orientation.applied(to: part.size)
        guard numbers.count == 8, [1, 3, 5, 7].allSatisfy({ numbers[$0] > 0 }),
            let across = Self.range(numbers[0] / numbers[1], numbers[4] / numbers[5], in: seen.width),
            let down = Self.range(numbers[2] / numbers[3], numbers[6] / numbers[7], in: seen.height)
        else { throw .damaged("it is cut to nothing") }
        // Twice the way from the middle of what is seen to that of the cut.
        let x = across.lowerBound + across.upperBound - seen.width
        let y = down.lowerBound + down.upperBound - seen.height
        let size = orientation.applied(to: PixelSize(width: across.count, height: down.count))
        part.left += (way.xx * x + way.xy * y + part.size.width - size.width) / 2
        part.top += (way.yx * x + way.yy * y + part.size.height - size.height) / 2
        part.size = size
    }

    /// - Parameter offset: From the middle of the whole to that of the cut.
    private static func range(_ length: Double, _ offset: Double, in whole: Int) -> Range<Int>? {
        guard length.isFinite, offset.isFinite, abs(length) < 0x1p31, abs(offset) < 0x1p31 else { return nil }
        let start = (offset + (Double(whole) - length) / 2).rounded()
        let lower = max(0, Int(start))
        let upper = min(whole, Int(start) + Int(length.rounded()))
        return lower < upper ? lower..<upper : nil
    }
}
