import Catalogs
import Foundation
import Testing

/// What is wrong with one entry is that row's failure, with its place; the others stay.
struct CatalogFlawTests {
    @Test(arguments: [
        (
            #"{"a":"1",\#n"b":2,"c":null,"d":{"e":[]},"f":[1],"g":true,"h":"8"}"#, 7, 1,
            "line 2, column 5 ($.b): the address must be text, not a number"
        ),
        (#"["a.jpg",\#n {"name":"x"}]"#, 2, 1, "line 2, column 2 ($[1]): the entry has no “url”"),
        (#"[{"url":1,"name":2}]"#, 1, 0, "line 1, column 9 ($[0].url): the address must be text, not a number"),
        (#"[{"url":"a","name":[2]}]"#, 1, 0, "line 1, column 20 ($[0].name): the name must be text, not an array"),
        (#"[{"url":"a","url":"b"},"c"]"#, 2, 0, "line 1, column 13 ($[0].url): the entry has “url” more than once"),
        (#"["é\x","b"]"#, 2, 0, "line 1, column 3 ($[0]): the text has an unknown escape after “\\”"),
        (
            "{ a = \"1\"; b = https://a/2?x=1; c = \"3\"; }", 3, 1,
            "line 1, column 29 ($.b): the entry breaks the rules of its format"
        ),
        (
            "( https://a/2?x=1, \"3\" )", 2, 0, "line 1, column 16 ($[0]): the entry breaks the rules of its format"
        ),
        (#"["a","\ud800"]"#, 2, 1, "line 1, column 7 ($[1]): the text has half of a surrogate pair"),
        (
            #"{"old mill":[],"x":"y"}"#, 2, 0,
            #"line 1, column 13 ($["old mill"]): the address must be text, not an array"#
        ),
        (
            Sample.plist("<dict><key>a</key>\n<key>b</key><string>x?a&b=1</string><true/></dict>"), 3, 1,
            "line 4, column 7 ($.a): the key has no value"
        ),
        (
            Sample.plist("<dict><key>a</key>\n<key>b</key><string>x?a&b=1</string><true/></dict>"), 3, 2,
            "line 5, column 21 ($.b): “&” must be written “&amp;”"
        ),
        (
            Sample.plist("<dict><key>a</key>\n<key>b</key><string>x?a&b=1</string><true/></dict>"), 3, 0,
            "line 5, column 37 ($): the value has no key"
        ),
        (
            Sample.entry("<key>x</key>"), 1, 0,
            "line 4, column 46 ($[0]): the key has no value"
        ),
        (
            Sample.entry("<key>x</key><dict><string>c</string></dict>"), 1, 0,
            "line 4, column 64 ($[0]): the value has no key"
        ),
        (
            Sample.entry("<key>x</key><dict><key>c</key></dict>"), 1, 0,
            "line 4, column 76 ($[0]): the key has no value"
        ),
        (
            Sample.entry("<key>x</key><array><dict><key>c</key><key>d</key><true/></dict></array>"), 1, 0,
            "line 4, column 83 ($[0]): the key has no value"
        ),
        (
            Sample.plist("<array><string>&nbsp;</string><url>x</url></array>"), 2, 0,
            "line 4, column 16 ($[0]): the text has an entity that nothing defines; “&” must be written “&amp;”"
        ),
        (
            Sample.plist("<array><string>&nbsp;</string><url>x</url></array>"), 2, 1,
            "line 4, column 31 ($[1]): an entry must be an address or have a “url”, not be an unknown element"
        ),
        (
            Sample.plist("<array><string>a<b>c</b></string><string>d</string></array>"), 2, 0,
            "line 4, column 16 ($[0]): the text has an element inside"
        ),
        (#"["a",tru,"b"]"#, 3, 1, "line 1, column 6 ($[1]): the entry breaks the rules of its format"),
        (#"["a",01,-,1.,"b"]"#, 5, 3, "line 1, column 13 ($[3]): the entry breaks the rules of its format"),
        (#"{"x":"a","y":nul,"z":"b"}"#, 3, 1, "line 1, column 14 ($.y): the entry breaks the rules of its format"),
        (
            #"{"x":"a","y":{"b":[1}},"z":"b"}"#, 3, 1,
            "line 1, column 14 ($.y): the address must be text, not a dictionary"
        ),
        (#"{"x":[1 2],"z":"b"}"#, 2, 0, "line 1, column 6 ($.x): the address must be text, not an array"),
        (
            #"[{"name":"Mill","url":"a","more":{"x" 1}},"b"]"#, 2, 0,
            "line 1, column 39 ($[0]): the entry breaks the rules of its format"
        ),
        (
            #"[{"url":"a","x":\#(String(repeating: "[", count: 200) + String(repeating: "]", count: 200))},"b"]"#, 2, 0,
            "line 1, column 143 ($[0]): the entry is nested too deep"
        ),
        ("{ a = b; c; }", 2, 1, "line 1, column 10 ($.c): the key has no value"),
        (
            #"( "\376" )"#, 1, 0,
            #"line 1, column 4 ($[0]): octal escapes past \375 are no characters; write \U and four hexadecimal digits"#
        ),
        ("name,url\na,1.jpg\nb\nc,3.jpg\n", 3, 1, "line 3, column 1: the row has 1 field, the header 2"),
        ("name,url\n\"a\nb\",1.jpg\nb,2,3\n", 2, 1, "line 4, column 1: the row has 3 fields, the header 2"),
        // What may be cut off.
        ("url,note,w\na.jpg,x\nb.jpg,y", 2, 1, "line 3, column 1: the row has 2 fields, the header 3"),
        ("url\tnote\na.jpg\nhttp://h/b.j", 2, 1, "line 3, column 1: the row has 1 field, the header 2"),
        ("note,url,w\r\nx,a.jpg\r\ny\r\n", 2, 1, "line 3, column 1: the row has 1 field, the header 3"),
        ("name,url\n\"a\"b,1.jpg\nb,2\n", 2, 0, "line 2, column 2: there is text after a closing quotation mark"),
    ])
    func aBrokenEntryIsOneFailedRow(_ text: String, _ count: Int, _ index: Int, _ message: String) throws {
        let catalog = try Sample.catalog(text)
        #expect(catalog.count == count)
        #expect(catalog.outcome(index) == message)
    }

    @Test(arguments: [
        (#"[{"url":"a","x":"\q"},"b"]"#, "line 1, column 18 ($[0]): the text has an unknown escape after “\\”"),
        (#"[{"url":"a","\ud800":1},"b"]"#, "line 1, column 13 ($[0]): the text has half of a surrogate pair"),
        (
            #"[{"url":"a","x":[{"y":["z\u00"]}]},"b"]"#,
            "line 1, column 25 ($[0]): the text has an unknown escape after “\\”"
        ),
        (
            Sample.plist("<array><dict><key>x</key><string>&y</string><key>url</key><string>a</string></dict></array>"),
            "line 4, column 34 ($[0]): “&” must be written “&amp;”"
        ),
    ])
    func whatNobodyAskedForIsCheckedToo(_ text: String, _ message: String) throws {
        #expect(try Sample.catalog(text).outcome(0) == message)
    }

    @Test func ignoredTextThatIsNotUTF8IsFound() throws {
        for text in [#"[{"url":"a","x":["?"]},"b"]"#, #"[{"url":"a","?":1},"b"]"#, #"( { url = a; x = "?"; }, b )"#] {
            let bytes = text.utf8.map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
            let catalog = try Catalog(parsing: Data(bytes), origin: Sample.local)
            #expect(catalog.count == 2)
            #expect(catalog.outcome(0).hasSuffix("($[0]): the entry has text that is not UTF-8"), "\(text)")
        }
    }

    @Test(arguments: [200, 100_000])
    func whatIsNestedTooDeepCostsItsRow(depth: Int) throws {
        let value =
            String(repeating: #"{"k":["#, count: depth / 2) + "\"]\"" + String(repeating: "]}", count: depth / 2)
        let object = try Sample.catalog(#"{"a": "1.jpg", "b": \#(value), "c": "3.jpg"}"#)
        #expect(object.names == ["a", "b", "c"])
        #expect([object.outcome(0), object.outcome(2)] == ["file:///photos/1.jpg", "file:///photos/3.jpg"])
        #expect(object.outcome(1).hasSuffix("the address must be text, not a dictionary"))
        let first = try Sample.catalog(#"{"b": [\#(value)], "c": "3.jpg"}"#)
        #expect(first.names == ["b", "c"])
        let array = try Sample.catalog(#"["1.jpg", {"url": "2.jpg", "exif": \#(value)}, \#(value), "4.jpg"]"#)
        #expect(array.count == 4)
        #expect(array.outcome(1).hasSuffix("the entry is nested too deep"))
        #expect(array.outcome(2).hasSuffix("($[2]): the entry is nested too deep"), "\(array.outcome(2))")
        #expect(array.outcome(3) == "file:///photos/4.jpg")
    }

    @Test func aBinaryPropertyListKeepsItsOtherRowsToo() throws {
        var deep: Any = "x"
        for _ in 0..<200 { deep = [deep] }
        let value: [Any] = ["1.jpg", deep, ["url": "3.jpg", "more": deep] as [String: Any], "4.jpg"]
        let data = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        let catalog = try Catalog(parsing: data, origin: Sample.local)
        #expect(catalog.count == 4)
        #expect(catalog.outcome(3) == "file:///photos/4.jpg")
        #expect(catalog.outcome(2).hasSuffix("the entry is nested too deep"))
    }

    @Test func bytesThatAreNotUTF8AreTheirRowsFlaw() throws {
        let bad = [UInt8](arrayLiteral: 0xE9)
        for (format, text) in Sample.all {
            // The second address's letter b becomes a byte that no UTF-8 has.
            var bytes = Array(text.utf8)
            let places = bytes.indices.filter { bytes[$0...].starts(with: "b.jpg".utf8) }
            let place = try #require(places.last)
            bytes.replaceSubrange(place...place, with: bad)
            let catalog = try Catalog(parsing: Data(bytes), origin: Sample.local)
            #expect(catalog.count == 2, "\(format)")
            #expect(catalog[1].address == "\u{FFFD}.jpg")
            #expect(catalog.outcome(1).hasSuffix("the address is not UTF-8"), "\(format): \(catalog.outcome(1))")
            #expect(catalog.outcome(0) == "http://h/a.jpg")
        }
        for bad: [UInt8] in [[0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE1, 0x80], [0x80]] {
            let catalog = try Catalog(parsing: Data("/12345678.jpg\n/".utf8 + bad), origin: Sample.local)
            #expect(catalog.outcome(1) == "line 2, column 1: the address is not UTF-8")
        }
        let good = "/\u{7FF}\u{800}\u{FFFD}\u{10000}\u{10FFFF}.jpg"
        #expect(try Sample.catalog(good)[0].address == good)
        guard case .success = try Sample.catalog(good)[0].content else {
            Issue.record("\(good) is UTF-8")
            return
        }
    }

    @Test func aHalfSurrogateInUTF16IsItsRowsFlaw() throws {
        let data = Data([0xFE, 0xFF, 0, 0x2F, 0xD8, 0x00, 0, 0x0A, 0, 0x2F, 0, 0x62])
        let catalog = try Catalog(parsing: data, origin: Sample.local)
        #expect(catalog.count == 2)
        #expect(catalog.outcome(0) == "line 1, column 1: the address is not UTF-8")
        #expect(catalog.outcome(1) == "file:///b")
    }

    @Test func aMillionFlawsInOneLineTakeNoTimeOfTheirOwn() throws {
        let catalog = try Sample.catalog("[" + String(repeating: "1,", count: 200_000) + "\"a.jpg\"]")
        #expect(catalog.count == 200_001)
        #expect(catalog.outcome(199_999).hasPrefix("line 1, column 400000 ($[199999])"))
    }

    @Test func controlCharactersStayInNames() throws {
        #expect(try Sample.catalog(#"{"a\u001b[0m":"x"}"#)[0].name == "a\u{1B}[0m")
    }
}
