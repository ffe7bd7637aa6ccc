import Catalogs
import FoundationEssentials
import OperationsTesting
import Testing

/// What is written is read again as it was.
struct CatalogTextTests {
    private static let hard = [
        "plain", "Hồ Gươm", "경복궁 👩🏽‍🚀", "a \"b\" c", "a,b", "a\tb", "a\nb", "a\r\nb", "<&>]]>", "\\u0041", "{}", "",
        "=1+1", "'",
    ]

    @Test("Names and addresses survive", arguments: [CatalogText.Format.json, .csv, .tsv, .plist])
    func roundTrip(format: CatalogText.Format) throws {
        let rows = Self.hard.enumerated().map { (name: $1, address: "http://h/\($0)") }
        let read = try Catalog(parsing: text(rows, format), origin: .file(path: "/c/catalog"))
        #expect(read.count == rows.count)
        for (row, expected) in zip(read, rows) where !expected.name.isEmpty {
            #expect(row.name == expected.name)
            #expect(row.address == expected.address)
        }
    }

    @Test("Random text survives", arguments: [CatalogText.Format.json, .csv, .tsv, .plist], [1, 2, 3] as [UInt64])
    func random(format: CatalogText.Format, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let letters = Array("ab\"',;\t\n\\<>&{}[]=+-ế한\u{1F600}".unicodeScalars)
        let rows = (0..<300).map { index in
            var name = String.UnicodeScalarView("n".unicodeScalars)
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                name.append(letters.randomElement(using: &random) ?? "x")
            }
            name.append("n")
            return (name: String(name), address: "http://h/\(index)")
        }
        let read = try Catalog(parsing: text(rows, format), origin: .file(path: "/c/catalog"))
        #expect(read.map(\.name) == rows.map(\.name))
    }

    @Test("A list keeps the addresses, and an empty catalog is read as one")
    func others() throws {
        let list = try Catalog(
            parsing: text([(name: "a", address: "http://h/1.jpg")], .txt), origin: .file(path: "/c/catalog"))
        #expect(list.map(\.address) == ["http://h/1.jpg"])
        for format in CatalogText.Format.allCases {
            let empty = try Catalog(parsing: text([], format), origin: .file(path: "/c/catalog"))
            #expect(empty.isEmpty, "\(format)")
        }
    }

    private func text(_ rows: [(name: String, address: String)], _ format: CatalogText.Format) -> Data {
        let text = CatalogText(format)
        var whole = text.beginning
        for (index, row) in rows.enumerated() {
            whole += text.row(name: row.name, address: row.address, isFirst: index == 0)
        }
        return Data((whole + text.end).utf8)
    }
}
