import Foundation
import Testing

@testable import Catalogs

/// Whole entries, kept as they stand in the catalog.
@Suite struct CatalogEntryTests {
    private func entries(_ text: String, keeps: Bool = true) throws -> [String?] {
        let catalog = try Catalog(
            parsing: Data(text.utf8), origin: .file(path: "/catalog"), keys: CatalogKeys(keepsEntries: keeps))
        return catalog.map(\.entry)
    }

    private func objects(_ text: String) throws -> [[String: String]?] {
        try entries(text).map { try $0.map { try JSONDecoder().decode([String: String].self, from: Data($0.utf8)) } }
    }

    @Test func aTablesRowHasItsColumnsAsTexts() throws {
        let text = """
            name, "Caption" ,url,"a ""quoted"" \\ column"
            a,"two
            lines, a ""word"" more",http://h/a,\tx\\y
            b,,http://h/b,é
            c,too few
            """
        #expect(
            try objects(text) == [
                [
                    "name": "a", "Caption": "two\nlines, a \"word\" more", "url": "http://h/a",
                    #"a "quoted" \ column"#: "\tx\\y",
                ],
                ["name": "b", "Caption": "", "url": "http://h/b", #"a "quoted" \ column"#: "é"], nil,
            ])
        #expect(try objects("url\tcaption\nhttp://h/a\tx, y\n") == [["url": "http://h/a", "caption": "x, y"]])
    }

    @Test func aShortRowHasTheColumnsThatItLacksAsEmptyTexts() throws {
        let short = ["url": "http://h/a", "a": "1", "b": "", "a 2": ""]
        #expect(
            try objects("url,a,b,a\nhttp://h/a,1\nhttp://h/b\nhttp://h/c,1") == [
                short, ["url": "http://h/b", "a": "", "b": "", "a 2": ""], nil,
            ])
    }

    @Test func columnsOfOneNameAreToldApart() throws {
        #expect(
            try objects("url,a,a 2,a,a\nhttp://h/x,1,2,3,4\n") == [
                ["url": "http://h/x", "a": "1", "a 2": "2", "a 3": "3", "a 4": "4"]
            ])
    }

    @Test func anEntryOfJSONIsAsItStandsInOneLine() throws {
        let text = """
            [{"url": "http://h/a", "tags": ["x",
               {"y": 1.50}],\t"n": null}, "http://h/b", {"name": "c"}, {"url": "http://h/d", "e": "\\ud800"}]
            """
        #expect(
            try entries(text) == [
                #"{"url": "http://h/a", "tags": ["x",    {"y": 1.50}], "n": null}"#, nil, nil, nil,
            ])
        #expect(try entries(#"{"photos": [{"url": "http://h/a", "x": 1}]}"#) == [#"{"url": "http://h/a", "x": 1}"#])
        #expect(
            try entries("{\"url\":\"http://h/a\",\"x\":\"}\"}\n\n{\"url\": \"http://h/b\"}\n[1]\n")
                == [#"{"url":"http://h/a","x":"}"}"#, #"{"url": "http://h/b"}"#, nil])
    }

    /// Python and DuckDB write so what is no number, and readers of JSON refuse it.
    @Test func whatIsNoNumberIsNull() throws {
        let text = """
            {"url": "http://h/a", "name": NaN, "alt": NaN, "N": ["I\\"N", -Infinity, {"NaN": Infinity}], "x": -1}
            {"url": "http://h/b", "alt": "NaN"}
            {"url": NaN}
            {"url": "http://h/d", "x": Nan}
            """
        let first = #"{"url": "http://h/a", "name": null, "alt": null, "N": ["I\"N", null, {"NaN": null}], "x": -1}"#
        let kept = [first, #"{"url": "http://h/b", "alt": "NaN"}"#, nil, nil]
        #expect(try entries(text) == kept)
        let array = try Sample.catalog("[\(text.split(separator: "\n").joined(separator: ",\n"))]")
        #expect(try entries("[\(text.split(separator: "\n").joined(separator: ",\n"))]") == kept)
        #expect(array.format == .json && array.names.prefix(2) == ["a", "b"])
        #expect(array.outcome(2).hasSuffix("the address must be text, not null"))
        #expect(array.outcome(3).hasSuffix("the entry breaks the rules of its format"))
    }

    @Test func othersHaveNone() throws {
        #expect(try entries(#"{"a": "http://h/a", "b": "http://h/b"}"#) == [nil, nil])
        #expect(try entries("http://h/a\nhttp://h/b\n") == [nil, nil])
        #expect(try entries("(\n{ url = \"http://h/a\"; x = y; },\n)\n") == [nil])
        #expect(try entries("url,x\nhttp://h/a,b\n", keeps: false) == [nil])
    }

    @Test func quotationMarksInNamesOfColumnsStay() throws {
        #expect(
            try objects("url,\"size 12\"\"\",\"12\"\"\",12, \"b\" \nhttp://h/x,1,2,3,4\n") == [
                ["url": "http://h/x", "size 12\"": "1", "12\"": "2", "12": "3", "b": "4"]
            ])
    }

    @Test(arguments: [
        ("name,url,caption\na,b,c\n", true), ("URL,Name\na,b\n", false), ("url\na.jpg\n", false),
        ("url,name,name\na,b,c\n", true), (#"[{"url": "a", "name": "b"}, {"url": "c", "tag": 1}]"#, true),
        (#"[{"url": "a", "name": "b"}, "c"]"#, false), (#"{"a": "b"}"#, false), ("a.jpg\n", false),
        ("({ url = a; name = b; x = c; })", true),
    ])
    func otherFieldsAreKnownOf(_ text: String, _ hasThem: Bool) throws {
        #expect(try Sample.catalog(text).hasOtherFields == hasThem)
    }
}
