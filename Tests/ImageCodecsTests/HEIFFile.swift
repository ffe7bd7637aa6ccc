import Foundation

/// Takes HEIF files of libheif apart, to put in what it does not write.
enum HEIFFile {
    /// The file with one more property of its only picture: how it is to be turned before it is shown, in quarter turns
    /// against the clock.
    static func turned(_ plain: Data, quarterTurns: UInt8) throws -> Data {
        var bytes = [UInt8](plain)
        let meta = try box("meta", in: bytes, 0..<bytes.count)
        let inside = meta.lowerBound + 4..<meta.upperBound
        let properties = try box("iprp", in: bytes, inside)
        let list = try box("ipco", in: bytes, properties)
        let links = try box("ipma", in: bytes, properties)
        let places = try box("iloc", in: bytes, inside)
        let property = Array(PNGFile.bigEndian(9)) + Array("irot".utf8) + [quarterTurns]
        var count = 0
        var start = list.lowerBound
        while start < list.upperBound {
            start += number(bytes, start, 4)
            count += 1
        }
        // Version and flags, one entry: a number of two bytes, a count, and a byte for each property.
        guard Array(bytes[links.prefix(8)]) == [0, 0, 0, 0, 0, 0, 0, 1] else {
            throw TestFailure(description: "other links than libheif's: \(Array(bytes[links]))")
        }
        let counter = links.lowerBound + 10
        let end = counter + 1 + Int(bytes[counter])
        let added = property.count + 1

        // Where data lies in the file, from behind: libheif writes four bytes for each place and length, and no base.
        guard bytes[places.lowerBound + 4] == 0x44 else { throw TestFailure(description: "other places") }
        let version = bytes[places.lowerBound]
        let base = Int(bytes[places.lowerBound + 5] >> 4)
        var place = places.lowerBound + 8
        while place < places.upperBound {
            let method = version == 0 ? 0 : number(bytes, place + 2, 2) & 15
            place += (version == 0 ? 4 : 6)
            if method == 0, base == 4 { write(number(bytes, place, 4) + added, &bytes, place) }
            place += base
            let extents = number(bytes, place, 2)
            place += 2
            for _ in 0..<extents {
                if method == 0, base == 0 { write(number(bytes, place, 4) + added, &bytes, place) }
                place += 8
            }
        }
        for (start, more) in [
            (meta.lowerBound, added), (properties.lowerBound, added), (list.lowerBound, property.count),
            (links.lowerBound, 1),
        ] { write(number(bytes, start - 8, 4) + more, &bytes, start - 8) }
        bytes[counter] += 1
        bytes.insert(0x80 | UInt8(count + 1), at: end)
        bytes.insert(contentsOf: property, at: list.upperBound)
        return Data(bytes)
    }

    /// The inside of the first box of a kind.
    private static func box(_ kind: String, in bytes: [UInt8], _ range: Range<Int>) throws -> Range<Int> {
        var start = range.lowerBound
        while start + 8 <= range.upperBound {
            let end = start + max(8, number(bytes, start, 4))
            if Array(bytes[start + 4..<start + 8]) == Array(kind.utf8) { return start + 8..<end }
            start = end
        }
        throw TestFailure(description: "no \(kind)")
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ width: Int) -> Int {
        bytes[start..<start + width].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func write(_ number: Int, _ bytes: inout [UInt8], _ start: Int) {
        bytes.replaceSubrange(start..<start + 4, with: PNGFile.bigEndian(number))
    }
}
