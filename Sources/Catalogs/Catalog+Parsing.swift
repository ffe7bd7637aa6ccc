public import FoundationEssentials
import Glibc

extension Catalog {
    /// Reads a catalog from bytes, in whichever format they are, and unpacks them first where they are compressed by gzip or
    /// zstd. Takes time in proportion to their number, so call it
    /// off the main thread; any other thread will do.
    ///
    /// - Parameters:
    ///   - data: The whole content.
    ///   - origin: Where it came from; not ``Origin/folder(path:includesSubfolders:)``, which has no bytes.
    ///   - limits: What it may cost.
    ///   - keys: What address and name are called in it.
    /// - Throws: ``CatalogError`` if it is cut off, damaged, too large, too deep, or no catalog. No bytes at all, or
    ///   nothing but comments, are an empty list.
    public init(
        parsing data: Data, origin: Origin, limits: CatalogLimits = CatalogLimits(), keys: CatalogKeys = CatalogKeys()
    ) throws(CatalogError) {
        guard data.count <= limits.maximumBytes else { throw .tooLarge(limit: limits.maximumBytes) }
        let result: Result<Catalog, CatalogError> = data.withUnsafeBytes { raw in
            raw.withMemoryRebound(to: UInt8.self) { bytes in
                do throws(CatalogError) {
                    let source = CatalogSource(borrowing: bytes)
                    return .success(try Catalog.read(source, origin: origin, limits: limits, keys: keys))
                } catch {
                    return .failure(error)
                }
            }
        }
        self = try result.get()
    }

    static func read(
        _ source: CatalogSource, origin: Origin, limits: CatalogLimits, keys: CatalogKeys
    ) throws(CatalogError) -> Catalog {
        if source.bytes.starts(with: BinaryPropertyListTrailer.magic.utf8) {
            return try readBinary(source, origin: origin, limits: limits, keys: keys)
        }
        if let compression = Compression(of: source.bytes) {
            let unpacked = try compression.unpacked(source.bytes, limit: limits.maximumBytes)
            source.empty()
            if Compression(of: unpacked.bytes) != nil { throw .compressedTwice }
            return try read(unpacked, origin: origin, limits: limits, keys: keys)
        }
        try CatalogDetection.refuseOthers(source.bytes)
        let text = try TextEncoding.text(of: source)
        let bytes = text.source.bytes
        guard bytes.count < Int(UInt32.max) else { throw .tooLarge(limit: limits.maximumBytes) }
        let depth = limits.maximumDepth
        let kind = try CatalogDetection.kind(of: bytes, start: text.start, keys: keys)
        let builder = CatalogBuilder(source: text.source, start: text.start, hasLines: true, limits: limits, keys: keys)
        switch kind {
        case .xml:
            let tokenizer = XMLPropertyListTokenizer(bytes, start: text.start, maximumDepth: depth)
            var reader = TreeReader(tokenizer, builder: builder)
            return try reader.read(origin: origin)
        case .openStep:
            let tokenizer = OpenStepTokenizer(bytes, start: text.start, maximumDepth: depth)
            var reader = TreeReader(tokenizer, builder: builder)
            return try reader.read(origin: origin)
        case .jsonLines:
            let tokenizer = JSONLinesTokenizer(bytes, start: text.start, maximumDepth: depth)
            var reader = TreeReader(tokenizer, builder: builder)
            return try reader.read(origin: origin)
        case .json:
            let tokenizer = JSONTokenizer(bytes, start: text.start, maximumDepth: depth)
            var reader = TreeReader(tokenizer, builder: builder)
            return try reader.read(origin: origin)
        case .table(let header): return try TableReader(header: header, builder: builder).read(origin: origin)
        case .list: return try ListReader(builder: builder, start: text.start).read(origin: origin)
        }
    }

    private static func readBinary(
        _ source: CatalogSource, origin: Origin, limits: CatalogLimits, keys: CatalogKeys
    ) throws(CatalogError) -> Catalog {
        // Most texts stay where they are in the source, which becomes the catalog's own block of bytes.
        let arena = source.makeArena()
        guard !arena.isExhausted else { throw .outOfMemory }
        let builder = CatalogBuilder(
            source: source, start: 0, hasLines: false, limits: limits, keys: keys, arena: arena)
        let tokenizer: BinaryPropertyListTokenizer
        do throws(SourceDamage) {
            tokenizer = try BinaryPropertyListTokenizer(arena, maximumDepth: limits.maximumDepth)
        } catch {
            throw builder.error(error, format: .binaryPropertyList)
        }
        var reader = TreeReader(tokenizer, builder: builder)
        return try reader.read(origin: origin)
    }
}
