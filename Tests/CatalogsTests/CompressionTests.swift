import CZLib
import CZstd
import Catalogs
import FoundationEssentials
import OperationsTesting
import TestServers
import Testing

struct CompressionTests {
    private func catalog(_ data: Data, limits: CatalogLimits = CatalogLimits()) throws(CatalogError) -> Catalog {
        try Catalog(parsing: data, origin: Sample.local, limits: limits)
    }

    @Test(arguments: Packing.files) func everyFormatIsUnpackedFirst(_ kind: Packing) throws {
        for (format, text) in Sample.all {
            let catalog = try catalog(kind.packed(Data(text.utf8)))
            #expect(catalog.format == format && catalog.count == 2)
            #expect(Set(catalog.addresses) == ["http://h/a.jpg", "b.jpg"])
        }
        #expect(try catalog(kind.packed(Data())).isEmpty)
    }

    @Test(arguments: Packing.files) func whatIsDamagedIsSaid(_ kind: Packing) throws {
        let rows = (0..<20_000).map { "http://h/\($0 &* 7919 % 100_003).jpg\n" }.joined()
        let whole = try kind.packed(Data(rows.utf8))
        func error(_ data: Data) -> CatalogError? {
            do throws(CatalogError) { _ = try catalog(data) } catch { return error }
            return nil
        }
        for count in [7, whole.count / 2, whole.count - 1] {
            guard case .notUnpacked(kind.rawValue, let reason)? = error(whole.prefix(count)) else {
                Issue.record("\(kind), \(count) bytes: \(String(describing: error(whole.prefix(count))))")
                continue
            }
            #expect(!"\(reason)".isEmpty)
        }
        var broken = whole
        broken[whole.count / 2] ^= 0x55
        #expect(error(broken) != nil, "\(kind)")
    }

    @Test(arguments: Packing.files) func aBombIsStoppedAtTheLimit(_ kind: Packing) throws {
        let bomb = try kind.packed(Data(repeating: 0x0A, count: 30_000_000))
        #expect(bomb.count < 100_000)
        let limits = CatalogLimits(maximumBytes: 1_000_000)
        #expect(throws: CatalogError.tooLarge(limit: 1_000_000)) { try catalog(bomb, limits: limits) }
        #expect(throws: CatalogError.notACatalog(reason: "it is compressed more than once")) {
            try catalog(Packing.gzip.packed(bomb))
        }
    }

    @Test(arguments: Packing.files) func filesOneBehindTheOtherAreOne(_ kind: Packing) throws {
        let (first, second) = try (kind.packed(Data("1.jpg\n".utf8)), kind.packed(Data("2.jpg\n".utf8)))
        #expect(try catalog(first + second).addresses == ["1.jpg", "2.jpg"])
        #expect(throws: CatalogError.self) { try catalog(first + Data("2.jpg\n".utf8)) }
        if kind == .gzip { #expect(try catalog(first + Data(count: 512)).addresses == ["1.jpg"]) }
    }

    /// As `pzstd` makes them: a frame to be skipped stands before each frame.
    @Test(arguments: [0x50, 0x5F] as [UInt8]) func aFileOfZstdMayBeginWithAFrameThatIsSkipped(_ byte: UInt8) throws {
        let skipped = Data([byte, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 9, 9, 9, 9])
        let frames = try [1, 2].map { try skipped + Packing.zstd.packed(Data("http://h/\($0).jpg\n".utf8)) }
        #expect(try catalog(frames[0] + frames[1]).addresses == ["http://h/1.jpg", "http://h/2.jpg"])
        #expect(throws: CatalogError.notACatalog(reason: "it is compressed more than once")) {
            try catalog(Packing.gzip.packed(frames[0]))
        }
        #expect(throws: CatalogError.notUnpacked(compression: "zstd", reason: "the data ends too early")) {
            try catalog(skipped.dropLast())
        }
        // Letters that such a frame may begin with.
        #expect(try catalog(Data("PQ*.jpg\n".utf8)).addresses == ["PQ*.jpg"])
    }

    /// As `zstd --long` makes them, which `zstd` unpacks without being asked to.
    @Test func aFileMayHaveALongWindow() throws {
        #expect(try catalog(Packing.zstdFrame("a.jpg", windowLog: 27)).addresses == ["a.jpg"])
        #expect(throws: CatalogError.self) { try catalog(Packing.zstdFrame("a.jpg", windowLog: 28)) }
    }

    @Test func hostileBytesAreRefusedOrRead() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        let files = try Packing.files.map { try $0.packed(Data((Sample.all[.table] ?? "").utf8)) }
        for round in 0..<2_000 {
            var file = files[round % files.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                file[Int.random(in: 2..<file.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            do { _ = try catalog(file) } catch { continue }
        }
    }
}
