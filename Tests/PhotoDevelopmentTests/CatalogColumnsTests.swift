import Catalogs
import Foundation
import OperationsTesting
import PhotoPipeline
import XCTest

@testable import PhotoDevelopment

/// Catalogs that are written in another format, with all their columns.
final class CatalogColumnsTests: XCTestCase {
    private func read(_ text: String, _ keys: CatalogKeys = CatalogKeys(keepsEntries: true)) throws -> Catalog {
        try Catalog(parsing: Data(text.utf8), origin: .file(path: "/photos/catalog"), keys: keys)
    }

    private func convert(
        _ catalog: Catalog, to format: CatalogText.Format
    ) throws -> (text: String, outcome: CatalogFile.Outcome) {
        var bytes = Data()
        let outcome = try CatalogFile.write(catalog, format: format) {
            bytes.append($0)
            return true
        }
        return (String(decoding: bytes, as: UTF8.self), try XCTUnwrap(outcome))
    }

    private func convert(
        _ text: String, to format: CatalogText.Format, url: String = "url", name: String = "name"
    ) throws -> String {
        try convert(read(text, CatalogKeys(address: url, name: name, keepsEntries: true)), to: format).text
    }

    /// Names, addresses and the other columns as texts, in order.
    private func rows(_ catalog: Catalog) -> [[String]] {
        catalog.map { row in
            let fields = EntryFields.fields(of: row.entry ?? "").filter { !["name", "url"].contains($0.name) }
            return [row.name, row.address] + fields.flatMap { [$0.name, $0.text ?? "null"] }
        }
    }

    // MARK: Formats

    func testATableBecomesJSONAndATableAgain() throws {
        let table = """
            url,caption,name,"size, in ""cm""\",,leer
            http://h/a,"Hồ Gươm, ""xanh""
            zwei Zeilen",A,12,x,
            http://h/b,=1+1,"B\tb",,'é👩🏽‍🚀,

            """
        let json = try convert(table, to: .json)
        let (first, second) = (
            #"{"name": "A", "url": "http://h/a", "caption": "Hồ Gươm, \"xanh\"\u000azwei Zeilen", "#
                + #""size, in \"cm\"": "12", "": "x", "leer": ""}"#,
            #"{"name": "B\tb", "url": "http://h/b", "caption": "=1+1", "size, in \"cm\"": "", "": "'é👩🏽‍🚀", "leer": ""}"#
        )
        XCTAssertEqual(json, "[\n  \(first),\n  \(second)\n]\n")
        let again = try convert(json, to: .csv)
        XCTAssertEqual(
            again,
            """
            name,url,caption,"size, in ""cm""\",,leer
            A,http://h/a,"Hồ Gươm, ""xanh""
            zwei Zeilen",12,x,
            B\tb,http://h/b,=1+1,,'é👩🏽‍🚀,

            """)
        XCTAssertEqual(try convert(again, to: .json), json)
        XCTAssertEqual(try convert(convert(again, to: .tsv), to: .csv), again)
    }

    /// Nothing else tells it from two captions with one quotation mark each.
    func testATabAndALineEndInOneFieldPutTheRowIntoQuotationMarks() throws {
        let lines = """
            {"name": "A", "url": "http://h/a", "x\\ty": "1\\t2\\n3", "none": null, "n": 4}
            {"name": "B", "url": "http://h/b", "x\\ty": "\\"5", "none": "6\\t7", "n": "8\\n9"}

            """
        let table = try convert(lines, to: .tsv)
        XCTAssertEqual(
            table,
            """
            name\turl\t"x\ty"\tnone\tn
            "A"\t"http://h/a"\t"1\t2
            3"\t""\t"4"
            B\thttp://h/b\t"\""5"\t"6\t7"\t"8
            9"

            """)
        XCTAssertEqual(try convert(table, to: .tsv), table)
        let names = #"[{"name": "A", "url": "http://h/a", "x\ty\nz": 1, "": 2}]"#
        let header = try convert(names, to: .tsv)
        XCTAssertEqual(header, "\"name\"\t\"url\"\t\"x\ty\nz\"\t\"\"\nA\thttp://h/a\t1\t2\n")
        XCTAssertEqual(try rows(read(header)), [["A", "http://h/a", "x\ty\nz", "1", "", "2"]])
    }

