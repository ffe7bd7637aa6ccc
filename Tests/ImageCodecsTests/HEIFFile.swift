import Foundation

/// Takes HEIF files of libheif apart, to put in what it does not write.
struct HEIFFile {
    struct Property {
        let kind: String
        let body: [UInt8]

        /// In quarter turns against the clock.
        static func turn(_ quarters: UInt8) -> Property { Property(kind: "irot", body: [quarters]) }

        /// 0 exchanges top and bottom, and 1 left and right.
        static func mirror(_ axis: UInt8) -> Property { Property(kind: "imir", body: [axis]) }

        /// A part of so many pixels, whose middle is so far from that of the whole; both in halves.
        static func cut(_ width: Int, _ height: Int, _ right: Int, _ down: Int) -> Property {
            Property(
                kind: "clap",
                body: [width, 1, height, 1, right, 2, down, 2].flatMap(PNGFile.bigEndian))
        }

        /// Code points, and whether samples use all numbers.
        static func colours(_ primaries: UInt8, _ transfer: UInt8, isFullRange: Bool) -> Property {
            Property(
                kind: "colr", body: Array("nclx".utf8) + [0, primaries, 0, transfer, 0, 6, isFullRange ? 0x80 : 0])
        }
    }

    private var bytes: [UInt8]

    init(_ file: Data) {
        bytes = [UInt8](file)
    }

    var data: Data { Data(bytes) }

    /// The file with one more property of its only picture: how it is to be turned before it is shown, in quarter turns
    /// against the clock. Where newer versions of libvips have written it already, as EXIF says, it is written over.
    static func turned(_ plain: Data, quarterTurns: UInt8) throws -> Data {
        if let written = plain.range(of: Data("irot".utf8)) {
            var file = plain
            file[written.upperBound] = quarterTurns
            return file
        }
        var file = HEIFFile(plain)
        try file.add([.turn(quarterTurns)], to: file.picture)
        return file.data
    }

    /// The file with these code points: libheif writes others into AVIF, and none into HEIC.
    static func saying(_ primaries: UInt8, _ transfer: UInt8, in plain: Data) throws -> Data {
        guard let range = plain.range(of: Data("colrnclx".utf8)) else {
            var file = HEIFFile(plain)
            try file.add([.colours(primaries, transfer, isFullRange: true)], to: file.picture)
            return file.data
        }
        var file = plain
        (file[range.upperBound + 1], file[range.upperBound + 3]) = (primaries, transfer)
        return file
    }

    /// The number of the picture.
    var picture: Int {
        get throws { number(try box("pitm", in: try meta).lowerBound + 4, 2) }
    }

    /// The number of the picture that is its transparency.
    var transparency: Int {
        get throws {
            let references = try box("iref", in: try meta)
            return number(try box("auxl", in: references.dropFirst(4)).lowerBound, 2)
        }
    }

    /// Says that transparency is that of a picture that is not there.
    mutating func loseTransparency() throws {
        let link = try box("auxl", in: try box("iref", in: try meta).dropFirst(4))
        bytes.replaceSubrange(link.lowerBound + 4..<link.lowerBound + 6, with: [0, 0])
    }

