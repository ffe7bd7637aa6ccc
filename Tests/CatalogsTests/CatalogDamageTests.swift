import Catalogs
import Foundation
import Testing

/// What is cut off or hostile fails as a whole, with its place, and never more than that.
struct CatalogDamageTests {
    @Test(arguments: [
        (#"["a.jpg", "b"#, "JSON", 1, 13, "the file ends in the middle"),
        ("{\"a\":\n\"b\" \"c\"}", "JSON", 2, 5, "“,” or “}” is missing"),
        (#"["a.jpg"] x"#, "JSON", 1, 11, "more follows after the end"),
        ("[1,]", "JSON", 1, 4, "a value is missing"), (#"[1 "a"]"#, "JSON", 1, 4, "“,” or “]” is missing"),
        (#"{"photos": ["a.jpg" "b.jpg"]}"#, "JSON", 1, 21, "“,” or “]” is missing"),
        (#"["a.jpg", tru, "b"#, "JSON", 1, 18, "the file ends in the middle"),
        (#"{"a" "b"}"#, "JSON", 1, 6, "“:” is missing after a key"),
        ("<plist>\n<dict><key>a</key>", "XML property list", 2, 19, "the file ends in the middle"),
        ("<plist><dict/></dict>", "XML property list", 1, 15, "“</plist>” is missing"),
        ("<plist></plist>", "XML property list", 1, 16, "the property list is empty"),
        ("<plist><string>a</string></plist>", "XML property list", 1, 8, "its root is no dictionary or array"),
        ("<plist><dict/><dict/></plist>", "XML property list", 1, 15, "more follows after the end"),
        ("{ a = b; c = ", "OpenStep property list", 1, 14, "the file ends in the middle"),
        ("{ a = b c = d; }", "OpenStep property list", 1, 9, "“;” is missing after a value"),
        ("name,url\na,b\n\"c,d\n", "table", 3, 1, "this quotation mark is never closed, so the file may be cut off"),
    ])
    func damageHasItsPlace(_ text: String, _ format: String, _ line: Int, _ column: Int, _ reason: String) {
        let error = #expect(throws: CatalogError.self) { try Sample.catalog(text) }
        let place = CatalogPlace(line: line, column: column)
        let expected = CatalogFormat(rawValue: format).map {
            CatalogError.damaged(format: $0, place: place, reason: "\(reason)")
        }
        #expect(error == expected)
    }

    @Test(arguments: [
        ("name,link\na,http://h/a.jpg\n", ["name", "link"]), ("Title;Page\n\n", ["Title", "Page"]),
        // What pandas, Unsplash and shops write.
        (",photo_id,image_url\n0,a1,http://h/a.jpg\n", ["", "photo_id", "image_url"]),
        ("photo_id\tphoto_url\na\tHTTPS://h/a.jpg\n", ["photo_id", "photo_url"]),
        ("id|picture\n1|http://h/a.jpg\n", ["id", "picture"]),
        ("\"ID\";\"Image URL\"\n\"1\n2\";\n3;\"http://h/a.jpg\"\n", ["ID", "Image URL"]),
        ("urls.full,alt\nhttp://h/a.jpg,A sea\n", ["urls.full", "alt"]),
    ])
    func aTableWithoutAnAddressColumnNamesTheOthers(_ text: String, _ columns: [String]) {
        let error = #expect(throws: CatalogError.self) { try Sample.catalog(text) }
        #expect(error == .noAddressColumn("url", columns: columns, place: CatalogPlace(line: 1)))
    }

    /// As lists, their captions would become parts of the addresses.
    @Test(arguments: [
        ("https://h/1.jpg\tA cat\nHTTPS://h/2.jpg\tDog\n", 2), ("http://h/1\t1\t2\nhttp://h/2\t\t3", 3),
        ("https://h/1.jpg\tA cat, asleep\nhttps://h/2.jpg\tA dog, awake\n", 2),
        ("https://h/1.jpg?w=300,A cat\nhttps://h/2.jpg?w=300,Dog\n", 2),
        ("\"https://h/1.jpg\",\"A cat,\nasleep\"\n\"https://h/2.jpg\",\"A \"\"dog\"\"\"\n", 2),
        ("# cats\n\nhttps://h/1.jpg;1;A cat\nhttps://h/2.jpg;2;A dog\nhttps://h/3.jpg;3;\n", 3),
        ("https://h/1|A cat\n" + String(repeating: "https://h/2|A dog\n", count: 20) + "https://h/3\n", 2),
    ])
    func aTableWithoutNamesOfColumnsIsNoList(_ text: String, _ columns: Int) throws {
        let line = text.hasPrefix("#") ? 3 : 1
        for origin in [Sample.local, Sample.remote] {
            let error = #expect(throws: CatalogError.self) { try Sample.catalog(text, origin) }
            #expect(error == .noColumnNames("url", columns: columns, place: CatalogPlace(line: line)))
        }
        let names = ["url"] + (1..<columns).map { "c\($0)" }
        let delimiter = ["\t", ",", ";", "|"].first { text.contains("\($0)A ") || text.contains("\t") } ?? ","
        if !text.hasPrefix("#") {
            #expect(try Sample.catalog(names.joined(separator: delimiter) + "\n" + text).format == .table)
        }
    }

    /// Lists whose first line could be that of a table, and is not.
    @Test(arguments: [
        "a,b.jpg\nhttp://h/c,d.jpg\n", "http://h/a,b.jpg\nhttp://h/c,d.jpg\n", "pictures/a,b\nhttp://h/c,d.jpg\n",
        "My photos, and others\nhttp://h/a.jpg\nhttp://h/b.jpg\n", "a,b\nc,d.jpg\nhttp://h/e.jpg\n",
        // Addresses with commas and spaces in them.
        "http://h/b c,d.jpg\nhttp://h/e f,g.jpg\n", "http://h/Lyon, France.jpg\nhttp://h/Hue, Vietnam.jpg\n",
        "http://h/w=80,h=60/a b.jpg\nhttp://h/w=80,h=60/c.jpg\n", "http://h/a?x=1,2\nhttp://h/b?x=1,2\n",
        "http://h/a?x=1,b c\nhttp://h/b?x=1,d\nhttp://h/e?x=1,f\n", "http://h/a,b c\nhttp://h/d, e, f\n",
        "http://h/a b,c d\nhttp://h/e f,g h\n", "http://h/a,b c\n", "http://h/a;b|c\nhttp://h/d;e|f\n",
    ])
    func aListWithCommasIsAList(_ text: String) throws {
        let catalog = try Sample.catalog(text)
        #expect(catalog.format == .list && catalog.count == text.split(separator: "\n").count)
    }

    /// A tree that is cut anywhere is damaged; lines cannot know, and have the rows that are left.
    @Test func cutsAtEveryByte() throws {
        for (format, text) in Sample.all {
            let bytes = Array(text.utf8)
            for end in 1..<bytes.count {
                let result = Result { try Catalog(parsing: Data(bytes[..<end]), origin: Sample.local) }
                switch (format, result) {
                case (.list, _), (.table, _), (.jsonLines, _):
                    if case .success(let catalog) = result { #expect(catalog.count <= 2) }
                case (_, .failure): break
                case (_, .success): Issue.record("\(format) cut at \(end) is taken for whole")
                }
            }
        }
        let value = ["Mill 2": "http://h/a.jpg", "ảnh": "b.jpg"]
        let data = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        for end in 8..<data.count {
            #expect(throws: CatalogError.self) { try Catalog(parsing: data[..<end], origin: Sample.local) }
        }
    }

    @Test func nestingHasALimit() throws {
        let deep = 100_000
        let cases: [(String, CatalogFormat)] = [
            (String(repeating: "[", count: deep), .json), (String(repeating: #"{"a":"#, count: deep), .json),
            (String(repeating: "(", count: deep), .openStepPropertyList),
            ("<plist>" + String(repeating: "<array>", count: deep), .xmlPropertyList),
            ("<plist><array>" + String(repeating: "<x>", count: deep), .xmlPropertyList),
        ]
        for (text, expected) in cases {
            let error = #expect(throws: CatalogError.self) { try Sample.catalog(text) }
            guard case .tooDeep(expected, _, 128) = error else {
                Issue.record("\(expected): \(String(describing: error))")
                continue
            }
        }
        let allowed = String(repeating: "[", count: 127) + String(repeating: "]", count: 127)
        #expect(try Sample.catalog("[\(allowed)]").count == 1)
    }

    /// What is never closed is looked for to the end of the file, and once only.
    @Test(.timeLimit(.minutes(1)), arguments: [("(", "<,"), ("{", "a=<;")])
    func dataThatIsNeverClosedIsLookedForOnce(_ start: String, _ item: String) {
        let error = #expect(throws: CatalogError.self) {
            try Sample.catalog(start + String(repeating: item, count: 500_000))
        }
        guard case .damaged(.openStepPropertyList, _, "the file ends in the middle") = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// A declaration belongs before the root. Each one inside costs its row, and no look at all that follows.
    @Test(.timeLimit(.minutes(1)), arguments: ["<x><![</x>", "<!x>"])
    func declarationsInsideElementsCostTheirRows(_ item: String) throws {
        let items = String(repeating: item, count: 40_000)
        let catalog = try Sample.catalog("<plist><array>\(items)<string>1</string></array></plist>")
        #expect(catalog.count == 40_001)
        #expect(catalog.outcome(39_999).hasSuffix("the entry breaks the rules of its format"))
        #expect(catalog.outcome(40_000) == "file:///photos/1")
    }

    @Test func sizeHasALimit() {
        let limits = CatalogLimits(maximumBytes: 4)
        let error = #expect(throws: CatalogError.self) {
            try Catalog(parsing: Data("/a/b/c".utf8), origin: Sample.local, limits: limits)
        }
        #expect(error == .tooLarge(limit: 4))
    }

    // MARK: - Hostile binary property lists

    /// A binary property list of objects as they are, with four-byte offsets and one-byte references.
    private func binary(_ objects: [[UInt8]], count: UInt64? = nil) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) }
            bytes += object
        }
        let table = UInt64(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 4, 1]
        let numbers: [UInt64] = [count ?? UInt64(objects.count), 0, table]
        for number in numbers {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        return Data(bytes)
    }

    @Test func containersThatContainThemselvesEnd() {
        let cycle = binary([[0xA1, 0]])
        #expect(throws: CatalogError.self) { try Catalog(parsing: cycle, origin: Sample.local) }
        // Eight levels of fifteen references each are two and a half thousand million texts.
        var levels: [[UInt8]] = (1...8).map { level in
            [0xAF, 0x10, 15] + [UInt8](repeating: UInt8(level), count: 15)
        }
        levels.append([0x51, 0x61])
        let bomb = binary(levels)
        #expect(throws: CatalogError.self) { try Catalog(parsing: bomb, origin: Sample.local) }
    }

    @Test func countsAndOffsetsBeyondTheFileAreDamage() {
        let hostile: [Data] = [
            binary([[0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]),
            binary([[0xDF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]),
            binary([[0xA1, 1], [0x5F, 0x12, 0x7F, 0xFF, 0xFF, 0xFF]]), binary([[0xA1, 1], [0x6F, 0x10, 0xFF]]),
            binary([[0xA1, 9]]), binary([[0xA0]], count: .max), binary([[0xA1, 1], [0x5F]]), binary([[0xEE]]),
        ]
        for data in hostile {
            #expect(throws: CatalogError.self) { try Catalog(parsing: data, origin: Sample.local) }
        }
    }

    /// Texts of entries, and those in an array that is no entry, which are checked and not stored.
    @Test(.timeLimit(.minutes(1)), arguments: [[], [[0xA1, 1]]] as [[[UInt8]]])
    func aLongTextThatIsSharedAMillionTimesEnds(_ outer: [[UInt8]]) {
        let place = UInt8(outer.count + 1)
        let references = [0xAF, 0x12, 0x00, 0x10, 0x00, 0x00] + [UInt8](repeating: place, count: 1 << 20)
        let text = [0x5F, 0x12, 0x00, 0x10, 0x00, 0x00] + [UInt8](repeating: 0x61, count: 1 << 20)
        let error = #expect(throws: CatalogError.self) {
            try Catalog(parsing: binary(outer + [references, text]), origin: Sample.local)
        }
        guard case .damaged(.binaryPropertyList, _, "its texts are shared too often") = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// What a writer makes of equal parts that are one object in memory is no cycle.
    @Test func aSharedContainerIsAnEntryForEachReference() throws {
        let entry: [UInt8] = [0xD1, 2, 3]
        let shared = binary([
            [0xAF, 0x10, 200] + [UInt8](repeating: 1, count: 200), entry, [0x53] + Array("url".utf8),
            [0x52, 0x2F, 0x61],
        ])
        let catalog = try Catalog(parsing: shared, origin: Sample.local)
        #expect(catalog.count == 200)
        #expect(Set(catalog.addresses) == ["/a"])
    }

    @Test func keysInUTF16AreKeys() throws {
        func utf16(_ text: String) -> [UInt8] {
            [0x60 | UInt8(text.utf16.count)] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        }
        let plist = binary([[0xA1, 1], [0xD2, 2, 3, 4, 5], utf16("URL"), utf16("name"), utf16("/ả"), utf16("ảnh")])
        let catalog = try Catalog(parsing: plist, origin: Sample.local)
        #expect(catalog.addresses == ["/ả"])
        #expect(catalog.names == ["ảnh"])
        // Letters whose low bytes are those of the word.
        let other = binary([[0xA1, 1], [0xD1, 2, 3], utf16("\u{175}\u{172}\u{16C}"), utf16("/a")])
        #expect(try Catalog(parsing: other, origin: Sample.local).outcome(0).hasSuffix("the entry has no “url”"))
    }

    @Test func aSharedTextIsOneForAllItsRows() throws {
        let shared = try Catalog(
            parsing: binary([[0xAF, 0x10, 60] + [UInt8](repeating: 1, count: 60), [0x52, 0x2F, 0x61]]),
            origin: Sample.local)
        #expect(shared.count == 60)
        #expect(Set(shared.addresses) == ["/a"])
    }
}
