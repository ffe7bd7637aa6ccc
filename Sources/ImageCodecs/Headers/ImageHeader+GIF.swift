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
        while frames < mostFrames, let block = reader.u8(offset) {
            if block == 0x21 {
                offset += 2
            } else if block == 0x2C, let left = reader.le16(offset + 1), let top = reader.le16(offset + 3),
                let across = reader.le16(offset + 5), let down = reader.le16(offset + 7),
                let frameFlags = reader.u8(offset + 9)
            {
                frames += 1
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
        header.bytesPerPixel = 12
        return header
    }

    private static func colourTable(_ flags: Int) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
    }
}
