import Catalogs
import Foundation
import Testing

/// Every format and shape is read, and told by its content.
struct CatalogFormatTests {
    @Test func everyFormatIsDetectedAndHoldsTheSameTwoPhotos() throws {
        for (format, text) in Sample.all {
            let catalog = try Sample.catalog(text)
            #expect(catalog.format == format)
            #expect(catalog.addresses == ["http://h/a.jpg", "b.jpg"], "\(format)")
            let names = format == .list ? ["a.jpg", "b.jpg"] : ["Mill 2", "Mill 10"]
            #expect(catalog.names == names, "\(format)")
            #expect(catalog.outcome(1) == "file:///photos/b.jpg")
        }
    }

    @Test func utf16AndByteOrderMarksChangeNothing() throws {
        for (format, text) in Sample.all {
            for encoding in [String.Encoding.utf16BigEndian, .utf16LittleEndian] {
                var data = Data(encoding == .utf16BigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE])
                data += try #require((text + (format == .list ? "ảnh/한국😀.jpg\n" : "")).data(using: encoding))
                let catalog = try Catalog(parsing: data, origin: Sample.local)
                #expect(catalog.format == format)
                #expect(catalog.addresses.prefix(2) == ["http://h/a.jpg", "b.jpg"])
                if format == .list { #expect(catalog.names.last == "한국😀.jpg") }
            }
            let marked = try Catalog(parsing: Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8), origin: Sample.local)
            #expect(marked.addresses == ["http://h/a.jpg", "b.jpg"])
        }
    }

    @Test func dictionariesAreSortedAndArraysKeepTheirOrder() throws {
        #expect(try Sample.catalog(#"{"b10":"x","b2":"y","A":"z"}"#).names == ["A", "b2", "b10"])
        let array = try Sample.catalog(#"[{"name":"b10","url":"x"},"y/2.jpg",{"url":"z.jpg"}]"#)
        #expect(array.names == ["b10", "2.jpg", "z.jpg"])
        let plist = try Sample.catalog(
            Sample.plist(
                "<array><string>x/é.jpg</string><dict><key>url</key><string>y.jpg</string></dict></array>"))
        #expect(plist.names == ["é.jpg", "y.jpg"])
        #expect(try Sample.catalog("( a.jpg, { URL = \"b.jpg\"; Name = B; }, )").names == ["a.jpg", "B"])
    }

    @Test func equalNamesStaySeparateRowsInTheirOrder() throws {
        #expect(try Sample.catalog(#"{"a":"2","b":"x","a":"1"}"#).addresses == ["2", "1", "x"])
        #expect(try Sample.catalog("url,name\n1.jpg,a\n1.jpg,a\n").count == 2)
    }

    @Test func theOnlyMemberOfADictionaryMayBeTheArray() throws {
        let wrapped = try Sample.catalog(#"{"photos":[{"url":"a.jpg"},{"name":"B"}]}"#)
        #expect(wrapped.count == 2)
        #expect(wrapped[0].place == CatalogPlace(line: 1, keyPath: "$.photos[0]"))
        #expect(wrapped.outcome(1) == "line 1, column 28 ($.photos[1]): the entry has no “url”")
        let two = try Sample.catalog(#"{"photos":["a.jpg","b.jpg"],"other":"c.jpg"}"#)
        #expect(two.names == ["other", "photos"])
        #expect(two.outcome(1) == "line 1, column 11 ($.photos): the address must be text, not an array")
        #expect(try Sample.catalog("{ photos = (a.jpg); }").names == ["a.jpg"])
        #expect(try Sample.catalog(#"{"photos":[]}"#).isEmpty)
    }

    @Test func binaryPropertyListsOfEveryShape() throws {
        func binary(_ value: Any) throws -> Catalog {
            let data = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
            return try Catalog(parsing: data, origin: Sample.local)
        }
        let names = (1...300).map { "Ảnh \($0) 한국 😀" }
        let dictionary = try binary(Dictionary(uniqueKeysWithValues: names.map { ($0, $0 + ".jpg") }))
        #expect(dictionary.format == .binaryPropertyList)
        #expect(dictionary.names == names)
        #expect(dictionary.addresses == names.map { $0 + ".jpg" })
        let mixed = try binary([["name": "a", "url": "1"], "2", 3, ["url": 4, "name": "d"]] as [Any])
        #expect(mixed.names == ["a", "2", "", "d"])
        #expect(mixed.outcome(2) == "$[2]: an entry must be an address or have a “url”, not be a number")
        #expect(mixed.outcome(3) == "$[3].url: the address must be text, not a number")
        #expect(try binary(["photos": ["x.jpg", "y.jpg"]]).addresses == ["x.jpg", "y.jpg"])
        #expect(try binary([String]()).isEmpty)
    }

    @Test func foundationsOwnPropertyListsAreReadAsFoundationReadsThem() throws {
        let names = ["<&>\"'", "line\nbreak", "tab\t", "한국", "ảnh đẹp", "a]]>b", " padded ", "😀"]
        let expected = Dictionary(uniqueKeysWithValues: names.map { ($0, "address of " + $0) })
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let data = try PropertyListSerialization.data(fromPropertyList: expected, format: format, options: 0)
            let catalog = try Catalog(parsing: data, origin: Sample.local)
            #expect(Dictionary(uniqueKeysWithValues: zip(catalog.names, catalog.addresses)) == expected)
        }
    }

    @Test func xmlInItsFullDress() throws {
        let catalog = try Sample.catalog(
            """
            <?xml version='1.0'?><!-- <dict> --><!DOCTYPE plist [ <!ENTITY a "]>"> <!-- ' --> ]>
            <plist version='>'><dict >
            <key><![CDATA[<b> & ]]>c</key >\r\n<string a="/">x<!-- no -->?a=1&amp;b=&#x32;&#51;\r\ny</string>
            <key/><string/></dict></plist> <!-- end -->
            """)
        #expect(catalog.names == ["", "<b> & c"])
        #expect(catalog.addresses == ["", "x?a=1&b=23\ny"])
        #expect(try Sample.catalog("<plist><dict/></plist>").isEmpty)
        #expect(try Sample.catalog("<array><string>a.jpg</string></array>").count == 1)
        let latin = Data("<?xml version='1.0' encoding='ISO-8859-1'?><array><string>".utf8) + [0xE9]
        let text = Data("</string></array>".utf8)
        #expect(try Catalog(parsing: latin + text, origin: Sample.local).addresses == ["é"])
    }

    @Test func jsonEscapes() throws {
        let catalog = try Sample.catalog(
            #"["\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00\u0000", -0.5E+7, 1e999999, null, true]"#)
        #expect(catalog[0].address == "\"\\/\u{8}\u{C}\n\r\té😀\0")
        #expect(catalog.count == 5)
        let key = try Sample.catalog(#"[{"\u0075rl": "a.jpg", "NAME": null, "size": {"w": [1, {}]}}]"#)
        #expect(key.names == ["a.jpg"])
    }

    @Test func openStepTexts() throws {
        let catalog = try Sample.catalog(
            #"""
            // !$*UTF8*$!
            { 'it''s' = a; }
            """#.replacing("''", with: "\\'"))
        #expect(catalog.format == .openStepPropertyList)
        #expect(catalog.names == ["it's"])
        let escapes = try Sample.catalog(#"( "\U00e9\n\101\"", http://h/a_b.jpg, <0fbd77>, "\ud83d\ude00" /*/ x */ )"#)
        #expect(escapes.addresses == ["é\nA\"", "http://h/a_b.jpg", "", "😀"])
        #expect(escapes.outcome(2).hasSuffix("not be data"))
    }

    @Test func openStepEscapesWithFewDigits() throws {
        let catalog = try Sample.catalog(#"( "\Ue9.jpg", "a\U9x", "\U1F4zz", "\U" )"#)
        #expect(Array(catalog.addresses.prefix(3)) == ["é.jpg", "a\tx", "\u{1F4}zz"])
        #expect(catalog.outcome(3).hasSuffix("the text has an unknown escape after “\\”"))
    }

    /// Octal escapes are numbers in NeXTSTEP's character set.
    @Test func openStepOctalEscapes() throws {
        let catalog = try Sample.catalog(#"( "\0602\200", "\351re.jpg", "\375", "\1019", "\377" )"#)
        #expect(catalog.addresses.prefix(4) == ["02\u{A0}", "Øre.jpg", "ÿ", "A9"])
        #expect(
            catalog.outcome(4).hasSuffix(
                "octal escapes past \\375 are no characters; write \\U and four hexadecimal digits"))
    }

    @Test(
        arguments: [[0xFF, 0xFE, 0, 0, 0x5B, 0, 0, 0], [0, 0, 0xFE, 0xFF], [0x5B, 0, 0, 0], [0, 0, 0, 0x3C]]
            as [[UInt8]])
    func utf32IsNamed(bytes: [UInt8]) {
        let error = #expect(throws: CatalogError.self) {
            try Catalog(parsing: Data(bytes + [0, 0, 0, 0]), origin: Sample.local)
        }
        #expect(error == .notACatalog(reason: "its encoding UTF-32 is not supported, save it as UTF-8"))
    }

    @Test func tablesWithEveryDelimiterAndQuotes() throws {
        let quoted = try Sample.catalog(
            "\"Name\";\"extra\";URL\n\"a \"\"b\"\"\";;\"x;y.jpg\"\n\n\"two\nlines\";1;z.jpg")
        #expect(quoted.names == ["a \"b\"", "two\nlines"])
        #expect(quoted.addresses == ["x;y.jpg", "z.jpg"])
        #expect(try Sample.catalog("url\tname\r1.jpg\tA\r2.jpg\t\r").names == ["A", "2.jpg"])
        #expect(try Sample.catalog("# comment\n url \na b.jpg\n").addresses == ["a b.jpg"])
    }

    @Test(arguments: [",", "\t", ";", "|"])
    func allFieldsMayBeInQuotationMarks(_ delimiter: String) throws {
        let text = "\"url\"|\"name\"\n\"a.jpg\"|\"A, B\"\n\"b.jpg\"|\"\"\n".replacing("|", with: delimiter)
        let catalog = try Sample.catalog(text)
        #expect(catalog.indices.map { catalog.outcome($0) } == ["file:///photos/a.jpg", "file:///photos/b.jpg"])
        #expect(catalog.names == ["A, B", "b.jpg"])
        // Space that does not belong there is no other delimiter.
        #expect(try Sample.catalog("\"url\" ,name\na.jpg,A\n").names == ["A"])
    }

    /// Excel leaves out empty fields at the end of a row.
    @Test(arguments: [
        "url,name,note\na.jpg,A,x\nb.jpg,B\nc.jpg\nd.jpg,D,",
        "name;url;note;w\r\nA;a.jpg\r\nB;b.jpg;;\r\n;c.jpg;x\r\nD;d.jpg\r\n",
        "url\tname\tnote\ra.jpg\tA\rb.jpg\tB\rc.jpg\rd.jpg\tD\tx",
    ])
    func aRowMayHaveFewerFieldsThanTheHeader(_ text: String) throws {
        let catalog = try Sample.catalog(text)
        #expect(catalog.names == ["A", "B", "c.jpg", "D"])
        #expect(catalog.indices.map { catalog.outcome($0) } == ["a", "b", "c", "d"].map { "file:///photos/\($0).jpg" })
    }

    @Test func listsWithCommentsAndEveryLineEnd() throws {
        let catalog = try Sample.catalog("\r\n# no\r\n  http://h/%C4%91%E1%BA%B9p.jpg?x#y \r/a b.jpg\n#\nhttp://h/")
        #expect(catalog.names == ["đẹp.jpg", "a b.jpg", "http://h/"])
        #expect(catalog[1].place.line == 4)
        #expect(try Sample.catalog("").isEmpty)
        #expect(try Sample.catalog("# nothing\n\n").isEmpty)
    }

    @Test func otherThingsAreNoCatalogs() {
        let others: [(Data, String)] = [
            (Data("<!DOCTYPE html><html><body>".utf8), "a web page"), (Data("<HTML>".utf8), "a web page"),
            (Data("<?xml version='1.0'?><svg xmlns=''/>".utf8), "an SVG picture"), (Data("<rss/>".utf8), "<rss>"),
            (Data([0xFF, 0xD8, 0xFF, 0xE0]), "JPEG"), (Data([0x89] + "PNG\r\n".utf8), "PNG"),
            (Data("Dear all,\nplease find attached the photos\n".utf8), "none of its lines"),
            (Data("PAR1\u{15}\u{4}\0".utf8), "a Parquet file; DuckDB makes CSV of it: COPY (FROM"),
            (Data("ARROW1\0\0".utf8), "an Arrow or Feather file; pandas"),
            (Data("PK\u{3}\u{4}\u{14}\0".utf8), "a spreadsheet (.xlsx, .ods) can be saved as CSV"),
            (Data([1, 0, 2, 0]), "not text"), (Data([0, 0, 0, 24] + "ftypavif".utf8), "a picture or a film"),
        ]
        for (data, word) in others {
            let error = #expect(throws: CatalogError.self) { try Catalog(parsing: data, origin: Sample.local) }
            guard case .notACatalog(let reason) = error else {
                Issue.record("\(word): \(String(describing: error))")
                continue
            }
            #expect("\(reason)".contains(word))
        }
    }

    @Test func theLineThatExcelWritesFirstIsNoAddress() throws {
        for (line, separator) in [("sep=;", ";"), ("sep=,", ","), ("sep=\t", "\t")] {
            let catalog = try Sample.catalog("\(line)\r\nname\(separator)url\r\nA\(separator)http://h/a.jpg\r\nB\r\n")
            #expect(catalog.format == .table && catalog.names.first == "A")
            #expect(catalog.addresses.first == "http://h/a.jpg" && catalog.outcome(1).hasPrefix("line 4"), "\(line)")
        }
        #expect(try Sample.catalog("sep=;\na.jpg\n").count == 2)
    }

    @Test func aLineOfJSONMayBeLong() throws {
        let long = #"{"name": "n", "url": "http://h/1", "thumb": "\#(String(repeating: "x", count: 1_100_000))"}"#
        for text in [long, long + "\n\n"] {
            let catalog = try Sample.catalog(text)
            #expect(catalog.format == .jsonLines && catalog.names == ["n"])
        }
    }
}
