import CZLib
import CZstd
import Catalogs
import FoundationEssentials
import OperationsTesting
import Testing

struct CompressionTests {
    enum Kind: String, CaseIterable {
        case gzip, zstd
    }

    private func packed(_ data: Data, _ kind: Kind) throws -> Data {
        var memory = [UInt8](repeating: 0, count: data.count + 10_000)
        let room = memory.count
        return try memory.withUnsafeMutableBytes { memory in
            try data.withUnsafeBytes { data in
                switch kind {
                case .gzip:
                    var stream = z_stream()
                    let size = Int32(MemoryLayout<z_stream>.size)
                    try #require(deflateInit2_(&stream, 6, Z_DEFLATED, 31, 8, 0, ZLIB_VERSION, size) == Z_OK)
                    defer { deflateEnd(&stream) }
                    stream.next_in = .init(mutating: data.bindMemory(to: UInt8.self).baseAddress)
                    stream.next_out = memory.bindMemory(to: UInt8.self).baseAddress
                    (stream.avail_in, stream.avail_out) = (UInt32(data.count), UInt32(room))
                    try #require(deflate(&stream, Z_FINISH) == Z_STREAM_END)
                    return Data(memory.prefix(Int(stream.total_out)))
                case .zstd:
                    let context = ZSTD_createCCtx()
                    defer { ZSTD_freeCCtx(context) }
                    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
                    let count = ZSTD_compress2(context, memory.baseAddress, room, data.baseAddress, data.count)
                    try #require(ZSTD_isError(count) == 0)
                    return Data(memory.prefix(count))
                }
            }
        }
    }

    private func catalog(_ data: Data, limits: CatalogLimits = CatalogLimits()) throws(CatalogError) -> Catalog {
        try Catalog(parsing: data, origin: Sample.local, limits: limits)
    }

    @Test(arguments: Kind.allCases) func everyFormatIsUnpackedFirst(_ kind: Kind) throws {
        for (format, text) in Sample.all {
            let catalog = try catalog(packed(Data(text.utf8), kind))
            #expect(catalog.format == format && catalog.count == 2)
            #expect(Set(catalog.addresses) == ["http://h/a.jpg", "b.jpg"])
        }
        #expect(try catalog(packed(Data(), kind)).isEmpty)
    }

    @Test(arguments: Kind.allCases) func whatIsDamagedIsSaid(_ kind: Kind) throws {
        let rows = (0..<20_000).map { "http://h/\($0 &* 7919 % 100_003).jpg\n" }.joined()
        let whole = try packed(Data(rows.utf8), kind)
        func error(_ data: Data) -> CatalogError? {
            do throws(CatalogError) { _ = try catalog(data) } catch { return error }
            return nil
        }
        for count in [7, whole.count / 2, whole.count - 1] {
            guard case .notUnpacked(kind.rawValue, let reason)? = error(whole.prefix(count)) else {
                Issue.record("\(kind), \(count) bytes: \(String(describing: error(whole.prefix(count))))")
                continue
            }
            #expect(!reason.isEmpty)
        }
        var broken = whole
        broken[whole.count / 2] ^= 0x55
        #expect(error(broken) != nil, "\(kind)")
    }

    @Test(arguments: Kind.allCases) func aBombIsStoppedAtTheLimit(_ kind: Kind) throws {
        let bomb = try packed(Data(repeating: 0x0A, count: 30_000_000), kind)
        #expect(bomb.count < 100_000)
        let limits = CatalogLimits(maximumBytes: 1_000_000)
        #expect(throws: CatalogError.tooLarge(limit: 1_000_000)) { try catalog(bomb, limits: limits) }
        #expect(throws: CatalogError.notACatalog(reason: "it is compressed more than once")) {
            try catalog(packed(bomb, .gzip))
        }
    }

    @Test(arguments: Kind.allCases) func filesOneBehindTheOtherAreOne(_ kind: Kind) throws {
        let (first, second) = try (packed(Data("1.jpg\n".utf8), kind), packed(Data("2.jpg\n".utf8), kind))
        #expect(try catalog(first + second).addresses == ["1.jpg", "2.jpg"])
        #expect(throws: CatalogError.self) { try catalog(first + Data("2.jpg\n".utf8)) }
        if kind == .gzip { #expect(try catalog(first + Data(count: 512)).addresses == ["1.jpg"]) }
    }

    @Test func hostileBytesAreRefusedOrRead() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        let files = try Kind.allCases.map { try packed(Data((Sample.all[.table] ?? "").utf8), $0) }
        for round in 0..<2_000 {
            var file = files[round % files.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                file[Int.random(in: 2..<file.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            do { _ = try catalog(file) } catch { continue }
        }
    }
}
