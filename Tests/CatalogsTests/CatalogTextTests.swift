import Catalogs
import FoundationEssentials
import OperationsTesting
import Testing

/// What is written is read again as it was.
struct CatalogTextTests {
    private static let hard = [
        "plain", "Hồ Gươm", "경복궁 👩🏽‍🚀", "a \"b\" c", "a,b", "a\tb", "a\nb", "a\r\nb", "<&>]]>", "\\u0041", "{}", "",
        "=1+1", "'", "a\"\u{301}b", " a ", "\u{FEFF}", "#",
    ]

    @Test("Names and addresses survive", arguments: [CatalogText.Format.json, .jsonl, .csv, .tsv, .plist])
    func roundTrip(format: CatalogText.Format) throws {
        let hard = Self.hard.filter { !$0.isEmpty || [.json, .jsonl, .plist].contains(format) }
        let rows = hard.enumerated().map { (name: $1, address: "http://h/\($0)") }
        let read = try Catalog(parsing: try text(rows, format), origin: .file(path: "/c/catalog"))
        #expect(read.count == rows.count)
        for (row, expected) in zip(read, rows) {
            #expect(row.name == expected.name)
            #expect(row.address == expected.address)
        }
    }

    @Test(
        "Random text survives", arguments: [CatalogText.Format.json, .jsonl, .csv, .tsv, .plist], [1, 2, 3] as [UInt64])
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
        let read = try Catalog(parsing: try text(rows, format), origin: .file(path: "/c/catalog"))
        #expect(read.map(\.name) == rows.map(\.name))
    }

    /// Whatever the rows are, they are read again as they were, or refused.
    @Test(arguments: CatalogText.Format.allCases, [1, 2, 3] as [UInt64])
    func whatIsWrittenIsReadAgainOrRefused(format: CatalogText.Format, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "", "a", "1.jpg", "/", "//", "/*", "*/", ":", ".", "#", "[", "]", "{", "}", "(", ")", "<", ">", "&", ";",
            ",",
            "\t", " ", "\n", "\r", "\r\n", "\"", "'", "\\", "=", "\0", "\u{1}", "\u{1F}", "\u{7F}", "\u{85}",
            "\u{2028}",
            "\u{FEFF}", "\u{FFFE}", "\u{FFFF}", "\u{1FFFE}", "\u{301}", "한", "\u{1F600}", "url", "name", "name,url",
            "%", "%41",
            "http://h/", "<?xml", "%PDF", "GIF8", "bplist00", "]]>", "&amp;", "\\u0041", "xxxxftyp",
        ]
        func text() -> String {
            (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        let writer = CatalogText(format)
        var accepted = 0
        for round in 0..<3_000 {
            let rows = (0..<Int.random(in: 1...3, using: &random)).map { _ in (name: text(), address: text()) }
            var whole = writer.beginning
            do throws(CatalogTextError) {
                for (index, row) in rows.enumerated() {
                    whole += try writer.row(name: row.name, address: row.address, isFirst: index == 0)
                }
            } catch {
                continue
            }
            guard rows.contains(where: { writer.isKnown(by: $0.address) }) else { continue }
            accepted += 1
            let message: Comment = "seed \(seed), round \(round): \(rows)"
            let read = try? Catalog(parsing: Data((whole + writer.end).utf8), origin: .file(path: "/c/catalog"))
            guard let read else {
                Issue.record(message)
                continue
            }
            // By scalars: Swift calls texts equal that are other bytes.
            let addresses = read.map { Array($0.address.unicodeScalars) }
            #expect(addresses == rows.map { Array($0.address.unicodeScalars) }, message)
            if format != .txt {
                #expect(
                    read.map { Array($0.name.unicodeScalars) } == rows.map { Array($0.name.unicodeScalars) }, message)
            }
        }
        #expect(
            [.json, .jsonl].contains(format) ? accepted == 3_000 : accepted > 200,
            "seed \(seed): \(accepted) were accepted")
    }

    @Test(arguments: [
        (CatalogText.Format.txt, "#1.jpg", "a list takes a line that begins with “#” for a comment"),
        (.txt, "[1].jpg", "as the first line of a list it would be read as the beginning of another format"),
        // A table's field that goes on in the next line.
        (.txt, "\"Sea, \"\"b,url", "as the first line of a list it would be read as the beginning of another format"),
        (.txt, "url,\"b", "as the first line of a list it would be read as the beginning of another format"),
        (.txt, " a.jpg", "a list takes white space around an address away"),
        (.txt, "", "a list has no empty addresses"),
        (.txt, "a\nb", "a list takes a line end for the end of the address"),
        (.csv, "a\0.jpg", "a table has no way to write U+0000"),
        (.tsv, "a\0.jpg", "a table has no way to write U+0000"),
        (.plist, "a\u{1B}.jpg", "XML has no way to write U+001B"),
        (.plist, "a\u{FFFF}.jpg", "XML has no way to write U+FFFF"),
    ])
    func whatAFormatCannotSayIsRefused(_ format: CatalogText.Format, _ address: String, _ reason: String) {
        let error = #expect(throws: CatalogTextError.self) {
            try CatalogText(format).row(name: "a", address: address, isFirst: true)
        }
        #expect(error == CatalogTextError(format: format, name: "a", reason: reason))
    }

    @Test("A list keeps the addresses, and an empty catalog is read as one")
    func others() throws {
        let list = try Catalog(
            parsing: try text([(name: "a", address: "http://h/1.jpg")], .txt), origin: .file(path: "/c/catalog"))
        #expect(list.map(\.address) == ["http://h/1.jpg"])
        for format in CatalogText.Format.allCases {
            let empty = try Catalog(parsing: try text([], format), origin: .file(path: "/c/catalog"))
            #expect(empty.isEmpty, "\(format)")
        }
    }

    private func text(_ rows: [(name: String, address: String)], _ format: CatalogText.Format) throws -> Data {
        let text = CatalogText(format)
        var whole = text.beginning
        for (index, row) in rows.enumerated() {
            whole += try text.row(name: row.name, address: row.address, isFirst: index == 0)
        }
        return Data((whole + text.end).utf8)
    }
}
