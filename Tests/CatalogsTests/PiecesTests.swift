import Foundation
import TestServers
import XCTest

@testable import Catalogs

/// Catalogs that are read piece by piece are the same as those that are read at once.
final class PiecesTests: XCTestCase {
    private let path = FileManager.default.temporaryDirectory.appending(path: "pieces-\(UUID())").path

    override func tearDown() {
        try? FileManager.default.removeItem(atPath: path)
    }

    private func check(_ text: String, in compression: Packing? = nil, line: UInt = #line) throws {
        let data = Data(text.utf8)
        try (compression?.packed(data) ?? data).write(to: URL(filePath: path))
        let keys = CatalogKeys(keepsEntries: true)
        func told(_ row: Catalog.Row) -> [String?] {
            [row.name, row.address, row.entry, "\(row.isBroken)", "\(row.place)", "\(row.content)"]
        }
        let whole = try Catalog.load(contentsOf: path, keys: keys).map(told)
        for size in [1, 1 << 20] {
            var (rows, pieces) = ([[String?]](), 0)
            try Catalog.readPieces(of: path, keys: keys, pieceSize: size) { piece in
                rows += piece.map(told)
                pieces += 1
            }
            XCTAssertEqual(rows, whole, "pieces of \(size)", line: line)
            // A file is read in blocks of 256 kB.
            if size == 1, whole.count > 1, text.utf8.count > 3 << 18, !text.hasPrefix("[") {
                XCTAssertGreaterThan(pieces, 1, line: line)
            }
        }
    }

    func testTablesListsAndLines() throws {
        var (table, list, lines) = ("\u{FEFF}name,url,note\r\n", "# list\n\n", "")
        // Few rows with much in them take less time.
        let filler = String(repeating: "x", count: 800)
        for row in 0..<1_000 {
            table += "\"a \"\"\(row)\"\"\r\nb, c\",https://example.org/\(row),5\" nail \(filler)\r\n"
            if row % 100 == 0 { table += "short,https://example.org/short\n\nfew\n" }
            list += "https://example.org/\(row)\n#\(filler)\n" + (row % 50 == 0 ? "prose without end\n# note\n" : "")
            lines += "{\"url\": \"https://example.org/\(row)\", \"n\": {\"a\": [\(row), \"}\\n{\", \"\(filler)\"]}}\n"
            if row % 70 == 0 { lines += "\n  {\"url\": [\n" }
        }
        let long = "{\"name\": \"n\", \"url\": \"a\", \"x\": \"\(String(repeating: "x", count: 1_100_000))\"}\n"
        for text in [
            table, list, lines, "sep=,\n" + table.dropFirst(), long, "{\"url\": \"a.jpg\"}\n{\"url\": \"b.jpg\"}", "",
            "url\n", "url\na.jpg",
        ] {
            try check(text)
        }
        try check(table, in: .gzip)
        try check(lines + lines, in: .zstd)
        try check("[{\"url\": \"a.jpg\"}, {\"url\": \"b.jpg\"}]")
    }

    func testQuotationMarksBetweenTabs() throws {
        let captions = [
            "\"Best day ever", "TV 55\"", "\"two\nlines\"", "\"a\ttab\"", "\"Peace\" sign", "\"", "\"\"\"a\"\"\"",
            String(repeating: "x", count: 3_000),
        ]
        var (table, turned) = ("url\tname\n", "name\turl\n")
        for row in 0..<2_000 {
            let caption = captions[row * 7 % captions.count]
            table += "https://example.org/\(row)\t\(caption)\n"
            turned += "\(caption)\thttps://example.org/\(row)\n"
            if row % 9 == 0 {
                table += "\"https://example.org/quoted-\(row)\"\t\"a\tb\n\(row)\"\n"
                turned += "\"a\tb\n\(row)\"\t\"https://example.org/quoted-\(row)\"\n"
            }
        }
        for text in [table, turned] {
            try check(text)
            try check(text + "\"")
        }
        // Nothing closes it, and it is not looked for to the end of the text.
        let filler = String(repeating: "x", count: 1_000)
        let rows = (0..<2_500).map { "https://example.org/\($0)/\(filler)\n" }.joined()
        try check("url\tname\nhttps://example.org/a\t\"\n" + rows)
        try check("name\turl\n\"\thttps://example.org/a\n" + rows)
    }

    func testAFileOfZstdMayBeginWithAFrameThatIsSkipped() throws {
        let skipped = Data([0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 9, 9, 9, 9])
        try (skipped + Packing.zstd.packed(Data("http://h/1.jpg\n".utf8))).write(to: URL(filePath: path))
        var addresses: [String] = []
        try Catalog.readPieces(of: path) { addresses += $0.map(\.address) }
        XCTAssertEqual(addresses, ["http://h/1.jpg"])
    }

