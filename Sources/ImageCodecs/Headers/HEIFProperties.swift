internal import Pixels

/// The properties of a HEIF's items: ISO/IEC 23008-12, 9.3.
struct HEIFProperties {
    struct Link {
        /// Of the property, from 0.
        let index: Int
        /// Where in the file it is linked, and in how many bytes.
        let place: Range<Int>
    }

    let all: [(type: String, body: ByteReader)]
    private let links: [Int: [Link]]

    init?(_ items: HEIFItems) {
        guard let box = items.boxes.first("iprp"), let properties = ISOBoxes(box).first("ipco") else { return nil }
        all = ISOBoxes(properties).all(upTo: HEIFItems.mostItems)
        links = ISOBoxes(box).first("ipma").map { Self.links($0, in: items.file) } ?? [:]
    }

    func links(of item: Int) -> [Link] { (links[item] ?? []).filter { all.indices.contains($0.index) } }

    /// The bodies of an item's properties of a type.
    func bodies(_ type: String, of item: Int) -> [ByteReader] {
        links(of: item).filter { all[$0.index].type == type }.map { all[$0.index].body }
    }

    /// What puts the link with an item's size in place of those with properties of some types. libheif takes a link with nothing for
    /// the end of the list.
    func patches(of types: Set<String>, of item: Int, in file: ByteReader) -> [ImageHeader.Patch] {
        let size = links(of: item).first { all[$0.index].type == "ispe" }.map { file.slice($0.place).bytes }
        return links(of: item).filter { types.contains(all[$0.index].type) }.map { link in
            ImageHeader.Patch(
                place: link.place, bytes: size.map(Array.init) ?? Array(repeating: 0, count: link.place.count))
        }
    }

    /// The stored size of an item.
    func size(of item: Int) -> PixelSize? { bodies("ispe", of: item).first.flatMap(Self.size) }

    /// The largest of all stored pictures, as tiles and hidden layers are decoded on the way.
    var largestSize: PixelSize? {
        all.filter { $0.type == "ispe" }.compactMap { Self.size($0.body) }
            .max { saturatingProduct($0.width, $0.height) < saturatingProduct($1.width, $1.height) }
    }

    private static func size(_ body: ByteReader) -> PixelSize? {
        guard let width = body.be32(4), let height = body.be32(8) else { return nil }
        return PixelSize(width: width, height: height)
    }

    private static func links(_ box: ByteReader, in file: ByteReader) -> [Int: [Link]] {
        guard let version = box.u8(0), let flags = box.u8(3), let entries = box.be32(4),
            let start = file.offset(of: box)
        else { return [:] }
        var links: [Int: [Link]] = [:]
        var offset = 8
        let idSize = version == 0 ? 2 : 4
        let width = flags & 1 == 1 ? 2 : 1
        for _ in 0..<min(entries, HEIFItems.mostItems) {
            guard let id = box.number(offset, idSize, bigEndian: true), let count = box.u8(offset + idSize) else {
                break
            }
            offset += idSize + 1
            // An item has one entry; of more libheif takes the first, too.
            let isFirst = links[id] == nil
            for _ in 0..<count {
                guard let number = box.number(offset, width, bigEndian: true) else { break }
                let index = number & (width == 2 ? 0x7FFF : 0x7F) - 1
                let place = start + offset..<start + offset + width
                // Zero means none.
                if isFirst, index >= 0 { links[id, default: []].append(Link(index: index, place: place)) }
                offset += width
            }
        }
        return links
    }
}