    /// Says that colours are multiplied by transparency.
    mutating func premultiply() throws {
        let reference = Self.boxed(
            "prem", try [picture, 1, transparency].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
        try insert(reference, at: try box("iref", in: try meta).upperBound, inside: ["meta", "iref"])
    }

    /// Puts the data in front, so that `meta` is the last box, and leaves its length open.
    mutating func leaveMetaOpen() throws {
        let range = try box("meta", in: 0..<bytes.count)
        let length = range.count + 8
        try movePlaces(by: -length)
        let meta = Array(bytes[range.lowerBound - 8..<range.upperBound])
        bytes.removeSubrange(range.lowerBound - 8..<range.upperBound)
        bytes += [0, 0, 0, 0] + meta.dropFirst(4)
    }

    /// Writes the length of `meta` with 64 bits.
    mutating func lengthenMeta() throws {
        let range = try box("meta", in: 0..<bytes.count)
        try movePlaces(by: 8)
        write(1, range.lowerBound - 8)
        bytes.insert(contentsOf: PNGFile.bigEndian(0) + PNGFile.bigEndian(range.count + 16), at: range.lowerBound)
    }

    /// Adds a box to those that describe the picture.
    mutating func describe(_ kind: String, _ body: [UInt8]) throws {
        try insert(Self.boxed(kind, body), at: try meta.upperBound, inside: ["meta"])
    }

    /// Links properties with an item, in this order, behind those that it has, or each in front of them.
    mutating func add(_ properties: [Property], to item: Int, inFront: Bool = false) throws {
        for property in properties {
            let list = try box("ipco", in: try box("iprp", in: try meta))
            var (count, start) = (0, list.lowerBound)
            while start < list.upperBound {
                start += number(start, 4)
                count += 1
            }
            try insert(Self.boxed(property.kind, property.body), at: list.upperBound, inside: ["meta", "iprp", "ipco"])
            let links = try box("ipma", in: try box("iprp", in: try meta))
            guard Array(bytes[links.prefix(4)]) == [0, 0, 0, 0] else {
                throw TestFailure(description: "other links than libheif's: \(Array(bytes[links]))")
            }
            // Numbers of two bytes, a count, and a byte for each property.
            var entry = links.lowerBound + 8
            while number(entry, 2) != item { entry += 3 + Int(bytes[entry + 2]) }
            bytes[entry + 2] += 1
            try insert(
                [0x80 | UInt8(count + 1)], at: entry + (inFront ? 3 : 2 + Int(bytes[entry + 2])),
                inside: ["meta", "iprp", "ipma"])
        }
    }

    static func boxed(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        PNGFile.bigEndian(8 + body.count) + Array(kind.utf8) + body
    }

    private var meta: Range<Int> {
        get throws { try box("meta", in: 0..<bytes.count).dropFirst(4) }
    }

    /// Puts something in, and makes the boxes around it longer, each of which is in the one before.
    private mutating func insert(_ more: [UInt8], at place: Int, inside boxes: [String]) throws {
        var range = 0..<bytes.count
        var lengths: [Int] = []
        for kind in boxes {
            range = try box(kind, in: range)
            lengths.append(range.lowerBound - 8)
            if kind == "meta" { range = range.dropFirst(4) }
        }
        try movePlaces(by: more.count)
        for length in lengths { write(number(length, 4) + more.count, length) }
        bytes.insert(contentsOf: more, at: place)
    }

    /// Where data lies in the file: libheif writes four bytes for each place and length.
    private mutating func movePlaces(by more: Int) throws {
        let places = try box("iloc", in: try meta)
        guard bytes[places.lowerBound + 4] == 0x44 else { throw TestFailure(description: "other places") }
        let version = bytes[places.lowerBound]
        let base = Int(bytes[places.lowerBound + 5] >> 4)
        var place = places.lowerBound + 8
        for _ in 0..<number(places.lowerBound + 6, 2) {
            let method = version == 0 ? 0 : number(place + 2, 2) & 15
            place += (version == 0 ? 4 : 6)
            if method == 0, base == 4 { write(number(place, 4) + more, place) }
            place += base
            let extents = number(place, 2)
            place += 2
            for _ in 0..<extents {
                if method == 0, base == 0 { write(number(place, 4) + more, place) }
                place += 8
            }
        }
    }

    /// The inside of the first box of a kind.
    private func box(_ kind: String, in range: Range<Int>) throws -> Range<Int> {
        var start = range.lowerBound
        while start + 8 <= range.upperBound {
            let end = start + max(8, number(start, 4))
            if Array(bytes[start + 4..<start + 8]) == Array(kind.utf8) { return start + 8..<end }
            start = end
        }
        throw TestFailure(description: "no \(kind)")
    }

    private func number(_ start: Int, _ width: Int) -> Int {
        bytes[start..<start + width].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func write(_ number: Int, _ start: Int) {
        bytes.replaceSubrange(start..<start + 4, with: PNGFile.bigEndian(number))
    }
}
