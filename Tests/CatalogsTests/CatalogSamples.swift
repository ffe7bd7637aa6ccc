import Catalogs
import FoundationEssentials
import Transfers

/// Makes catalogs of literals.
enum Sample {
    static let local = Catalog.Origin.file(path: "/photos/list.txt")
    static let remote = Catalog.Origin.remote(
        URL(string: "https://example.org/albums/list.json") ?? URL(filePath: "/"))

    static func catalog(_ text: String, _ origin: Catalog.Origin = local) throws -> Catalog {
        try Catalog(parsing: Data(text.utf8), origin: origin)
    }

    /// A property list with one entry, its address being “b”.
    static func entry(_ members: String) -> String {
        plist("<array><dict><key>url</key><string>b</string>\(members)</dict></array>")
    }

    static func plist(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        \(body)
        </plist>
        """
    }

    /// One small catalog of each format, all of the same two photos.
    static let all: [CatalogFormat: String] = [
        .xmlPropertyList: plist(
            "<dict><key>Mill 2</key><string>http://h/a.jpg</string><key>Mill 10</key><string>b.jpg</string></dict>"),
        .openStepPropertyList: #"{ "Mill 2" = "http://h/a.jpg"; /* all */ "Mill 10" = b.jpg; }"#,
        .json: #"[{"name": "Mill 2", "url": "http://h/a.jpg"}, {"url": "b.jpg", "name": "Mill\u002010"}]"#,
        .jsonLines:
            "{\"name\": \"Mill 2\", \"url\": \"http://h/a.jpg\"}\r\n\n {\"url\":\"b.jpg\",\"name\":\"Mill 10\"}",
        .table: "name,url\r\nMill 2,http://h/a.jpg\r\n\"Mill 10\",\"b.jpg\"\r\n",
        .list: "# two photos\nhttp://h/a.jpg\n\nb.jpg\n",
    ]
}

extension Catalog {
    var names: [String] { map(\.name) }
    var addresses: [String] { map(\.address) }

    /// What a row's content is: its address or its error's sentence.
    func outcome(_ index: Int) -> String {
        switch self[index].content {
        case .success(let address): address.text
        case .failure(let error): error.description
        }
    }
}
