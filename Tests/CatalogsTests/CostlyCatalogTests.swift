import Foundation
import Testing

@testable import Catalogs

/// Small catalogs that would take minutes, or all memory.
struct CostlyCatalogTests {
    @Test(.timeLimit(.minutes(1))) func aNameOfVeryManyAccents() throws {
        let marks = String(repeating: "\u{301}", count: 300_000) + String(repeating: "\u{316}", count: 300_000)
        let catalog = try Sample.catalog("{\"a\(marks)\": \"a.jpg\", \"b\": \"b.jpg\"}")
        #expect(catalog.addresses == ["a.jpg", "b.jpg"])
    }

    @Test func namesThatDifferLateKeepTheirOrder() throws {
        let long = String(repeating: "é", count: 2_000)
        let catalog = try Sample.catalog("{\"\(long)b\": \"1.jpg\", \"\(long)a\": \"2.jpg\", \"a\": \"3.jpg\"}")
        #expect(catalog.addresses == ["3.jpg", "1.jpg", "2.jpg"])
    }

    @Test(.timeLimit(.minutes(1))) func aTableOfVeryManyColumnsOfOneName() throws {
        let text = "url" + String(repeating: ",a", count: 100_000) + "\n"
        let catalog = try Catalog(
            parsing: Data(text.utf8), origin: Sample.local, keys: CatalogKeys(keepsEntries: true))
        #expect(catalog.isEmpty)
    }

    @Test func entriesTakeSoManyTimesTheirTextAtMost() throws {
        let text = "url,\(String(repeating: "n", count: 100_000))\n" + String(repeating: "a.jpg,\n", count: 5_000)
        let catalog = try Catalog(
            parsing: Data(text.utf8), origin: Sample.local, keys: CatalogKeys(keepsEntries: true))
        #expect(catalog.count == 5_000 && catalog.allSatisfy { $0.address == "a.jpg" })
        let kept = catalog.compactMap(\.entry)
        #expect(kept.count > 100 && kept.count < 500, "\(kept.count)")
    }

    /// Each of the short rows names all columns, also where rows are read piece by piece.
    @Test func shortRowsOfAWideTableTakeSoManyTimesTheirTextAtMost() throws {
        let columns = (0..<2_000).map { "a column of a name \($0)" }.joined(separator: ",")
        let text = Data(("url,\(columns)\n" + String(repeating: "a\n", count: 5_000)).utf8)
        let path = FileManager.default.temporaryDirectory.appending(path: "short-\(UUID())")
        try text.write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        var (rows, kept) = (0, 0)
        try Catalog.readPieces(of: path.path, keys: CatalogKeys(keepsEntries: true)) { piece in
            rows += piece.count
            kept += piece.count { $0.entry != nil }
        }
        #expect(rows == 5_000)
        #expect(kept > 100 && kept < 1_000, "\(kept)")
    }

    /// All keys and values are one text each, of which there are 20,000 references.
    @Test func aBinaryPropertyListThatSharesALongText() throws {
        let pairs = 20_000
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
        }
        let key = [0x5F, 0x11] + number(20_000, 2) + [UInt8](repeating: 0x61, count: 20_000)
        let value = [0x51, 0x62] as [UInt8]
        let dictionary =
            [0xDF, 0x11] + number(pairs, 2) + [UInt8](repeating: 1, count: pairs) + [UInt8](repeating: 2, count: pairs)
        let start = Array("bplist00".utf8)
        let offsets = [start.count, start.count + dictionary.count, start.count + dictionary.count + key.count]
        let table = offsets.last.map { $0 + value.count } ?? 0
        let trailer = [0, 0, 0, 0, 0, 0, 4, 1] + number(3, 8) + number(0, 8) + number(table, 8)
        let file = start + dictionary + key + value + offsets.flatMap { number($0, 4) } + trailer
        #expect(throws: CatalogError.self) { try Catalog(parsing: Data(file), origin: Sample.local) }
    }
}
