/// Tells a catalog's format by its first bytes.
enum CatalogDetection {
    /// How a text is to be read.
    enum TextKind {
        case xml, openStep, json, jsonLines
        case table(TableReader.Header)
        case list
    }

    /// Pictures, by their first bytes.
    private static let pictures: [(magic: [UInt8], reason: CatalogReason)] = [
        ([0xFF, 0xD8, 0xFF], "it is a JPEG picture"),
        ([0x89, 0x50, 0x4E, 0x47], "it is a PNG picture"),
        (Array("GIF8".utf8), "it is a GIF picture"),
        (Array("RIFF".utf8), "it is a WebP picture or another media file"),
        ([0x49, 0x49, 0x2A, 0x00], "it is a TIFF picture"),
        ([0x4D, 0x4D, 0x00, 0x2A], "it is a TIFF picture"),
        // Those of more than 4 GB, and JPEG XL in a container.
        ([0x49, 0x49, 0x2B, 0x00], "it is a TIFF picture"),
        ([0x4D, 0x4D, 0x00, 0x2B], "it is a TIFF picture"),
        ([0xFF, 0x0A], "it is a JPEG XL picture"),
        ([0x00, 0x00, 0x00, 0x0C] + Array("JXL ".utf8), "it is a JPEG XL picture"),
    ]
    /// HEIC and AVIF.
    private static let pictureOrFilm = CatalogError.notACatalog(reason: "it is a picture or a film")
    private static let drawing = CatalogError.notACatalog(reason: "it is an SVG picture")
    /// Other well-known kinds of files.
    private static let others: [(magic: [UInt8], reason: CatalogReason)] = [
        (Array("%PDF".utf8), "it is a PDF document"),
        ([0x50, 0x4B, 0x03, 0x04], "it is a ZIP archive; a spreadsheet (.xlsx, .ods) can be saved as CSV"),
        (Array("PAR1".utf8), "it is a Parquet file; DuckDB makes CSV of it: COPY (FROM 'a.parquet') TO 'a.csv'"),
        (Array("ARROW1".utf8), "it is an Arrow or Feather file; pandas makes CSV of it (read_feather, to_csv)"),
        (Array("BZh".utf8), "it is a file compressed by bzip2"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "it is a file compressed by xz"),
        ([0x7F, 0x45, 0x4C, 0x46], "it is a program"),
        (Array("SQLite format 3".utf8), "it is a database"),
    ]

    /// Whether something is no catalog because it is a picture, or may be one.
    static func isOfPicture(_ error: CatalogError) -> Bool {
        error == pictureOrFilm || error == drawing || pictures.contains { error == .notACatalog(reason: $0.reason) }
    }

    /// Throws if the bytes are a well-known kind of file that is no catalog.
    static func refuseOthers(_ bytes: UnsafeBufferPointer<UInt8>) throws(CatalogError) {
        for kinds in [pictures, others] {
            if let kind = kinds.first(where: { bytes.starts(with: $0.magic) }) {
                throw .notACatalog(reason: kind.reason)
            }
        }
        if bytes.dropFirst(4).starts(with: "ftyp".utf8) { throw pictureOrFilm }
    }

    /// Tells how to read a text that begins at `start`.
    /// - Parameter isWhole: Whether the bytes are all of it, and not its beginning.
    static func kind(
        of bytes: UnsafeBufferPointer<UInt8>, start: Int, keys: CatalogKeys = CatalogKeys(), isWhole: Bool = true
    ) throws(CatalogError) -> TextKind {
        if bytes.dropFirst(start).prefix(4096).contains(0) { throw .notACatalog(reason: "it is not text") }
        var first = start
        while first < bytes.count, Byte.isSpace(bytes[first]) { first += 1 }
        guard first < bytes.count else { return .list }
        switch bytes[first] {
        case Byte.less:
            try refuseOtherXML(bytes, start: start)
            return .xml
        case UInt8(ascii: "["): return .json
        case UInt8(ascii: "("): return .openStep
        case UInt8(ascii: "{"):
            if isLines(bytes, start: first, keys, isWhole: isWhole) { return .jsonLines }
            return isOpenStepDictionary(bytes, after: first + 1) ? .openStep : .json
        case Byte.slash where isOpenStepAfterComments(bytes, start: first): return .openStep
        default: return try kindOfLines(bytes, start: start, keys, isWhole: isWhole)
        }
    }

