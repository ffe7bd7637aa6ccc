/// EXIF written anew from the fields that describe the photograph.
///
/// A block's own form is not kept: it may hold anything between its fields, and pictures.
struct EXIFBlock {
    /// A TIFF structure of at most `ImageMetadata.mostBytes`, in the byte order of the one that was read.
    let bytes: [UInt8]

    private typealias Field = TIFFDirectories.Field

    /// Fields of the first directory that say something about the photograph, and nothing about how it was stored: names,
    /// camera, resolution, date, author, rating, copyright, and Windows' forms of title, comment, author, keywords, subject.
    private static let described: Set<Int> = [
        269, 270, 271, 272, 282, 283, 296, 305, 306, 315, 316, 18_246, 18_249, 33_432, 40_091, 40_092, 40_093, 40_094,
        40_095,
    ]
    /// Fields of EXIF's own directory that say how the file was stored, count its pixels, point elsewhere, or are the maker's:
    /// components and bits, where the subject is, maker's note, colours, size, related sound, interoperability, pixels of the focal
    /// plane, place of the subject, gamma, padding.
    private static let dropped: Set<Int> = [
        37_121, 37_122, 37_396, 37_500, 40_961, 40_962, 40_963, 40_964, 40_965, 41_486, 41_487, 41_488, 41_492, 42_240,
        59_932,
    ]
    private static let (orientation, exifPointer, gpsPointer, colourSpace) = (274, 34_665, 34_853, 40_961)

    /// EXIF in a file; nil where it says nothing, or cannot be read.
    init?(_ block: ByteReader) {
        let reader = block.has("Exif\0") ? block.slice(6..<max(6, block.count)) : block
        guard let directories = TIFFDirectories(reader), let first = directories.first else { return nil }
        var budget = ImageMetadata.mostBytes - 200
        func kept(_ directory: TIFFDirectories.Directory?, where isKept: (Int) -> Bool) -> [Field] {
            var seen: Set<Int> = []
            let fields = directory?.fields(upTo: 500) { tag, byteCount in
                guard isKept(tag), seen.insert(tag).inserted, 14 + byteCount <= budget else { return false }
                budget -= 14 + byteCount
                return true
            }
            return fields ?? []
        }
        func directory(_ pointer: Int) -> TIFFDirectories.Directory? {
            first.value(pointer).flatMap { directories.directory(at: $0) }
        }
        var main = kept(first, where: Self.described.contains)
        var exif = kept(directory(Self.exifPointer)) { !Self.dropped.contains($0) }
        let gps = kept(directory(Self.gpsPointer)) { $0 < 32 }
        guard !main.isEmpty || !exif.isEmpty || !gps.isEmpty else { return nil }
        let form = Form(bigEndian: directories.bigEndian)
        main.append(form.short(Self.orientation, 1))
        exif.append(form.short(Self.colourSpace, 1))
        // The pointers have their size before they have their values.
        main.append(form.long(Self.exifPointer, 0))
        if !gps.isEmpty { main.append(form.long(Self.gpsPointer, 0)) }
        let exifPlace = 8 + Form.size(main)
        let gpsPlace = exifPlace + Form.size(exif)
        main = main.map { field in
            switch field.tag {
            case Self.exifPointer: form.long(field.tag, exifPlace)
            case Self.gpsPointer: form.long(field.tag, gpsPlace)
            default: field
            }
        }
        var bytes: [UInt8] = directories.bigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
        bytes += form.bytes(42, 2) + form.bytes(8, 4)
        form.append(main, to: &bytes)
        form.append(exif, to: &bytes)
        if !gps.isEmpty { form.append(gps, to: &bytes) }
        self.bytes = bytes
    }

    /// How directories are written.
    private struct Form {
        let bigEndian: Bool

        func bytes(_ number: Int, _ count: Int) -> [UInt8] {
            let low = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            return bigEndian ? low.reversed() : low
        }

        func short(_ tag: Int, _ value: Int) -> Field { Field(tag: tag, type: 3, count: 1, bytes: bytes(value, 2)) }
        func long(_ tag: Int, _ value: Int) -> Field { Field(tag: tag, type: 4, count: 1, bytes: bytes(value, 4)) }

        static func size(_ fields: [Field]) -> Int {
            fields.reduce(6) { $0 + 12 + ($1.bytes.count > 4 ? $1.bytes.count + $1.bytes.count % 2 : 0) }
        }

        /// A directory, and behind it what does not fit into its entries.
        func append(_ fields: [Field], to file: inout [UInt8]) {
            file += bytes(fields.count, 2)
            var place = file.count + 12 * fields.count + 4
            var values: [UInt8] = []
            for field in fields.sorted(by: { $0.tag < $1.tag }) {
                file += bytes(field.tag, 2) + bytes(field.type, 2) + bytes(field.count, 4)
                if field.bytes.count <= 4 {
                    file += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
                } else {
                    file += bytes(place, 4)
                    values += field.bytes + [UInt8](repeating: 0, count: field.bytes.count % 2)
                    place += field.bytes.count + field.bytes.count % 2
                }
            }
            file += bytes(0, 4) + values
        }
    }
}
