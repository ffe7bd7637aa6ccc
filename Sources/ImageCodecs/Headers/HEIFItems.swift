/// The items of a HEIF or AVIF: ISO/IEC 14496-12, 8.11.
struct HEIFItems {
    let file: ByteReader
    /// Those in the box `meta`.
    let boxes: ISOBoxes
    static let mostItems = 4_096

    init?(_ file: ByteReader) {
        guard let meta = ISOBoxes(file).first("meta"), meta.count > 4 else { return nil }
        self.file = file
        boxes = ISOBoxes(meta.slice(4..<meta.count))
    }

    /// What makes a file one that libheif 1.15 reads: `meta` with its length, where that is left open, and no groups of items, which
    /// say nothing of the one that is shown.
    static func patches(_ file: ByteReader) -> [ImageHeader.Patch] {
        var patches: [ImageHeader.Patch] = []
        let meta = ISOBoxes(file).first("meta")
        // A length of 64 bits would stand behind the type.
        if let meta, let start = file.offset(of: meta), file.has("meta", at: start - 4), file.be32(start - 8) == 0 {
            let length = 8 + meta.count
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
            patches.append(ImageHeader.Patch(place: start - 8..<start - 4, bytes: bytes))
        }
        if let meta, meta.count > 4, let groups = ISOBoxes(meta.slice(4..<meta.count)).first("grpl"),
            let start = file.offset(of: groups), file.has("grpl", at: start - 4)
        {
            patches.append(ImageHeader.Patch(place: start - 4..<start, bytes: Array("free".utf8)))
        }
        return patches
    }

    private struct Entry {
        let id: Int
        let body: ByteReader
        /// Where its type stands.
        let typeOffset: Int
    }

    private var entries: [Entry] {
        guard let information = boxes.first("iinf"), let version = information.u8(0) else { return [] }
        let boxes = ISOBoxes(information.slice(min(version == 0 ? 6 : 8, information.count)..<information.count))
        return boxes.all(upTo: Self.mostItems).compactMap { name, body in
            guard name == "infe", let version = body.u8(0), version >= 2 else { return nil }
            let idSize = version == 2 ? 2 : 4
            return body.number(4, idSize, bigEndian: true).map { Entry(id: $0, body: body, typeOffset: 6 + idSize) }
        }
    }

    /// The numbers of all items.
    var numbers: Set<Int> { Set(entries.map(\.id)) }

    /// The type of an item, of four letters.
    func type(of item: Int) -> String? {
        entries.first { $0.id == item }.map {
            String(decoding: $0.body.slice($0.typeOffset..<$0.typeOffset + 4).bytes, as: UTF8.self)
        }
    }

    /// The picture that is shown.
    var primary: Int? { boxes.first("pitm").flatMap { $0.u8(0) == 0 ? $0.be16(4) : $0.be32(4) } }

    /// All references of a type: from an item to one or more others.
    func references(_ type: String) -> [(from: Int, to: [Int])] {
        guard let references = boxes.first("iref"), let version = references.u8(0), references.count > 4 else {
            return []
        }
        let idSize = version == 0 ? 2 : 4
        return ISOBoxes(references.slice(4..<references.count)).all(upTo: Self.mostItems).compactMap { name, body in
            guard name == type, let from = body.number(0, idSize, bigEndian: true), let count = body.be16(idSize) else {
                return nil
            }
            // No more than there is room for, whatever is said.
            let most = max(0, body.count - idSize - 2) / idSize
            return (
                from,
                (0..<min(count, most)).compactMap { body.number(idSize + 2 + $0 * idSize, idSize, bigEndian: true) }
            )
        }
    }

    /// The bytes of the first item of a type, a few at most; nil if there is none.
    func bytes(ofFirst type: StaticString, contentType: StaticString? = nil) -> [UInt8]? {
        for entry in entries where entry.body.has(type, at: entry.typeOffset) {
            if let contentType {
                // Behind the item's name, which is ended by a zero.
                let (start, body) = (entry.typeOffset + 4, entry.body)
                guard start < body.count,
                    let end = (start..<body.count).first(where: { body.bytes[$0] == 0 }),
                    body.has(contentType, at: end + 1)
                else { continue }
            }
            return content(of: entry.id)
        }
        return nil
    }

    /// The bytes that `iloc` names, a few at most.
    func content(of item: Int) -> [UInt8]? {
        guard let places = boxes.first("iloc"), let version = places.u8(0), version <= 2, let sizes = places.be16(4)
        else { return nil }
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        let idSize = version < 2 ? 2 : 4
        guard let count = places.number(6, idSize, bigEndian: true) else { return nil }
        // Looked for once, however many pieces lie in it.
        lazy var data = boxes.first("idat")
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
                let source = method & 15 == 1 ? data : method & 15 == 0 ? file : nil
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