    // MARK: - XML

    private static func refuseOtherXML(_ bytes: UnsafeBufferPointer<UInt8>, start: Int) throws(CatalogError) {
        var scanner = XMLScanner(bytes, start: start)
        scanner.skipSpace()
        // What is cut off before its root is left to the tokenizer, which tells the place.
        while (try? scanner.skipMarkup()) == true { scanner.skipSpace() }
        guard scanner.byte == Byte.less, let tag = try? scanner.startTag() else { return }
        let known: [StaticString] = ["plist", "dict", "array"]
        if known.contains(where: { tag.isNamed($0, bytes) }) { return }
        if Byte.equal(bytes[tag.name], ignoringCase: "html".utf8) { throw .notACatalog(reason: "it is a web page") }
        if tag.isNamed("svg", bytes) { throw drawing }
        let name = String(decoding: bytes[tag.name].prefix(40), as: UTF8.self)
        throw .notACatalog(reason: "it is XML, but <\(name)> instead of a property list")
    }

    // MARK: - Braces

    /// JSON has a quoted key and `:`, or the end; everything else that begins with a brace is OpenStep's.
    private static func isOpenStepDictionary(_ bytes: UnsafeBufferPointer<UInt8>, after start: Int) -> Bool {
        var index = start
        while index < bytes.count, Byte.isSpace(bytes[index]) { index += 1 }
        guard index < bytes.count else { return false }
        guard bytes[index] == Byte.quote else { return bytes[index] != UInt8(ascii: "}") }
        index += 1
        while index < bytes.count, bytes[index] != Byte.quote { index += bytes[index] == Byte.backslash ? 2 : 1 }
        index += 1
        while index < bytes.count, Byte.isSpace(bytes[index]) { index += 1 }
        guard index < bytes.count else { return false }
        return [Byte.equals, Byte.semicolon, Byte.slash].contains(bytes[index])
    }

    /// Whether comments, such as the line that Xcode writes, are followed by an OpenStep property list.
    private static func isOpenStepAfterComments(_ bytes: UnsafeBufferPointer<UInt8>, start: Int) -> Bool {
        if bytes[start...].starts(with: "/*".utf8) { return true }
        var index = start
        while index < bytes.count {
            if Byte.isSpace(bytes[index]) {
                index += 1
            } else if bytes[index...].starts(with: "//".utf8) {
                while index < bytes.count, bytes[index] != Byte.lineFeed, bytes[index] != Byte.carriageReturn {
                    index += 1
                }
            } else {
                return bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "(")
            }
        }
        return false
    }

    // MARK: - Lines

    private static func kindOfLines(
        _ bytes: UnsafeBufferPointer<UInt8>, start: Int, _ keys: CatalogKeys, isWhole: Bool
    ) throws(CatalogError) -> TextKind {
        var position = start
        guard let line = ListReader.nextLine(bytes, &position) else { return .list }
        if let header = TableReader.Header(bytes, start: line.lowerBound, keys) { return .table(header) }
        // What Excel writes first, to say how fields are parted.
        if bytes[line].starts(with: "sep=".utf8), line.count <= 5,
            let second = ListReader.nextLine(bytes, &position),
            let header = TableReader.Header(bytes, start: second.lowerBound, keys)
        {
            return .table(header)
        }
        if isLines(bytes, start: line.lowerBound, keys, isWhole: isWhole) { return .jsonLines }
        // Who names a column has a table.
        let namesColumn = keys.address != CatalogKeys().address
        var lines = LineTracker(start: start)
        lines.advance(to: line.lowerBound, in: bytes)
        let place = CatalogPlace(line: lines.line)
        if let columns = namesColumn
            ? TableColumns.all(bytes, start: line.lowerBound)
            : TableColumns.withoutAddress(bytes, start: line.lowerBound)
        {
            throw .noAddressColumn(keys.address, columns: columns, place: place)
        }
        if let columns = TableWithoutNames.columns(bytes, start: line.lowerBound, isWhole: isWhole) {
            throw .noColumnNames(keys.address, columns: columns, place: place)
        }
        return .list
    }
}
