internal import FoundationEssentials

extension MetadataWriter {
    /// An AVIF with it: two more items, whose bytes stand in a box at the end. libheif would write EXIF with fields of its own.
    func avif(_ file: Data) throws(ImageCodecError) -> Data {
        guard metadata != ImageMetadata() else { return file }
        let whole = file.withUnsafeBytes { AVIFItems(ByteReader($0))?.file(adding: metadata) }
        guard let whole else { throw .encodingFailed("libheif wrote an AVIF of a form that takes no metadata") }
        return Data(whole)
    }
}

/// An AVIF of a picture, to which items are added.
///
/// ISO/IEC 14496-12, 8.11, has the boxes, and ISO/IEC 23008-12, annex A, says what items with metadata look like.
private struct AVIFItems {
    let reader: ByteReader
    /// Where the body of the box `meta` stands, and the boxes in it.
    private let place: Range<Int>
    private let boxes: [(type: String, body: ByteReader)]
    private let places: ItemPlaces
    private let picture: Int
    private let firstNew: Int

    init?(_ reader: ByteReader) {
        guard let items = HEIFItems(reader), let body = ISOBoxes(reader).first("meta"),
            let start = reader.offset(of: body), reader.has("meta", at: start - 4), let picture = items.primary,
            let last = items.numbers.max(),
            let places = items.boxes.first("iloc").flatMap({ ItemPlaces($0) }), last < 0xFFF0, picture <= last
        else { return nil }
        self.reader = reader
        place = start..<start + body.count
        boxes = items.boxes.all(upTo: 64)
        (self.places, self.picture, firstNew) = (places, picture, last + 1)
    }

    func file(adding metadata: ImageMetadata) -> [UInt8]? {
        var items: [(information: [UInt8], bytes: [UInt8])] = []
        if let exif = metadata.exif {
            // How far behind these four bytes the TIFF structure begins.
            let bytes = Self.number(6, 4) + Array("Exif\0\0".utf8) + exif
            items.append((Array("Exif\0".utf8), bytes))
        }
        if let xmp = metadata.xmp { items.append((Array("mime\0application/rdf+xml\0\0".utf8), Array(xmp))) }
        var data: [UInt8] = []
        // Behind the file as it is, and the head of another box; `meta` grows in front of them.
        var added: [ItemPlaces.Item] = []
        for (index, item) in items.enumerated() {
            added.append(
                ItemPlaces.Item(
                    number: firstNew + index, isInBox: false,
                    pieces: [(place: reader.count + 8 + data.count, length: item.bytes.count)]))
            data += item.bytes
        }
        func body(movedBy growth: Int) -> [UInt8]? {
            meta(with: items.map(\.information), ItemPlaces(items: places.items + added), growth)
        }
        // Its length does not depend on the places that it names.
        guard let length = body(movedBy: 0)?.count, let body = body(movedBy: length - place.count) else { return nil }
        let head = reader.slice(0..<place.lowerBound - 8).bytes
        return Array(head) + Self.box("meta", body) + reader.slice(place.upperBound..<reader.count).bytes
            + Self.box("mdat", data)
    }

    /// The body of the box `meta`.
    private func meta(with informations: [[UInt8]], _ places: ItemPlaces, _ growth: Int) -> [UInt8]? {
        var body = Array(reader.slice(place.lowerBound..<place.lowerBound + 4).bytes)
        var references: [UInt8] = []
        for index in informations.indices {
            references += Self.box(
                "cdsc", Self.number(firstNew + index, 2) + Self.number(1, 2) + Self.number(picture, 2))
        }
        var hasReferences = false
        for box in boxes {
            var bytes = Array(box.body.bytes)
            switch box.type {
            case "iinf":
                guard bytes.count >= 6, bytes[0] == 0, let count = box.body.be16(4) else { return nil }
                bytes.replaceSubrange(4..<6, with: Self.number(count + informations.count, 2))
                for (index, information) in informations.enumerated() {
                    // Hidden, as what is no picture is; unprotected.
                    bytes += Self.box("infe", [2, 0, 0, 1] + Self.number(firstNew + index, 2) + [0, 0] + information)
                }
            case "iloc": bytes = places.body(behind: place.upperBound, movedBy: growth)
            case "iref":
                guard bytes.first == 0 else { return nil }
                bytes += references
                hasReferences = true
            default: break
            }
            body += Self.box(box.type, bytes)
        }
        return hasReferences ? body : body + Self.box("iref", [0, 0, 0, 0] + references)
    }

    static func box(_ type: String, _ body: [UInt8]) -> [UInt8] { number(8 + body.count, 4) + Array(type.utf8) + body }

    static func number(_ value: Int, _ count: Int) -> [UInt8] {
        Array(MetadataWriter.bigEndian(value).suffix(count))
    }
}

/// Where the bytes of items stand: the box `iloc`.
private struct ItemPlaces {
    struct Item {
        let number: Int
        /// Whether the bytes are in the box `idat`, and not at a place of the file.
        let isInBox: Bool
        let pieces: [(place: Int, length: Int)]
    }

    let items: [Item]

    init(items: [Item]) {
        self.items = items
    }

    init?(_ body: ByteReader) {
        guard let version = body.u8(0), version < 2, let sizes = body.be16(4), let count = body.be16(6) else {
            return nil
        }
        var at = 8
        func take(_ size: Int) -> Int? {
            defer { at += size }
            return body.number(at, size, bigEndian: true)
        }
        var items: [Item] = []
        for _ in 0..<count {
            guard let number = take(2), let method = take(version == 0 ? 0 : 2), method < 2, take(2) == 0,
                let base = take(sizes >> 4 & 15), let pieceCount = take(2)
            else { return nil }
            var pieces: [(place: Int, length: Int)] = []
            for _ in 0..<pieceCount {
                guard take(version == 0 ? 0 : sizes & 15) != nil, let offset = take(sizes >> 12),
                    let length = take(sizes >> 8 & 15)
                else { return nil }
                pieces.append((base + offset, length))
            }
            items.append(Item(number: number, isInBox: method == 1, pieces: pieces))
        }
        self.items = items
    }

    /// The box's body, where all that stands at `end` of the file or behind it moves.
    func body(behind end: Int, movedBy growth: Int) -> [UInt8] {
        // Version 1, with four bytes for each place and length.
        var body: [UInt8] = [1, 0, 0, 0, 0x44, 0] + AVIFItems.number(items.count, 2)
        for item in items {
            body += AVIFItems.number(item.number, 2) + [0, item.isInBox ? 1 : 0, 0, 0]
            body += AVIFItems.number(item.pieces.count, 2)
            for piece in item.pieces {
                let place = item.isInBox || piece.place < end ? piece.place : piece.place + growth
                body += AVIFItems.number(place, 4) + AVIFItems.number(piece.length, 4)
            }
        }
        return body
    }
}
