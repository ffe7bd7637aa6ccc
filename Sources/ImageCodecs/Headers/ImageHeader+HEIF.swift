internal import Pixels

extension ImageHeader {
    /// HEIF and AVIF: the primary item's properties in the `meta` box: its size (`ispe`) and rotation (`irot`).
    ///
    /// The decoder itself applies rotations and mirrors, so the size is given as it will come, upright.
    static func heif(_ reader: ByteReader) -> ImageHeader? {
        guard let meta = ISOBoxes(reader).first("meta"), meta.count > 4 else { return nil }
        let boxes = ISOBoxes(meta.slice(4..<meta.count))
        guard let iprp = boxes.first("iprp"), let ipco = ISOBoxes(iprp).first("ipco") else { return nil }
        let properties = ISOBoxes(ipco).all(upTo: 4_096)
        let sizes = properties.map { $0.type == "ispe" ? ispe($0.body) : nil }
        // Tiles and hidden layers are decoded on the way, so the largest of all counts.
        guard let largest = sizes.compactMap(\.self).max(by: { area($0) < area($1) }) else { return nil }
        let primary = boxes.first("pitm").flatMap { $0.u8(0) == 0 ? $0.be16(4) : $0.be32(4) }
        let linked = primary.map { associations(ISOBoxes(iprp).first("ipma"), of: $0) } ?? []
        let own = linked.compactMap { sizes.indices.contains($0) ? sizes[$0] : nil }.first
        let turned = linked.contains { index in
            properties.indices.contains(index) && properties[index].type == "irot"
                && (properties[index].body.u8(0) ?? 0) % 2 == 1
        }
        var size = own ?? largest
        if area(largest) > area(size) * 2 { size = largest }
        var header = ImageHeader(size: turned ? PixelSize(width: size.height, height: size.width) : size)
        // Planes of up to 16 bits, reference frames, and the interleaved picture.
        header.bytesPerPixel = 16
        return header
    }

    private static func area(_ size: PixelSize) -> Int { saturatingProduct(size.width, size.height) / 4 }

    private static func ispe(_ body: ByteReader) -> PixelSize? {
        guard let width = body.be32(4), let height = body.be32(8) else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The numbers of the properties, from 0, that `ipma` links to an item.
    private static func associations(_ ipma: ByteReader?, of item: Int) -> [Int] {
        guard let ipma, let version = ipma.u8(0), let flags = ipma.u8(3), let entries = ipma.be32(4) else { return [] }
        var offset = 8
        let idSize = version == 0 ? 2 : 4
        let indexSize = flags & 1 == 1 ? 2 : 1
        for _ in 0..<min(entries, ipma.count) {
            guard let id = ipma.number(offset, idSize, bigEndian: true), let count = ipma.u8(offset + idSize) else {
                break
            }
            let start = offset + idSize + 1
            if id == item {
                return (0..<count).compactMap { index in
                    ipma.number(start + index * indexSize, indexSize, bigEndian: true)
                        .map { $0 & (indexSize == 2 ? 0x7FFF : 0x7F) - 1 }
                }
            }
            offset = start + count * indexSize
        }
        return []
    }
}
