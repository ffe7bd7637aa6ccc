/// The items of a HEIF or AVIF that are no pictures: ISO/IEC 14496-12, 8.11.
struct HEIFItems {
    private let file: ByteReader
    private let boxes: ISOBoxes
    private static let mostItems = 4_096

    init?(_ file: ByteReader) {
        guard let meta = ISOBoxes(file).first("meta"), meta.count > 4 else { return nil }
        self.file = file
        boxes = ISOBoxes(meta.slice(4..<meta.count))
    }

    /// The bytes of the first item of a type, a few at most; nil if there is none.
    func bytes(ofFirst type: StaticString, contentType: StaticString? = nil) -> [UInt8]? {
        guard let information = boxes.first("iinf"), let version = information.u8(0) else { return nil }
        let entries = ISOBoxes(information.slice(min(version == 0 ? 6 : 8, information.count)..<information.count))
        for (name, entry) in entries.all(upTo: Self.mostItems) where name == "infe" {
            guard let version = entry.u8(0), version >= 2 else { continue }
            let idSize = version == 2 ? 2 : 4
            guard let id = entry.number(4, idSize, bigEndian: true), entry.has(type, at: 6 + idSize) else { continue }
            if let contentType {
                // Behind the item's name, which is ended by a zero.
                let start = 10 + idSize
                guard start < entry.count,
                    let end = (start..<entry.count).first(where: { entry.bytes[$0] == 0 }),
                    entry.has(contentType, at: end + 1)
                else { continue }
            }
            return content(of: id)
        }
        return nil
    }

    /// What `iloc` says of where an item lies.
    private func content(of item: Int) -> [UInt8]? {
        guard let places = boxes.first("iloc"), let version = places.u8(0), version <= 2, let sizes = places.be16(4)
        else { return nil }
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        let idSize = version < 2 ? 2 : 4
        guard let count = places.number(6, idSize, bigEndian: true) else { return nil }
        var at = 6 + idSize
        func take(_ size: Int) -> Int? {
            guard size > 0 else { return 0 }
            defer { at += size }
            return size <= 8 ? places.number(at, size, bigEndian: true) : nil
        }
        for _ in 0..<min(count, Self.mostItems) {
            guard let id = take(idSize), let method = take(version == 0 ? 0 : 2), take(2) != nil,
                let base = take(baseSize), let extents = take(2)
            else { return nil }
            guard id == item else {
                at += extents * (indexSize + offsetSize + lengthSize)
                continue
            }
            // More than a few pieces of so little no program writes.
            guard extents <= 64 else { return nil }
            var bytes: [UInt8] = []
            for _ in 0..<extents {
                guard take(indexSize) != nil, let offset = take(offsetSize), let length = take(lengthSize) else {
                    return nil
                }
                let start = base.saturatingSum(offset)
                // More than so much is not kept anyway; a method of 1 means the box `idat`.
                let source = method & 15 == 1 ? boxes.first("idat") : method & 15 == 0 ? file : nil
                guard let source, start <= source.count, bytes.count < MetadataParts.mostRead else { return nil }
                let end = min(source.count, length == 0 ? .max : start.saturatingSum(length))
                bytes += source.slice(start..<min(end, start.saturatingSum(MetadataParts.mostRead))).bytes
            }
            return bytes
        }
        return nil
    }
}

extension MetadataParts {
    /// No more bytes of one item are looked at: EXIF with small pictures in it has less.
    static let mostRead = 1 << 20
}