    func testWhatIsCutOffIsRefused() throws {
        var text = "url\n"
        for row in 0..<20_000 { text += "https://example.org/\(row * 7_919)\n" }
        for compression in Packing.files {
            try check(text, in: compression)
            let bytes = try Data(contentsOf: URL(filePath: path))
            try bytes.dropLast(100).write(to: URL(filePath: path))
            XCTAssertThrowsError(try Catalog.readPieces(of: path) { _ in }) { error in
                XCTAssert("\(error)".contains("unpacked"), "\(error)")
            }
        }
        try Data("url\n\"https://example.org/1\nhttps://example.org/2\n".utf8).write(to: URL(filePath: path))
        XCTAssertThrowsError(try Catalog.readPieces(of: path) { _ in })
    }

    func testDamageBehindTheFirstPieceHasItsPlace() throws {
        let rows = (0..<20_000).map { "a,https://example.org/\($0)\n" }.joined()
        try Data("name,url\n\(rows)b,\"https://example.org/1\na,2.jpg\n".utf8).write(to: URL(filePath: path))
        var pieces = 0
        XCTAssertThrowsError(try Catalog.readPieces(of: path, pieceSize: 1) { _ in pieces += 1 }) { error in
            guard case .damaged(.table, let place, _)? = error as? CatalogError else { return XCTFail("\(error)") }
            XCTAssertEqual(place, CatalogPlace(line: 20_002, column: 3))
        }
        XCTAssertGreaterThan(pieces, 1)
    }

    /// What a format is told by may stand far from the beginning.
    func testFormatsAreToldBehindMuchThatSaysNothing() throws {
        let (blank, comment) = (
            String(repeating: "\n", count: 300_000), String(repeating: "# nothing\n", count: 30_000)
        )
        let rows = (0..<40).map { "https://example.org/\($0).jpg\n" }.joined()
        let objects = (0..<40).map { "{\"url\": \"https://example.org/\($0).jpg\"}\n" }.joined()
        for text in [
            comment + "name,url\na,1.jpg\n", comment + objects, blank + "[\"1.jpg\", \"2.jpg\"]", comment + rows,
            "sep=;\n" + blank + "url;name\n1.jpg;a\n",
        ] {
            try check(text)
        }
    }

    /// Any text is a list of relative paths, of which one has to look like a path: perhaps the last.
    func testAListIsToldByAnyOfItsLines() throws {
        let prose = String(repeating: String(repeating: "hello", count: 60) + "\n", count: 2_000)
        try check(prose + "https://example.org/1.jpg\n")
        try check("https://example.org/1.jpg\n" + prose)
        for text in [prose, String(repeating: "# nothing\n", count: 50_000) + "hello\n"] {
            try Data(text.utf8).write(to: URL(filePath: path))
            XCTAssertThrowsError(try Catalog.load(contentsOf: path))
            XCTAssertThrowsError(try Catalog.readPieces(of: path, pieceSize: 1) { _ in }) { error in
                XCTAssert("\(error)".contains("looks like an address"), "\(error)")
            }
        }
    }

    func testWhatIsCompressedTwiceIsRefused() throws {
        let list = Data((0..<100).map { "https://example.org/\($0).jpg\n" }.joined().utf8)
        for outer in Packing.files {
            for inner in Packing.files {
                try outer.packed(inner.packed(list)).write(to: URL(filePath: path))
                XCTAssertThrowsError(try Catalog.readPieces(of: path) { _ in }) { error in
                    XCTAssert("\(error)".contains("more than once"), "\(error)")
                }
            }
        }
    }

    func testWhatFollowsTheEndOfACompressedCatalogIsTold() throws {
        let list = Data((0..<100).map { "https://example.org/\($0).jpg\n" }.joined().utf8)
        try (Packing.gzip.packed(list) + Data("garbage".utf8)).write(to: URL(filePath: path))
        XCTAssertThrowsError(try Catalog.readPieces(of: path) { _ in }) { error in
            XCTAssert("\(error)".contains("something else follows"), "\(error)")
        }
    }

    /// Entries have the names of all columns: a piece ends where it has much, however little text that is.
    func testPiecesOfManyColumnsAreSmall() throws {
        let columns = (0..<100).map { "a column of a name \($0)" }.joined(separator: ",")
        let row = "a.jpg" + String(repeating: ",", count: 100) + "\n"
        try Data(("url,\(columns)\n" + String(repeating: row, count: 15_000)).utf8).write(to: URL(filePath: path))
        var (rows, pieces) = (0, 0)
        try Catalog.readPieces(of: path, keys: CatalogKeys(keepsEntries: true)) { piece in
            XCTAssertLessThan(piece.storage.arena.count, 17 << 20)
            XCTAssertNil(piece.first { $0.entry == nil })
            rows += piece.count
            pieces += 1
        }
        XCTAssertEqual(rows, 15_000)
        XCTAssertGreaterThan(pieces, 2)
    }
}
