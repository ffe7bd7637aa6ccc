import Foundation
import Testing

@testable import Catalogs

/// Quotation marks in tables that are parted by tabs: some are written by a rule, and others are a part of a caption.
struct TabQuotationTests {
    private func captions(_ text: String) throws -> [String] {
        let catalog = try Catalog(
            parsing: Data(text.utf8), origin: Sample.local, keys: CatalogKeys(name: "caption", keepsEntries: true))
        let broken = catalog.indices.filter { catalog[$0].isBroken }
        #expect(broken.isEmpty, "\(broken.map { catalog.outcome($0) })")
        return catalog.names
    }

    @Test func aMarkThatNothingClosesIsAPartOfItsCaption() throws {
        let rows = ["\"Best day ever", "plain", "TV 55\"", "x", "\"Peace\" sign", "\"", "\"\"a\"\" b", "\"Last"]
        for lineEnd in ["\n", "\r\n", "\r"] {
            let text = rows.enumerated().map { "http://h/\($0).jpg\t\($1)\(lineEnd)" }.joined()
            #expect(try captions("url\tcaption\(lineEnd)\(text)") == rows)
            let turned = rows.enumerated().map { "\($1)\thttp://h/\($0).jpg\(lineEnd)" }.joined()
            #expect(try captions("caption\turl\(lineEnd)\(turned)") == rows)
        }
        #expect(try captions("url\tcaption\nhttp://h/1.jpg\t\"Best day ever") == ["\"Best day ever"])
        let entry = try Catalog(
            parsing: Data("url\tcaption\nhttp://h/1.jpg\t\"a\"\"b\n".utf8), origin: Sample.local,
            keys: CatalogKeys(keepsEntries: true))[0].entry
        #expect(entry == ##"{"url":"http://h/1.jpg","caption":"\"a\"\"b"}"##)
    }

    /// What spreadsheets and programs write.
    @Test func quotedFieldsAreRead() throws {
        #expect(
            try captions(
                """
                url\tcaption
                http://h/1.jpg\t"two
                lines, ""one"" after the other"
                http://h/2.jpg\t"a\ttab"
                "http://h/3.jpg"\t""
                "http://h/4.jpg"\t"a\ttab
                and a line end"
                http://h/5.jpg\t"all"
                """) == ["two\nlines, \"one\" after the other", "a\ttab", "3.jpg", "a\ttab\nand a line end", "all"])
        #expect(
            try captions("caption\turl\tx\n\"a\tb\r\nc\"\t\"http://h/1.jpg\"\t\"\"\nd\thttp://h/2.jpg\t\n")
                == ["a\tb\r\nc", "d"])
    }

    /// The row may have been whole, with a mark at the beginning of one field and at the end of another.
    @Test func aShortRowWithATabInMarksIsBroken() throws {
        let catalog = try Sample.catalog("url\tcaption\talt\nhttp://h/1.jpg\t\"Best\tTV 55\"\nhttp://h/2.jpg\t\"a\"\n")
        #expect(catalog.outcome(0) == "line 2, column 1: the row has 2 fields, the header 3")
        #expect(catalog.outcome(1) == "http://h/2.jpg")
    }

    /// The marks of none close those of another one, however far each is looked behind.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "http://h/1.jpg\t\"a\n", "\"a\thttp://h/1.jpg\n", "http://h/1.jpg\t\"\"\"a\n", "\"\"\"a\thttp://h/1.jpg\n",
            "\"\"a\thttp://h/1.jpg\n", "\"a\n", "\"http://h/1.jpg\"\t\"\"\"a\n",
        ])
    func manyOpenMarksTakeNoTimeOfTheirOwn(_ row: String) throws {
        let header = row.hasPrefix("http") || row.hasPrefix("\"http") ? "url\tcaption\n" : "caption\turl\n"
        let catalog = try Sample.catalog(header + String(repeating: row, count: 200_000))
        #expect(catalog.count == 200_000)
    }

    @Test func aQuotationEndsWithinAMegabyteOfItsFirstLineEnd() throws {
        for (length, names) in [(1 << 20, 1), (1 << 20 + 1, 2)] {
            let text = "\n" + String(repeating: "a", count: length - 1)
            let catalog = try Sample.catalog("url\tname\nhttp://h/1.jpg\t\"\(text)\"\n")
            #expect(catalog.count == names)
        }
        let long = "\n" + String(repeating: "a", count: 1 << 19)
        #expect(throws: CatalogTextError.self) {
            try CatalogText(.tsv).row(name: long, address: "http://h/1.jpg", isFirst: true)
        }
        _ = try CatalogText(.csv).row(name: long, address: "http://h/1.jpg", isFirst: true)
        _ = try CatalogText(.tsv).row(name: String(long.dropFirst()), address: "http://h/1.jpg", isFirst: true)
    }

    /// What a field with a tab and a line end makes of its row.
    @Test func aRowIsWrittenSoThatItIsReadAgain() throws {
        let writer = CatalogText(.tsv)
        #expect(try writer.row(name: "a\tb", address: "c", isFirst: true) == "\"a\tb\"\tc\n")
        #expect(try writer.row(name: "a\t\nb", address: "c", isFirst: true) == "\"a\t\nb\"\t\"c\"\n")
        #expect(try CatalogText(.csv).row(name: "a\t\nb", address: "c", isFirst: true) == "\"a\t\nb\",c\n")
    }
}