    func testAShortRowBecomesAWholeOne() throws {
        XCTAssertEqual(
            try convert("url,name,a,b\nhttp://h/a\nhttp://h/b,B,1\n", to: .csv),
            "name,url,a,b\na,http://h/a,,\nB,http://h/b,1,\n")
    }

    func testJSONStaysAsItIsInJSON() throws {
        let lines = """
            {"url": "http://h/a", "id": 12345678901234567890123.10, "tags": ["x", {"y" : 1e400}], "n": null, "k": true}
            "http://h/b"
            {"k":false,"name":"c","url":"http://h/c","id":-0, "é\\u0041": "\\ud83d\\ude00", "k":1}

            """
        let json = try convert("[\(lines.split(separator: "\n").joined(separator: ",\n"))]", to: .json)
        let expected = [
            #"{"name": "a", "url": "http://h/a", "id": 12345678901234567890123.10, "tags": ["x", {"y" : 1e400}], "#
                + #""n": null, "k": true}"#, #"{"name": "b", "url": "http://h/b"}"#,
            #"{"name": "c", "url": "http://h/c", "k": false, "id": -0, "é\u0041": "\ud83d\ude00", "k": 1}"#,
        ]
        XCTAssertEqual(json, "[\n  \(expected.joined(separator: ",\n  "))\n]\n")
        XCTAssertEqual(try convert(json, to: .json), json)
        let objects = expected.joined(separator: "\n") + "\n"
        XCTAssertEqual(try convert(json, to: .jsonl), objects)
        XCTAssertEqual(try convert(objects, to: .json), json)
        XCTAssertEqual(try convert(objects, to: .jsonl), objects)
    }

    func testValuesOfJSONAreTextsInATable() throws {
        let lines = """
            {"url": "http://h/a", "id": 12345678901234567890123.10, "tags": ["x", {"y": "\\u0000"}], "n": null}
            {"url": "http://h/b", "late": "1\\n2", "n": "null", "id": true}

            """
        let table = try convert(lines, to: .csv)
        XCTAssertEqual(
            table,
            """
            name,url,id,tags,n,late
            a,http://h/a,12345678901234567890123.10,"[""x"", {""y"": ""\\u0000""}]",,
            b,http://h/b,true,,null,"1
            2"

            """)
        XCTAssertEqual(try convert(convert(table, to: .json), to: .csv), table)
    }

    func testNumbersMayBeNames() throws {
        let lines = "{\"url\": \"http://h/a\", \"id\": 4447, \"x\": 1}\n{\"id\": false, \"url\": \"http://h/b\"}\n"
        XCTAssertEqual(
            try convert(lines, to: .csv, name: "id"), "name,url,x\n4447,http://h/a,1\nfalse,http://h/b,\n")
        XCTAssertEqual(
            try convert(lines, to: .jsonl, name: "id"),
            """
            {"name": "4447", "url": "http://h/a", "x": 1}
            {"name": "false", "url": "http://h/b"}

            """)
    }

    func testWhatIsNoNumberIsNull() throws {
        let lines = "{\"url\": \"http://h/a\", \"x\": NaN, \"y\": [-Infinity]}\n{\"url\": \"http://h/b\", \"x\": 1}\n"
        XCTAssertEqual(
            try convert(lines, to: .jsonl),
            """
            {"name": "a", "url": "http://h/a", "x": null, "y": [null]}
            {"name": "b", "url": "http://h/b", "x": 1}

            """)
        XCTAssertEqual(try convert(lines, to: .csv), "name,url,x,y\na,http://h/a,,[null]\nb,http://h/b,1,\n")
    }

