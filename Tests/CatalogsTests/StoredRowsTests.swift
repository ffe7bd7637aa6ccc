import Foundation
import Glibc
import Operations
import OperationsTesting
import XCTest

@testable import Catalogs
@testable import Transfers

/// Catalogs whose rows are in a file are the same as those in memory.
final class StoredRowsTests: XCTestCase {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "stored-\(UUID())").path
    private let keys = CatalogKeys(keepsEntries: true)

    override func setUpWithError() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    override func tearDown() { try? FileManager.default.removeItem(atPath: folder) }

    private func stored(_ text: String, in folder: String? = nil, above size: Int = 1) throws -> Catalog {
        var rest = Data(text.utf8)
        let reader = try UnpackingReader { room in
            let piece = rest.prefix(room.count)
            piece.copyBytes(to: room)
            rest = Data(rest.dropFirst(piece.count))
            return piece.count
        }
        return try Catalog.stored(
            reader, origin: .standardInput(currentDirectory: "/"), limits: CatalogLimits(), keys: keys,
            in: folder ?? self.folder, above: size)
    }

    private func told(_ row: Catalog.Row) -> [String?] {
        [row.name, row.address, row.entry, "\(row.isBroken)", "\(row.place)", "\(row.content)", "\(row.index)"]
    }

    private func table(rows: Int) -> String {
        var text = "name,url,note\n"
        for row in 0..<rows {
            text += "Photo \(row),https://example.org/\(row),\"a \"\"note\"\"\nof two lines\"\n"
            if row % 100 == 0 { text += "short,https://example.org/short\nfew\n,ftp://example.org/\(row),\n" }
        }
        return text
    }

    func testNoLimitIsNoOverflow() throws {
        let file = folder + "/list.csv"
        try Data(table(rows: 3).utf8).write(to: URL(filePath: file))
        var limits = CatalogLimits()
        limits.maximumBytes = .max
        for storage in [Catalog.RowStorage.memory, .temporaryFile] {
            let catalog = try Catalog.load(contentsOf: file, limits: limits, keepingRowsIn: storage)
            XCTAssertEqual(catalog.count, try Catalog.load(contentsOf: file).count)
        }
    }

    func testRowsAreThoseOfACatalogInMemory() throws {
        let lines = (0..<6_000).map { "{\"url\": \"https://example.org/\($0)\", \"n\": [\($0)]}\n" }.joined()
        let list = (0..<12_000).map { "https://example.org/\($0)\n" }.joined()
        for text in [table(rows: 5_000), lines, list] {
            let whole = try Catalog(
                parsing: Data(text.utf8), origin: .standardInput(currentDirectory: "/"), keys: keys)
            let stored = try stored(text)
            XCTAssertNotNil(stored.stored, "its rows are in memory")
            XCTAssertEqual(stored.count, whole.count)
            XCTAssertEqual(stored.format, whole.format)
            XCTAssertEqual(stored.hasOtherFields, whole.hasOtherFields)
            XCTAssertEqual(stored.keepsOtherFields, whole.keepsOtherFields)
            XCTAssertEqual(stored.storage.ownColumns, whole.storage.ownColumns)
            for (row, other) in zip(stored, whole) where told(row) != told(other) {
                return XCTFail("row \(row.index): \(told(row)) in place of \(told(other))")
            }
            // From anywhere to anywhere.
            var random = SeededRandom(seed: 7)
            for _ in 0..<1_000 {
                let place = Int.random(in: 0..<whole.count, using: &random)
                XCTAssertEqual(told(stored[place]), told(whole[place]))
            }
        }
    }

    func testTextThatIsNotUTF8IsCounted() throws {
        var bytes = Data("name,url,note\n".utf8)
        for row in 0..<9_000 {
            // A name, an address or a row that is wrong in itself is a flaw of its row.
            let (name, address) = (row == 10 ? [0xFC] : Array("a".utf8), row == 11 ? [0xFC] : Array("\(row).jpg".utf8))
            let note: [UInt8] = row % 100 == 50 ? [0xE9] : Array("a sound note of this row".utf8)
            bytes += name + [0x2C] + address + [0x2C] + note + (row == 150 ? [0x2C, 0x0A] : [0x0A])
        }
        XCTAssertGreaterThan(bytes.count, 1 << 18)
        var rest = bytes
        let reader = try UnpackingReader { room in
            let piece = rest.prefix(room.count)
            piece.copyBytes(to: room)
            rest = Data(rest.dropFirst(piece.count))
            return piece.count
        }
        let origin = Catalog.Origin.standardInput(currentDirectory: "/")
        let stored = try Catalog.stored(
            reader, origin: origin, limits: CatalogLimits(), keys: CatalogKeys(), in: folder, above: 1)
        XCTAssertNotNil(stored.stored)
        for catalog in [try Catalog(parsing: bytes, origin: origin), stored] {
            XCTAssertEqual(catalog.undecodedText?.rows, 89)
            XCTAssertEqual(catalog.undecodedText?.line, 52)
            XCTAssertEqual(catalog.count { $0.isBroken }, 3)
        }
        XCTAssertNil(try self.stored(table(rows: 5_000)).undecodedText)
    }

    func testWhatIsSmallOrHasNoLinesStaysInMemory() throws {
        for text in [
            "", "# nothing\n", "a.jpg\nb.jpg\n", "url\na.jpg\n", "[{\"url\": \"a.jpg\"}]", "{\"a\": \"a.jpg\"}",
        ] {
            let catalog = try stored(text, in: "/nonexistent", above: 1 << 20)
            XCTAssertNil(catalog.stored)
            let whole = try Catalog(parsing: Data(text.utf8), origin: .standardInput(currentDirectory: "/"), keys: keys)
            XCTAssertEqual(catalog.map(told), whole.map(told))
        }
    }

    /// A row stays what it is when the piece that it is of has been given up.
    func testRowsOutliveTheirPiece() throws {
        let catalog = try stored(table(rows: 60_000))
        let rows = stride(from: 0, to: catalog.count, by: 97).map { catalog[$0] }
        for row in rows { XCTAssertEqual(told(row), told(catalog[row.index])) }
    }

    func testManyThreadsReadAtOnce() throws {
        let catalog = try stored(table(rows: 30_000))
        let wrong = Lock(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var random = SeededRandom(seed: UInt64(thread))
            for _ in 0..<1_000 {
                let place = Int.random(in: 0..<catalog.count, using: &random)
                let row = catalog[place]
                if row.index != place || (!row.isBroken && !row.address.contains("example.org")) {
                    wrong.withLock { $0 += 1 }
                }
            }
        }
        XCTAssertEqual(wrong.withLock { $0 }, 0)
    }

    func testAFolderThatTakesNothingIsNamed() throws {
        let folder = "/nonexistent/folder"
        XCTAssertThrowsError(try stored(table(rows: 8_000), in: folder)) { error in
            guard case .notStored(folder, let reason)? = error as? CatalogError else { return XCTFail("\(error)") }
            XCTAssertFalse(reason.isEmpty)
            XCTAssert("\(error)".contains("TMPDIR"))
        }
    }

    func testAFullDiskIsTold() throws {
        let full = try RowFile(adopting: open("/dev/full", O_RDWR | O_CLOEXEC))
        let catalog = try Catalog(parsing: Data("a.jpg\n".utf8), origin: .standardInput(currentDirectory: "/"))
        var piece = PieceBuilder()
        piece.add(0, of: catalog.storage)
        guard case .failure(let failure) = piece.write(to: full, after: nil) else { return XCTFail("it was written") }
        XCTAssertEqual(failure.code, ENOSPC)
    }

    /// The process goes on where the disk fails: rows that cannot be read back say so.
    func testRowsThatCannotBeReadBackAreBroken() throws {
        let file = try RowFile(in: folder)
        let text = (0..<100).map { "https://example.org/\($0)\n" }.joined()
        let storage = try Catalog(parsing: Data(text.utf8), origin: .standardInput(currentDirectory: "/")).storage
        var pieces: [StoredPiece] = []
        for _ in 0..<2 {
            var piece = PieceBuilder()
            for row in 0..<100 { piece.add(row, of: storage) }
            pieces.append(try piece.write(to: file, after: pieces.last).get())
        }
        let catalog = storage.withoutRows(hasOtherFields: false)
        let rows = Catalog(storage: catalog, stored: StoredRows(pieces, in: file, of: catalog))
        // A byte that is another one, and then an end that is missing.
        var byte: UInt8 = 0
        let place = off_t(pieces[0].end + pieces[1].packedCount / 2)
        XCTAssertEqual(pread(file.descriptor, &byte, 1, place), 1)
        byte ^= 1
        XCTAssertEqual(pwrite(file.descriptor, &byte, 1, place), 1)
        for _ in 0..<2 {
            XCTAssertEqual(rows.count, 200)
            XCTAssertEqual(rows[99].address, "https://example.org/99")
            for row in rows[100...] {
                XCTAssert(row.isBroken)
                guard case .failure(let error) = row.content else { return XCTFail("row \(row.index) is sound") }
                XCTAssert("\(error)".contains("cannot be read back"), "\(error)")
                XCTAssertEqual("\(row.name)\(row.address)", "")
            }
            XCTAssertEqual(ftruncate(file.descriptor, off_t(pieces[0].end)), 0)
        }
    }

    /// Names of columns stand in each row, and would make the file many times as large as the catalog.
    func testTheFileIsSmallerThanTheCatalog() throws {
        let columns = (0..<100).map { "a long name of the column \($0)" }.joined(separator: ",")
        var text = "url,\(columns)\n"
        for row in 0..<1_000 {
            text += "https://example.org/\(row).jpg," + (0..<100).map { "\($0 * row)" }.joined(separator: ",") + "\n"
        }
        let stored = try XCTUnwrap(stored(text).stored)
        XCTAssertGreaterThan(stored.byteCount, 10_000)
        XCTAssertLessThan(stored.byteCount, text.utf8.count)
    }

    /// Whoever has a row has what is read back with it, which is little, however much a row's entry has.
    func testAPieceIsSmallOrARowAlone() throws {
        let columns = (0..<200).map { "column\($0)" + String(repeating: "x", count: 40) }.joined(separator: ",")
        let row = "https://example.org/1.jpg" + String(repeating: ",1", count: 200) + "\n"
        let long =
            "https://example.org/1.jpg,\(String(repeating: "x", count: 600_000))\(String(repeating: ",", count: 199))\n"
        var text = "url,\(columns)\n"
        for number in 0..<3_000 { text += number % 100 == 50 ? long : row }
        let catalog = try stored(text)
        XCTAssertEqual(catalog.count, 3_000)
        for row in catalog where row.storage.rows.count > 1 {
            XCTAssertLessThan(row.storage.arena.count, StoredRows.pieceSize, "row \(row.index)")
        }
        for place in stride(from: 50, to: 3_000, by: 100) {
            XCTAssertEqual(catalog[place].storage.rows.count, 1)
            XCTAssert(catalog[place].entry?.contains(long.dropFirst(26).prefix(600_000)) == true)
        }
        // What is kept is found again, what is large is not kept.
        XCTAssertTrue(catalog[3].storage === catalog[3].storage)
        XCTAssertFalse(catalog[50].storage === catalog[50].storage)
    }

    /// Each row names all columns. What is kept of them is bounded for the whole catalog, and not for each piece.
    func testEntriesTakeSoManyTimesTheirTextAtMost() throws {
        let columns = (0..<100).map { "column\($0)" + String(repeating: "x", count: 300) }.joined(separator: ",")
        let row = "https://example.org/1.jpg" + String(repeating: ",", count: 100) + "\n"
        let text = "url,\(columns)\n" + String(repeating: row, count: 20_000)
        let catalog = try stored(text)
        XCTAssertEqual(catalog.count, 20_000)
        let bytes = catalog.reduce(0) { $0 + ($1.entry?.utf8.count ?? 0) }
        XCTAssertLessThan(bytes, 16 * text.utf8.count + 1 << 24 + 1 << 20)
        XCTAssertGreaterThan(bytes, 8 * text.utf8.count)
    }

    /// Tables of many columns of which few say something are what people have.
    func testNoColumnIsLostWhereNamesAreShort() throws {
        let columns = (0..<60).map { "a column of a name \($0)" }.joined(separator: ",")
        let (sparse, full) = (String(repeating: ",", count: 60), (0..<60).map { ",value \($0)" }.joined())
        let text =
            "url,\(columns)\n" + String(repeating: "a.jpg\(sparse)\n", count: 10_000)
            + String(repeating: "a.jpg\(full)\n", count: 1_000) + "\n\n"
        for size in [1, 1 << 22] {
            let catalog = try stored(text, above: size)
            XCTAssertEqual(catalog.count, 11_000)
            XCTAssertNil(catalog.firstIndex { $0.entry == nil })
            XCTAssertEqual(catalog[10_999].entry?.contains("value 59"), true)
            XCTAssertEqual(catalog[10_999].place.line, 11_001)
        }
    }
}
