internal import Pixels

extension ImageHeader {
    /// GIF: the screen, and all frames, because a decoder enlarges the screen for a frame that lies beyond it.
    ///
    /// Not by libvips: it would take a visit to a helper of its own, as the size has to be known before one for pixels, and
    /// libvips counts no further than 4,097 frames.
    static func gif(_ reader: ByteReader, mostFrames: Int) -> ImageHeader? {
        guard var width = reader.le16(6), var height = reader.le16(8), let flags = reader.u8(10) else { return nil }
        // Old programs wrote their own screen here; libnsgif then goes by the frames, and so must we.
        let screens = [(640, 480), (640, 512), (800, 600), (1024, 768), (1280, 1024), (1600, 1200)]
        if screens.contains(where: { $0 == (width, height) }) || width == 0 || height == 0 { (width, height) = (1, 1) }
        var offset = 13 + colourTable(flags)
        var frames = 0
        var transparency = GIFTransparency()
        while frames < mostFrames, let block = reader.u8(offset) {
            if block == 0x21 {
                transparency.take(extension: offset, reader)
                offset += 2
            } else if block == 0x2C, let left = reader.le16(offset + 1), let top = reader.le16(offset + 3),
                let across = reader.le16(offset + 5), let down = reader.le16(offset + 7),
                let frameFlags = reader.u8(offset + 9)
            {
                frames += 1
                transparency.take(frame: offset, codes: offset + 10 + colourTable(frameFlags), reader)
                width = max(width, left + across)
                height = max(height, top + down)
                offset += 11 + colourTable(frameFlags)
            } else {
                break
            }
            while let length = reader.u8(offset), length > 0 { offset += 1 + length }
            offset += 1
        }
        var header = ImageHeader(size: PixelSize(width: width, height: height))
        header.frames = max(1, frames)
        header.patches = transparency.patches(in: header.size)
        header.bytesPerPixel = 12
        return header
    }

    private static func colourTable(_ flags: Int) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
    }
}

/// Whether a GIF shows what is behind it where its first frame covers nothing, as browsers do.
///
/// libvips leaves transparency out of a file in which no frame has a transparent colour, so that one gets such a colour that no pixel
/// has.
private struct GIFTransparency {
    /// Colours of pixels are below 256.
    private static let usedByNone: UInt8 = 255

    private var hasColour = false
    /// Where the words on how the first frame is shown are, and where its own begin.
    private var control: Int?
    private var first: Int?
    private var place = (left: 0, top: 0, right: 0, bottom: 0)
    private var flags = 0
    private var isFull = false

    mutating func take(extension offset: Int, _ reader: ByteReader) {
        guard reader.u8(offset + 1) == 0xF9, reader.u8(offset + 2) == 4, let flags = reader.u8(offset + 3) else {
            return
        }
        if flags & 1 == 1 { hasColour = true }
        if first == nil { (control, self.flags) = (offset, flags) }
    }

    /// - Parameter codes: Where the number of bits of its colours stands.
    mutating func take(frame offset: Int, codes: Int, _ reader: ByteReader) {
        guard first == nil, let left = reader.le16(offset + 1), let top = reader.le16(offset + 3),
            let width = reader.le16(offset + 5), let height = reader.le16(offset + 7)
        else { return }
        first = offset
        place = (left, top, left + width, top + height)
        isFull = reader.u8(codes) ?? 8 >= 8
    }

    func patches(in size: PixelSize) -> [ImageHeader.Patch] {
        guard let first, !hasColour, !isFull, place != (0, 0, size.width, size.height) else { return [] }
        guard let control else {
            let bytes = [0x21, 0xF9, 4, 1, 0, 0, Self.usedByNone, 0]
            return [ImageHeader.Patch(place: first..<first, bytes: bytes)]
        }
        return [
            ImageHeader.Patch(place: control + 3..<control + 4, bytes: [UInt8(flags | 1)]),
            ImageHeader.Patch(place: control + 6..<control + 7, bytes: [Self.usedByNone]),
        ]
    }
}