    func testListsHaveNoColumnsAndSayThatSomeWereLeftOut() throws {
        let catalog = try read("url,caption\nhttp://h/a,b\n")
        for format in [CatalogText.Format.txt, .plist] {
            let (text, outcome) = try convert(catalog, to: format)
            XCTAssert(outcome.leftColumnsOut)
            XCTAssertFalse(text.contains("caption"))
        }
        XCTAssertFalse(try convert(catalog, to: .csv).outcome.leftColumnsOut)
        let list = try convert(read("({ url = \"http://h/a\"; x = y; })"), to: .csv)
        XCTAssertEqual(list.text, "name,url\na,http://h/a\n")
        XCTAssert(list.outcome.leftColumnsOut)
        let plain = try convert(read("url,name\nhttp://h/a,b\n"), to: .txt)
        XCTAssertFalse(plain.outcome.leftColumnsOut)
    }

    // MARK: Names of columns

    func testNameAndAddressAreCalledSoAndOtherColumnsOfTheseNamesOtherwise() throws {
        let table = "url,Photo,NAME,title,url 2\nhttp://h/page,http://h/a,n,A,x\n"
        let keys = CatalogKeys(address: "photo", name: "title", keepsEntries: true)
        let (text, outcome) = try convert(read(table, keys), to: .csv)
        XCTAssertEqual(text, "name,url,url 3,NAME 2,url 2\nA,http://h/a,http://h/page,n,x\n")
        XCTAssertEqual(outcome.renamedColumns.map(\.from), ["url", "NAME"])
        XCTAssertEqual(outcome.renamedColumns.map(\.to), ["url 3", "NAME 2"])
        let json = #"[{"name": "A", "url": "http://h/a", "url 3": "http://h/page", "NAME 2": "n", "url 2": "x"}]"#
        XCTAssertEqual(
            try convert(table, to: .json, url: "photo", name: "title").split(separator: "\n").joined()
                .replacing("  ", with: ""), json)
        let lines = """
            {"url": "http://h/page", "name": ["n"], "photo": "http://h/a", "title": null}
            {"photo": "http://h/b", "url": 7}

            """
        XCTAssertEqual(
            try convert(lines, to: .json, url: "photo", name: "title"),
            """
            [
              {"name": "a", "url": "http://h/a", "url 2": "http://h/page", "name 2": ["n"]},
              {"name": "b", "url": "http://h/b", "url 2": 7}
            ]

            """)
    }

    func testColumnsOfOneNameStayApart() throws {
        let table = "url,a,name,a,a 2,Url,url\nhttp://h/a,1,n,2,3,4,5\n"
        let text = try convert(table, to: .csv)
        XCTAssertEqual(
            try rows(read(text)), [["n", "http://h/a", "a", "1", "a 2", "2", "a 2 2", "3", "Url 2", "4", "url 2", "5"]])
        XCTAssertEqual(try convert(text, to: .csv), text)
        // A key that is there several times has a column for each.
        let lines = """
            {"url": "http://h/a", "k": 1, "k": 2, "\\u006b": 3}
            {"url": "http://h/b", "k 2": 4, "k": 5}

            """
        XCTAssertEqual(
            try convert(lines, to: .csv), "name,url,k,k 3,k 4,k 2\na,http://h/a,1,2,3,\nb,http://h/b,5,,,4\n")
    }

    func testTheColumnWithTheAddressIsKnownByItsPlace() throws {
        // The second x is “x 2” in an entry, and the third column “x 2 2”.
        let table = "x,x,x 2\n1,2,http://h/a\n"
        XCTAssertEqual(try convert(table, to: .csv, url: "x 2"), "name,url,x,x 2\na,http://h/a,1,2\n")
    }

    func testSpaceAndMarksBelongToNamesOfColumns() throws {
        let object =
            ##"{"url": "http://h/a", " s ": 1, "\"q\"": 2, "a,b": 3, "a\tb": 4, "l\nf": 5, ";": 6, "'": 7, "#": 8}"##
        let catalog = try read(object + "\n" + object)
        for format in [CatalogText.Format.csv, .tsv, .json, .jsonl] {
            let again = try read(convert(catalog, to: format).text)
            XCTAssertEqual(rows(again), rows(catalog), format.rawValue)
        }
    }

