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

    @Test(arguments: [",", "\t", ";", "|"])
    func columnsArePartedByAnyOfThese(_ delimiter: String) throws {
        let catalog = try catalog("title|Ảnh|x\nSea|1.jpg|\"a|b\"\n".replacing("|", with: delimiter))
        #expect(catalog.names == ["Sea"] && catalog.addresses == ["1.jpg"])
    }

    @Test func whatIsMissingIsNamed() throws {
        let error = #expect(throws: CatalogError.self) { try catalog("name,url\na,http://h/a.jpg\n") }
        #expect(error == .noAddressColumn("Ảnh", columns: ["name", "url"], place: CatalogPlace(line: 1)))
        #expect(throws: CatalogError.self) { try catalog("http://h/a.jpg\n") }
        let rows = try catalog(#"[{"url": "1.jpg"}, {"Ảnh": 5}, {"Ảnh": "2.jpg", "TITLE": 7}]"#)
        #expect(rows.outcome(0) == "line 1, column 2 ($[0]): the entry has no “Ảnh”")
        #expect(rows.outcome(1) == "line 1, column 28 ($[1].Ảnh): the address must be text, not a number")
        #expect(rows.outcome(2).contains("($[2].TITLE)"))
    }
}
