internal import Pixels

extension ImageHeader {
    /// Screens of old programs, which wrote their own size whatever the picture's was. libvips, or libnsgif in it, throws these
    /// away and goes by the frames; browsers and other programs keep them.
    private static let oldScreens = [(640, 480), (640, 512), (800, 600), (1024, 768), (1280, 1024), (1600, 1200)]

    /// libvips takes no larger screen for one, either. There is none that it could be made: what its first frame leaves out is added
    /// to the picture.
    private static let largestTrusted = 2_048

    /// GIF: the screen, which a decoder enlarges for a first frame that lies beyond it, and all frames.
    ///
    /// Not by libvips: it would take a visit to a helper of its own, as the size has to be known before one for pixels, and
    /// libvips counts no further than 4,097 frames.
    static func gif(_ reader: ByteReader, mostFrames: Int) -> ImageHeader? {
        guard let screenWidth = reader.le16(6), let screenHeight = reader.le16(8), let flags = reader.u8(10) else {
            return nil
        }
        var (width, height) = (screenWidth, screenHeight)
        // Without a screen the frames count.
        if width == 0 || height == 0 { (width, height) = (1, 1) }
        var offset = 13 + colourTable(flags)
        var frames = 0
        var cover = GIFCover()
        var (control, hasTransparency) = (0, false)
        var loopCount = 1
        while frames < mostFrames, let block = reader.u8(offset) {
            if block == 0x21 {
                if let flags = controlFlags(reader, offset) {
                    control = flags
                    if flags & 1 == 1 { hasTransparency = true }
                }
                if let count = Self.loopCount(reader, offset) { loopCount = count }
                offset += 2
            } else if block == 0x2C, let left = reader.le16(offset + 1), let top = reader.le16(offset + 3),
                let across = reader.le16(offset + 5), let down = reader.le16(offset + 7),
                let frameFlags = reader.u8(offset + 9)
            {
                frames += 1
                cover.add(left: left, top: top, width: across, height: down, control: control)
                control = 0
                if frames == 1 {
                    width = max(width, left + across)
                    height = max(height, top + down)
                }
                offset += 11 + colourTable(frameFlags)
            } else {
                break
            }
            while let length = reader.u8(offset), length > 0 { offset += 1 + length }
            offset += 1
        }
        var header = ImageHeader(size: PixelSize(width: width, height: height))
        header.frames = max(1, frames)
        header.loopCount = loopCount
        if !hasTransparency { header.cover = cover }
        if oldScreens.contains(where: { $0 == (screenWidth, screenHeight) }) {
            // No screen of these has one column more.
            let wider = screenWidth + 1
            header.patches = [Patch(place: 6..<8, bytes: [UInt8(wider & 0xFF), UInt8(wider >> 8)])]
            header.extraColumns = width == screenWidth ? 1 : 0
        }
        header.losesScreen = max(screenWidth, screenHeight) > largestTrusted
        header.bytesPerPixel = 12
        return header
    }

    /// The flags of an extension that says how the next frame is shown; nil for another one.
    private static func controlFlags(_ reader: ByteReader, _ offset: Int) -> Int? {
        guard reader.u8(offset + 1) == 0xF9, reader.u8(offset + 2) == 4 else { return nil }
        return reader.u8(offset + 3).map { Int($0) }
    }

    /// How many times the frames are played, as an extension of Netscape's browser says, under either of its names; nil for another
    /// extension. Its number counts repetitions, and browsers show the frames once more than that; 0 is without end.
    private static func loopCount(_ reader: ByteReader, _ offset: Int) -> Int? {
        guard reader.u8(offset + 1) == 0xFF, reader.u8(offset + 2) == 11,
            reader.has("NETSCAPE2.0", at: offset + 3) || reader.has("ANIMEXTS1.0", at: offset + 3)
        else { return nil }
        // The first block that counts; the browser had one of another kind, too.
        var block = offset + 14
        while let length = reader.u8(block), length > 0 {
            if length == 3, reader.u8(block + 1) == 1, let repetitions = reader.le16(block + 2) {
                return repetitions == 0 ? 0 : repetitions + 1
            }
            block += 1 + length
        }
        return nil
    }

    private static func colourTable(_ flags: Int) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
    }
}
