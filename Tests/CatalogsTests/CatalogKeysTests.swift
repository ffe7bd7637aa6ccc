import Catalogs
import Foundation
import Testing

/// Columns and keys by any name.
struct CatalogKeysTests {
    private let keys = CatalogKeys(address: "Ảnh", name: "TITLE")

    private func catalog(_ text: String) throws -> Catalog {
        try Catalog(parsing: Data(text.utf8), origin: Sample.local, keys: keys)
    }

    @Test(arguments: [
        "id,title,Ảnh,url\n1,Sea,1.jpg,no\n", "url\t\"Ảnh\"\tTitle\nno\t1.jpg\tSea\n",
        #"[{"url": "no", "Ảnh": "1.jpg", "title": "Sea"}]"#, #"[{"\u1ea2nh": "1.jpg", "Title": "Sea", "name": "no"}]"#,
        "{\"Ảnh\": \"1.jpg\", \"title\": \"Sea\"}\n\n{\"Ảnh\": \"2.jpg\"}",
        "({ Ảnh = 1.jpg; title = Sea; })",
    ])
    func theyAreFoundByTheirNames(_ text: String) throws {
        let catalog = try catalog(text.replacing("({ Ảnh", with: "({ \"Ảnh\""))
        #expect(catalog[0].name == "Sea")
        #expect(catalog.outcome(0) == "file:///photos/1.jpg")
    }

    @Test func inPropertyLists() throws {
        let value = [["Ảnh": "1.jpg", "title": "Sea", "url": "no"]]
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let data = try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
            let catalog = try Catalog(parsing: data, origin: Sample.local, keys: keys)
            #expect(catalog.names == ["Sea"] && catalog.addresses == ["1.jpg"])
        }
    }

    /// Data sets have numbers for their photos.
    @Test func aNumberOrATruthValueIsANameAsItIsWritten() throws {
        let objects = [
            #"{"Ảnh": "1.jpg", "title": 12345678901234567890}"#, #"{"title": -1.50e+3 , "Ảnh": "2.jpg"}"#,
            #"{"Ảnh": "3.jpg", "title": true}"#, #"{"Ảnh": "4.jpg", "title": null}"#,
            #"{"Ảnh": "5.jpg", "title": {"a": 1}}"#, #"{"Ảnh": "6.jpg", "title": 01}"#,
        ]
        for text in [objects.joined(separator: "\n"), "[\(objects.joined(separator: ",\n"))]"] {
            let catalog = try catalog(text)
            #expect(catalog.names.prefix(4) == ["12345678901234567890", "-1.50e+3", "true", "4.jpg"])
            #expect((0..<4).map { catalog.outcome($0) } == (1...4).map { "file:///photos/\($0).jpg" })
            #expect(catalog.outcome(4).hasSuffix("the name must be text, not a dictionary"))
            #expect(catalog.outcome(5).hasSuffix("the entry breaks the rules of its format"))
        }
        let value = [["Ảnh": "1.jpg", "title": 7] as [String: Any]]
        let list = try PropertyListSerialization.data(fromPropertyList: value, format: .xml, options: 0)
        #expect(
            try Catalog(parsing: list, origin: Sample.local, keys: keys).outcome(0).hasSuffix(
                "the name must be text, not a number"))
    }

    @Test(arguments: [",", "\t", ";", "|"])
    func columnsArePartedByAnyOfThese(_ delimiter: String) throws {
        let catalog = try catalog("title|Ảnh|x\nSea|1.jpg|\"a|b\"\n".replacing("|", with: delimiter))
        #expect(catalog.names == ["Sea"] && catalog.addresses == ["1.jpg"])
    }

    @Test func whatIsMissingIsNamed() throws {
        let error = #expect(throws: CatalogError.self) { try catalog("name,url\na,http://h/a.jpg\n") }
        #expect(error == .noAddressColumn("Ảnh", columns: ["name", "url"], place: CatalogPlace(line: 1)))
        #expect(throws: CatalogError.self) { try catalog("http://h/a.jpg\n") }
        let rows = try catalog(#"[{"url": "1.jpg"}, {"Ảnh": 5}, {"Ảnh": "2.jpg", "TITLE": [7]}]"#)
        #expect(rows.outcome(0) == "line 1, column 2 ($[0]): the entry has no “Ảnh”")
        #expect(rows.outcome(1) == "line 1, column 28 ($[1].Ảnh): the address must be text, not a number")
        #expect(rows.outcome(2).contains("($[2].TITLE)"))
    }
}