    func testANameThatATableCannotSayIsRefused() throws {
        let comma = #"[{"url": "http://h/a", ",url,": 1}]"#
        XCTAssertEqual(try rows(read(convert(comma, to: .csv))), [["a", "http://h/a", ",url,", "1"]])
        for (text, format, reason) in [
            (comma, CatalogText.Format.tsv, "“,url,” cannot be written as tsv: as the header"),
            (#"[{"url": "http://h/a", "a": 1, "x\u0000": 1}]"#, .csv, "“x\u{0}” cannot be written as csv"),
            (#"[{"url": "http://h/a", "x": "\u0000"}]"#, .csv, "U+0000"),
        ] {
            XCTAssertThrowsError(try convert(text, to: format)) { XCTAssert("\($0)".contains(reason), "\($0)") }
        }
    }

    // MARK: Bounds

    func testAThousandColumns() throws {
        let names = (0..<1_000).map { "column \($0)" }
        var table = "url," + names.joined(separator: ",") + "\n"
        for row in 0..<20 {
            table += "http://h/\(row)," + names.indices.map { "\($0 * row)" }.joined(separator: ",") + "\n"
        }
        let catalog = try read(table)
        for format in [CatalogText.Format.csv, .tsv, .json, .jsonl] {
            XCTAssertEqual(rows(try read(convert(catalog, to: format).text)), rows(catalog))
        }
    }

    func testMoreColumnsThanATableMayHaveAreRefusedAtOnce() throws {
        func lines(_ count: Int) -> String {
            stride(from: 0, to: count, by: 1_000).map { row in
                let keys = (row..<min(row + 1_000, count)).map { "\"key \($0)\": \($0)" }
                return "{\"url\": \"http://h/\(row)\", \(keys.joined(separator: ", "))}\n"
            }.joined()
        }
        XCTAssertEqual(try convert(lines(10_000), to: .csv).prefix(30), "name,url,key 0,key 1,key 2,key")
        XCTAssertThrowsError(try convert(lines(10_001), to: .csv)) {
            let sentence = "Line 11 ($[10]): “10000” cannot be written as csv: there are more than 10000 other columns."
            XCTAssert("\($0)".hasSuffix(sentence), "\($0)")
        }
        // Objects need no columns.
        XCTAssertEqual(try read(convert(lines(10_001), to: .json)).count, 11)
    }

    /// The names of columns are in each entry that is read; where they are long, not in all.
    func testATableOfLongNamesIsRefusedWhereItWouldLoseColumns() throws {
        func lines(_ rows: Int, name: String) -> String {
            let names = (0..<5_000).map { "\"\(name) \($0)\": 1" }.joined(separator: ", ")
            let first = "{\"url\": \"http://h/a\", \(names)}\n"
            return first + String(repeating: "{\"url\": \"http://h/a\"}\n", count: rows - 1)
        }
        let (short, long) = ("a name of twenty-four", String(repeating: "long ", count: 20))
        let catalog = try read(lines(200, name: short))
        XCTAssertEqual(try rows(read(convert(catalog, to: .csv).text))[0], rows(catalog)[0])
        XCTAssertEqual(try convert(lines(400, name: short), to: .csv).split(separator: "\n").count, 401)
        XCTAssertThrowsError(try convert(lines(400, name: long), to: .csv)) {
            XCTAssert("\($0)".contains("cannot be written as csv: with names of columns as long as that"), "\($0)")
        }
        XCTAssertEqual(try read(convert(lines(400, name: long), to: .jsonl)).count, 400)
    }

    func testEntriesThatAreNotKnownAreNotLostUnsaid() throws {
        let header = "url," + (0..<4_000).map { "\($0)" + String(repeating: "x", count: 100) }.joined(separator: ",")
        let row = "\nhttp://h/a" + String(repeating: ",", count: 4_000)
        let catalog = try read(header + String(repeating: row, count: 300))
        XCTAssertNil(catalog[299].entry)
        XCTAssertThrowsError(try convert(catalog, to: .csv)) { XCTAssert("\($0)".contains("more memory"), "\($0)") }
    }

    func testOtherBytesThanUTF8StayInATable() throws {
        let bytes = Data("url,caption\nhttp://h/a,caf".utf8) + [0xE9, 0x0A]
        let catalog = try Catalog(
            parsing: bytes, origin: .file(path: "/c"), keys: CatalogKeys(keepsEntries: true))
        var written = Data()
        _ = try CatalogFile.write(catalog, format: .csv) {
            written.append($0)
            return true
        }
        XCTAssertEqual(written, Data("name,url,caption\na,http://h/a,caf".utf8) + [0xE9, 0x0A])
        XCTAssertThrowsError(try convert(catalog, to: .json)) { XCTAssert("\($0)".contains("UTF-8"), "\($0)") }
    }

    func testAValueThatWouldBeNestedTooDeeplyIsRefused() throws {
        func line(_ depth: Int) -> String {
            let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return "{\"url\": \"http://h/a\", \"x\": \(value)}\n"
        }
        XCTAssertEqual(try read(convert(line(126), to: .json)).compactMap(\.entry).count, 1)
        XCTAssertEqual(try read(convert(line(127), to: .jsonl)).compactMap(\.entry).count, 1)
        XCTAssertThrowsError(try convert(line(127), to: .json)) { XCTAssert("\($0)".contains("too deeply"), "\($0)") }
    }

    // MARK: Anything

    func testWhateverTheColumnsAreTheyAreReadAgainOrRefused() throws {
        let pieces = [
            "", "a", "url", "Name", " ", "\t", "\n", "\r\n", "\"", "'", ",", ";", "\\", "=", "#", "[", "{", "\0",
            "\u{1}",
            "\u{FEFF}", "\u{301}", "한", "\u{1F600}", "2", " 2", "null", "1", "\u{7F}", "\u{85}",
        ]
        for seed in 1...3 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            func text(_ most: Int) -> String {
                (0..<Int.random(in: 0...most, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined()
            }
            var accepted = 0
            for round in 0..<400 {
                let names = (0..<Int.random(in: 1...5, using: &random)).map { _ in text(3) }
                let lines = (0..<3).map { row in
                    let fields = names.filter { _ in Bool.random(using: &random) }.map { name in
                        "\(CatalogText.json(name)): \(CatalogText.json(text(4)))"
                    }
                    return "{" + (["\"photo\": \"http://h/\(row)\""] + fields).joined(separator: ", ") + "}\n"
                }
                let keys = CatalogKeys(address: "photo", name: "title", keepsEntries: true)
                let catalog = try read(lines.joined(), keys)
                for format in [CatalogText.Format.csv, .tsv, .json, .jsonl] {
                    guard let (text, outcome) = try? convert(catalog, to: format) else { continue }
                    accepted += 1
                    let hasObjects = format == .json || format == .jsonl
                    let again = try read(text)
                    XCTAssertEqual(again.count, 3)
                    let new = Dictionary(
                        outcome.renamedColumns.map { ($0.to, $0.from) }, uniquingKeysWith: { one, _ in one })
                    for (row, before) in zip(again, catalog) {
                        XCTAssertEqual(row.address, before.address)
                        let message = "seed \(seed), round \(round), \(format): \(lines) \(text)"
                        // By scalars: Swift calls texts equal that are other bytes.
                        let fields = EntryFields.fields(of: try XCTUnwrap(row.entry, message))
                            .filter { !["name", "url"].contains($0.name) && ($0.text != "" || hasObjects) }
                            .map {
                                [
                                    Array((new[$0.name] ?? $0.name).unicodeScalars),
                                    Array(($0.text ?? "").unicodeScalars),
                                ]
                            }
                        let expected = EntryFields.fields(of: try XCTUnwrap(before.entry))
                            .filter { $0.name != "photo" && ($0.text != "" || hasObjects) }
                            .map { [Array($0.name.unicodeScalars), Array(($0.text ?? "").unicodeScalars)] }
                        XCTAssertEqual(
                            fields.sorted { "\($0)" < "\($1)" }, expected.sorted { "\($0)" < "\($1)" }, message)
                    }
                }
            }
            XCTAssertGreaterThan(accepted, 600, "seed \(seed)")
        }
    }
}
